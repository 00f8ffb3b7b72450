/// One request and the head of its answer; an exchange has several when it was redirected.
package struct HTTPHop: Equatable, Sendable {
  /// What was asked; what URLSession adds itself (`Host`, `User-Agent`, `Accept-Encoding`) is not in it.
  package var request: HTTPRequest
  /// The answer without its body; nil as long as there is none.
  package var response: HTTPResponse?

  /// A hop of its parts; of a request alone when there is no answer.
  package init(_ request: HTTPRequest, _ response: HTTPResponse? = nil) {
    self.request = request
    self.response = response
  }

  /// The hop as `curl -v` would show it; the version of HTTP is left out, as URLSession does not report it.
  ///
  /// - Parameter redact: takes secrets out of a line. All of them go through it, since a header, too, can repeat the
  ///   query (`Location` does).
  package func lines(redact: (String) -> String) -> [String] {
    var lines = ["> \(request.method) \(request.target.pathAndQuery)"]
    if let parts = try? URLParts(request.target.text) { lines.append("> Host: \(parts.address.authority)") }
    lines += request.headers.map { "> \($0.name): \($0.value)" } + [">"]
    if let response {
      lines += ["< HTTP \(response.status)"] + response.headers.map { "< \($0.name): \($0.value)" } + ["<"]
    }
    return lines.map(redact)
  }
}
