/// A complete answer to a client's request, whatever its status, and the way to it.
package struct HTTPExchange: Equatable, Sendable {
  /// The answer, its body unpacked.
  package var response: HTTPResponse
  /// The URL that answered, with its query: not for a message.
  package var url: String
  /// All requests that led here, the answered one last.
  package var hops: [HTTPHop]
  /// From the first request to the last byte of the body.
  package var seconds: Double

  /// An exchange of its parts.
  package init(_ response: HTTPResponse, url: String, hops: [HTTPHop] = [], seconds: Double = 0) {
    self.response = response
    self.url = url
    self.hops = hops
    self.seconds = seconds
  }

  /// The exchange as `curl -v` would show it, without the body.
  ///
  /// - Parameter redact: takes secrets out of a line; all of them go through it.
  package func traceLines(redact: (String) -> String) -> [String] {
    let milliseconds = (seconds * 10_000).rounded() / 10
    return hops.flatMap { $0.lines(redact: redact) }
      + ["* \(response.body.count) bytes of body after \(milliseconds) ms"]
  }
}
