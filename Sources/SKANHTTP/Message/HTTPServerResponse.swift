/// What a handler answers.
package struct HTTPServerResponse: Equatable, Sendable {
  /// 200 to 999. Anything else is sent as 500: a lower one would leave the client waiting for another answer.
  package var status: Int
  /// Header lines. The server itself writes `Content-Length`, `Transfer-Encoding` and `Connection`, and leaves those here
  /// out; it makes a space of each control character, so that a value cannot become another line.
  package var fields: [HTTPField]
  /// Not sent to HEAD requests, nor with a status that has no body (204, 304); its length is told all the same, as it must.
  package var body: [UInt8]
  /// Seconds to wait before this is sent, at most ``HTTPLimits/delaySeconds``; other connections do not wait.
  package var after: Double
  /// Whether the connection closes afterwards also when the client would go on.
  package var closes: Bool
  /// How this answer goes wrong.
  package var fault: HTTPFault?
  /// Whether it is one of the answers after which a server with such a limit stops.
  package var isCounted = true

  /// An answer that goes right.
  package init(
    status: Int = 200, fields: [HTTPField] = [], body: [UInt8] = [], after: Double = 0, closes: Bool = false,
    fault: HTTPFault? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.after = after
    self.closes = closes
    self.fault = fault
  }

  /// A line of plain text.
  package static func text(_ status: Int, _ line: String) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, fields: [HTTPField("Content-Type", "text/plain; charset=utf-8")], body: Array("\(line)\n".utf8))
  }
}
