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
