/// A request as sent by a client, received by the server or stored in a capture.
///
/// It is well formed; its receiver decides whether it is valid.
package struct HTTPRequest: Equatable, Sendable {
  /// The method, case-sensitive: `get` differs from `GET`.
  package var method: String
  /// The target: a whole URL for a client, a path and a query for the server.
  package var target: HTTPTarget
  /// The header lines; for a client, those in addition to URLSession's own (`Host`, `User-Agent`, `Accept-Encoding`).
  package var headers: HTTPFields
  /// The body with its chunks joined; empty if there is none.
  package var body: [UInt8]

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

/// The target of a request (RFC 9112, section 3.2), with percent escapes as sent, except that the server decodes
/// needless ones in a path.
///
///     HTTPTarget("http://localhost:8080/api?a=%20").query   // "a=%20"
///
/// The query of a `conversion_value` request contains the SDK key: messages must contain neither it nor ``text``.
package struct HTTPTarget: Equatable, Sendable {
  /// Scheme, host and port as written, such as `http://localhost:8080`; empty in a request that the server received.
  package var origin: String
  /// The path, which begins with a slash or is `*`; empty if a URL has none.
  package var path: String
  /// The text after the first question mark; nil if there is none.
  package var query: String?

  package init(origin: String = "", path: String, query: String? = nil) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// Parses a URL, or a path with its query, without checks. ``text`` gives the same text again.
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

  /// Path and query for the request line, where an empty path becomes a slash.
  package var pathAndQuery: String {
    let path = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
    return query.map { "\(path)?\($0)" } ?? path
  }
}

/// A response as sent by the server or received by a client.
package struct HTTPResponse: Equatable, Sendable {
  /// The status code, 100 to 999.
  package var status: Int
  /// The header lines.
  ///
  /// A client's are sorted by name: URLSession does not keep their order, joins lines of one name with commas, and
  /// keeps `Content-Encoding` and the compressed `Content-Length` for a body that it has unpacked. The server writes
  /// `Content-Length`, `Transfer-Encoding` and `Connection` itself and omits those given here; it replaces each control
  /// character by a space, so that a value cannot become another line.
  package var headers: HTTPFields
  /// The unpacked body. The server omits it for HEAD requests and for a status without a body (204, 304).
  package var body: [UInt8]

  package init(status: Int = 200, headers: HTTPFields = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with a line of plain text.
  package static func text(_ status: Int, _ line: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", "text/plain; charset=utf-8")], body: Array("\(line)\n".utf8))
  }
}

/// A complete answer to a client's request, of any status, and how it was obtained.
package struct HTTPExchange: Equatable, Sendable {
  /// The answer, its body unpacked.
  package var response: HTTPResponse
  /// The URL that answered, with its query, which messages must not contain.
  package var url: String
  /// All requests in order; the last one was answered.
  package var hops: [HTTPHop]
  /// Seconds from the first request to the last byte of the body.
  package var seconds: Double

  package init(_ response: HTTPResponse, url: String, hops: [HTTPHop] = [], seconds: Double = 0) {
    self.response = response
    self.url = url
    self.hops = hops
    self.seconds = seconds
  }

  /// The exchange as `curl -v` shows it, without the body.
  ///
  /// - Parameter redact: removes secrets from a line; called for all lines.
  package func traceLines(redact: (String) -> String) -> [String] {
    let milliseconds = (seconds * 10_000).rounded() / 10
    return hops.flatMap { $0.lines(redact: redact) }
      + ["* \(response.body.count) bytes of body after \(milliseconds) ms"]
  }
}

/// A request and the head of its answer; an exchange has several if it was redirected.
package struct HTTPHop: Equatable, Sendable {
  /// The request, without the headers that URLSession adds (`Host`, `User-Agent`, `Accept-Encoding`).
  package var request: HTTPRequest
  /// The answer without its body; nil if there is none.
  package var response: HTTPResponse?

  package init(_ request: HTTPRequest, _ response: HTTPResponse? = nil) {
    self.request = request
    self.response = response
  }

  /// The hop as `curl -v` shows it, without the version of HTTP, which URLSession does not report.
  ///
  /// - Parameter redact: removes secrets from a line. Called for all lines, because headers such as `Location` can
  ///   repeat the query.
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
