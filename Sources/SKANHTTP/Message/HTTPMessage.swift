/// One request, as a client sends it, as the server receives it and as a capture holds it.
///
/// It is well formed; whether it makes sense is for its receiver to say.
package struct HTTPRequest: Equatable, Sendable {
  /// Case matters: `get` is another method than `GET`.
  package var method: String
  /// What is asked for: a whole URL where a client asks, a path and a query where the server is asked.
  package var target: HTTPTarget
  /// The header lines; of a client's, those that are added to URLSession's own (`Host`, `User-Agent`, `Accept-Encoding`).
  package var headers: HTTPFields
  /// The body, its chunks joined; empty without one.
  package var body: [UInt8]

  /// A request of its parts.
  package init(method: String = "GET", target: HTTPTarget, headers: HTTPFields = [], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// A client's GET of a URL: absolute, http or https, percent-encoded.
  package static func get(_ url: String, headers: HTTPFields = []) -> HTTPRequest {
    HTTPRequest(target: HTTPTarget(url), headers: headers)
  }

  /// A client's POST to a URL: absolute, http or https, percent-encoded.
  package static func post(_ url: String, headers: HTTPFields = [], body: [UInt8]) -> HTTPRequest {
    HTTPRequest(method: "POST", target: HTTPTarget(url), headers: headers, body: body)
  }

  /// See ``HTTPTarget/path``.
  package var path: String { target.path }

  /// See ``HTTPTarget/query``.
  package var query: String? { target.query }
}

/// What a request asks for (RFC 9112, section 3.2), with every percent escape as it was sent; the server undoes those of a
/// path that mean nothing.
///
///     HTTPTarget("http://localhost:8080/api?a=%20").query   // "a=%20"
///
/// The query of a `conversion_value` request holds the SDK key: neither it nor ``text`` is for a message.
package struct HTTPTarget: Equatable, Sendable {
  /// Scheme, host and port as they were written, such as `http://localhost:8080`; empty in a request that the server
  /// received, which is one site.
  package var origin: String
  /// Begins with a slash, or is `*`; empty when a URL has none.
  package var path: String
  /// Behind the first question mark; nil when there is no question mark.
  package var query: String?

  /// A target of its parts.
  package init(origin: String = "", path: String, query: String? = nil) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// Parses a URL, or a path with its query. Nothing is checked or lost: ``text`` is the same again.
  package init(_ text: String) {
    // By bytes, which is many times faster than by characters.
    let bytes = text.utf8
    func endOfName(from start: String.Index) -> String.Index {
      bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    }
    var start = bytes.startIndex
    let scheme = bytes[..<endOfName(from: start)]
    if scheme.last == UInt8(ascii: ":"), bytes[scheme.endIndex...].starts(with: "//".utf8) {
      start = endOfName(from: bytes.index(scheme.endIndex, offsetBy: 2))
    }
    origin = String(text[..<start])
    let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
    path = String(text[start..<(mark ?? bytes.endIndex)])
    query = mark.map { String(text[bytes.index(after: $0)...]) }
  }

  /// The whole target.
  package var text: String { query.map { "\(origin)\(path)?\($0)" } ?? "\(origin)\(path)" }

  /// Path and query as the request line has them: an empty path is a slash there.
  package var pathAndQuery: String {
    let path = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
    return query.map { "\(path)?\($0)" } ?? path
  }
}

/// One response, as the server sends it and as a client receives it.
package struct HTTPResponse: Equatable, Sendable {
  /// The code of the status line, 100 to 999.
  package var status: Int
  /// The header lines.
  ///
  /// A client's are sorted by name: URLSession keeps neither their order nor lines of one name apart (it joins them by a
  /// comma), and leaves `Content-Encoding` and the compressed `Content-Length` on a body that it has unpacked. The server
  /// writes `Content-Length`, `Transfer-Encoding` and `Connection` itself and leaves those here out; it makes a space of
  /// each control character, so that a value cannot become another line.
  package var headers: HTTPFields
  /// Unpacked. The server does not send it to HEAD requests, nor with a status that has no body (204, 304).
  package var body: [UInt8]

  /// A response of its parts.
  package init(status: Int = 200, headers: HTTPFields = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A line of plain text.
  package static func text(_ status: Int, _ line: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", "text/plain; charset=utf-8")], body: Array("\(line)\n".utf8))
  }
}

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
