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
