/// One request and the head of its answer; an exchange has several when it was redirected.
package struct HTTPHop: Equatable, Sendable {
  /// With its query: not for a message.
  package var url: String
  /// What was asked for; what URLSession adds itself (`Host`, `User-Agent`, `Accept-Encoding`) it does not tell.
  package var sent: [HTTPHeader]
  /// nil as long as there is no answer.
  package var status: Int?
  /// Empty as long as there is no answer; see ``HTTPExchange/headers`` for what is lost of them.
  package var received: [HTTPHeader]
  /// `GET` or `POST`.
  package var method: String

  /// A hop of its parts; of a request alone when there is no answer.
  package init(url: String, sent: [HTTPHeader], status: Int? = nil, received: [HTTPHeader] = [], method: String = "GET")
  {
    self.url = url
    self.method = method
    self.sent = sent
    self.status = status
    self.received = received
  }

  /// The hop as `curl -v` would show it; the version of HTTP is left out, as URLSession does not tell it.
  ///
  /// To show a request that failed, make a hop of what was asked: its lines are then those of the request.
  ///
  /// - Parameter redact: takes secrets out of a line. All of them go through it, since a header, too, can repeat the
  ///   query (`Location` does).
  package func lines(redact: (String) -> String) -> [String] {
    var lines = ["> \(method) \(target)"]
    if let parts = try? URLParts(url) { lines.append("> Host: \(parts.address.authority)") }
    lines += sent.map { "> \($0.name): \($0.value)" } + [">"]
    if let status {
      lines += ["< HTTP \(status)"] + received.map { "< \($0.name): \($0.value)" } + ["<"]
    }
    return lines.map(redact)
  }

  /// Path and query.
  private var target: String {
    guard let mark = url.firstRange(of: "://"),
      let start = url[mark.upperBound...].firstIndex(where: { "/?#".contains($0) })
    else { return "/" }
    return url[start] == "/" ? String(url[start...]) : "/" + url[start...]
  }
}
