@testable import SKANHTTP

extension HTTPReply {
  /// A line of plain text.
  static func text(_ status: Int, _ line: String) -> HTTPReply { HTTPReply(.text(status, line)) }

  /// A reply of these bytes.
  static func bytes(
    _ body: [UInt8] = [], delay: Double = 0, closes: Bool = false, fault: HTTPFault? = nil
  ) -> HTTPReply {
    HTTPReply(HTTPResponse(body: body), delay: delay, closes: closes, fault: fault)
  }
}
