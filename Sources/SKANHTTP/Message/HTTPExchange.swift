/// A complete answer, whatever its status.
package struct HTTPExchange: Equatable, Sendable {
  /// The code of the status line, 100 to 999.
  package var status: Int
  /// Sorted by name. URLSession keeps neither their order nor lines of one name apart (they are joined by a comma),
  /// and leaves `Content-Encoding` and the compressed `Content-Length` on a body that it has unpacked.
  package var headers: [HTTPHeader]
  /// Unpacked.
  package var body: [UInt8]
  /// The URL that answered, with its query: not for a message.
  package var url: String
  /// All requests that led here, the answered one last.
  package var hops: [HTTPHop]
  /// From the first request to the last byte of the body.
  package var seconds: Double

  /// An exchange of its parts, as a test or a scripted endpoint makes it.
  package init(
    status: Int, headers: [HTTPHeader], body: [UInt8], url: String, hops: [HTTPHop] = [], seconds: Double = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.hops = hops
    self.seconds = seconds
  }

  /// The exchange as `curl -v` would show it, without the body.
  ///
  /// - Parameter redact: takes secrets out of a line; all of them go through it.
  package func traceLines(redact: (String) -> String) -> [String] {
    let milliseconds = (seconds * 10_000).rounded() / 10
    return hops.flatMap { $0.lines(redact: redact) } + ["* \(body.count) bytes of body after \(milliseconds) ms"]
  }
}
