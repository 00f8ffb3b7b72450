import Testing

@testable import SKANHTTP

@Suite("The phrase behind a status")
struct HTTPReasonTests {
  /// As IANA's registry of status codes has them, RFC 9110 and RFC 6585.
  @Test(
    "Those of the registry",
    arguments: [
      (200, "OK"), (201, "Created"), (202, "Accepted"), (204, "No Content"), (301, "Moved Permanently"),
      (302, "Found"), (303, "See Other"), (304, "Not Modified"), (307, "Temporary Redirect"),
      (308, "Permanent Redirect"), (400, "Bad Request"), (401, "Unauthorized"), (403, "Forbidden"), (404, "Not Found"),
      (405, "Method Not Allowed"), (408, "Request Timeout"), (409, "Conflict"), (410, "Gone"),
      (413, "Content Too Large"), (414, "URI Too Long"), (415, "Unsupported Media Type"), (417, "Expectation Failed"),
      (418, "I'm a Teapot"), (422, "Unprocessable Content"), (429, "Too Many Requests"),
      (431, "Request Header Fields Too Large"), (500, "Internal Server Error"), (501, "Not Implemented"),
      (502, "Bad Gateway"), (503, "Service Unavailable"), (504, "Gateway Timeout"),
      (505, "HTTP Version Not Supported"), (299, "Status"), (599, "Status"),
    ])
  func phrase(status: Int, phrase: String) {
    let text = AnswerTests.text(HTTPAnswer(reply: HTTPReply(HTTPResponse(status: status))))
    #expect(text.hasPrefix("HTTP/1.1 \(status) \(phrase)\r\n"))
  }
}
