/// One request that is well formed; whether it makes sense is for the handler to say.
package struct HTTPServerRequest: Equatable, Sendable {
  /// Case matters: `get` is another method than `GET`.
  package var method: String
  /// Begins with a slash, or is `*`; percent escapes as they were sent.
  package var path: String
  /// Behind the first question mark, percent escapes as they were sent; nil when there is no question mark.
  package var query: String?
  /// 0 for HTTP/1.0, else 1.
  package var minorVersion: Int
  /// The header lines.
  package var fields: HTTPFields
  /// Empty when there is none.
  package var body: [UInt8]
  /// Whether the client wants the connection to stay open after the answer.
  package var keepsAlive: Bool
  /// The client's numeric address without its port; an IPv4 address in its own form, also on an IPv6 socket.
  package var peer: String

  /// A request of parts that are known to be well formed, for tests of a handler.
  package init(
    method: String = "GET", path: String = "/", query: String? = nil, minorVersion: Int = 1,
    fields: HTTPFields = HTTPFields(), body: [UInt8] = [], keepsAlive: Bool = true, peer: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.minorVersion = minorVersion
    self.fields = fields
    self.body = body
    self.keepsAlive = keepsAlive
    self.peer = peer
  }

  /// Path and query as they were sent.
  package var target: String { query.map { "\(path)?\($0)" } ?? path }
}
