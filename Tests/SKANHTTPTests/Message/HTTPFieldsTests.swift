import Testing

@testable import SKANHTTP

@Suite("The header lines of a message")
struct HTTPFieldsTests {
  private let fields: HTTPFields = [HTTPField("X-a", "1"), HTTPField("x-A", "2"), HTTPField("X-ab", "é")]

  @Test("Found whatever the case of their names")
  func found() {
    #expect(fields["x-a"] == "1")
    #expect(fields["X-AB"] == "é")
    #expect(fields["X"] == nil)
    #expect(fields.values(of: "X-A") == ["1", "2"])
    #expect(fields.values(of: "b") == [])
  }

  @Test("In their order, as they were given")
  func order() {
    #expect(fields.map(\.name) == ["X-a", "x-A", "X-ab"])
    #expect(fields.map(\.value) == ["1", "2", "é"])
    var more = fields
    more.append("B", "")
    #expect(more.count == 4 && more.last == HTTPField("B", ""))
    #expect(more != fields && Array(more.dropLast()) == Array(fields))
  }

  @Test("Equal wherever their bytes are, and only with the same bytes")
  func equality() {
    let read = HTTPFields(bytes: Array("X-a: 1".utf8), slots: [HTTPFields.Slot(name: 0..<3, value: 5..<6)])
    #expect(read == [HTTPField("X-a", "1")])
    #expect(read != [HTTPField("x-a", "1")] && read != [HTTPField("X-a", "")] && read != [])
    // As text both are U+FFFD.
    let bytes = [0xFF, 0xFE].map { HTTPFields(bytes: [0x41, $0], slots: [HTTPFields.Slot(name: 0..<1, value: 1..<2)]) }
    #expect(bytes[0] != bytes[1] && bytes[0]["a"] == "\u{FFFD}")
  }

  @Test(
    "What can be sent",
    arguments: [
      (HTTPField("X-A", "b c\té"), true), (HTTPField("", "b"), false), (HTTPField("A B", "c"), false),
      (HTTPField("A:", "c"), false), (HTTPField("é", "c"), false), (HTTPField("A", "b\r\nC: d"), false),
      (HTTPField("A", "\u{7F}"), false), (HTTPField("A", ""), true),
    ])
  func wellFormed(field: HTTPField, isWellFormed: Bool) { #expect(field.isWellFormed == isWellFormed) }
}

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

@Suite("The target of a request")
struct HTTPTargetTests {
  @Test(
    "Origin, path and query; the text is the same again",
    arguments: [
      (
        "http://localhost:8080/api?a=%20&b", HTTPTarget(origin: "http://localhost:8080", path: "/api", query: "a=%20&b")
      ),
      ("https://h", HTTPTarget(origin: "https://h", path: "")),
      ("https://h?", HTTPTarget(origin: "https://h", path: "", query: "")),
      ("https://h?a?b/c", HTTPTarget(origin: "https://h", path: "", query: "a?b/c")),
      ("http://[::1]:8/", HTTPTarget(origin: "http://[::1]:8", path: "/")),
      ("HTTP://u@H:80/a#b?c", HTTPTarget(origin: "HTTP://u@H:80", path: "/a#b", query: "c")),
      ("/a/b?x=http://h/y", HTTPTarget(path: "/a/b", query: "x=http://h/y")), ("/", HTTPTarget(path: "/")),
      ("//h/a", HTTPTarget(path: "//h/a")), ("/a://b", HTTPTarget(path: "/a://b")), ("*", HTTPTarget(path: "*")),
      ("nonsense", HTTPTarget(path: "nonsense")), ("", HTTPTarget(path: "")), ("?é", HTTPTarget(path: "", query: "é")),
      ("http:/h", HTTPTarget(path: "http:/h")),
    ])
  func parts(text: String, target: HTTPTarget) {
    #expect(HTTPTarget(text) == target)
    #expect(target.text == text)
  }

  @Test(
    "As the request line has it",
    arguments: [
      ("http://h", "/"), ("http://h?a", "/?a"), ("http://h/b?a", "/b?a"), ("/b", "/b"), ("http://h/?", "/?"),
      ("http://h/\u{301}b", "/\u{301}b"),
    ])
  func pathAndQuery(text: String, line: String) { #expect(HTTPTarget(text).pathAndQuery == line) }
}

@Suite("The endpoint's URL")
struct EndpointURLTests {
  @Test(
    "Completed",
    arguments: [
      ("http://localhost:8080", "http://localhost:8080/api/v2/conversion_value"),
      ("http://localhost:8080/", "http://localhost:8080/api/v2/conversion_value"),
      ("HTTPS://SDK-api.Example.COM", "https://sdk-api.example.com/api/v2/conversion_value"),
      ("https://a.example:443/", "https://a.example/api/v2/conversion_value"),
      ("http://a:443/", "http://a:443/api/v2/conversion_value"),
      ("http://a/base", "http://a/base/api/v2/conversion_value"),
      ("http://a/base//", "http://a/base/api/v2/conversion_value"),
      ("http://a/api/v1/conversion_value", "http://a/api/v1/conversion_value"),
      ("http://a/conversion_value", "http://a/conversion_value"),
      ("http://a/conversion_value/", "http://a/conversion_value/"),
      ("http://a/my_conversion_value", "http://a/my_conversion_value/api/v2/conversion_value"),
      ("http://a/Conversion_Value", "http://a/Conversion_Value/api/v2/conversion_value"),
      ("http://a/x%20y", "http://a/x%20y/api/v2/conversion_value"),
      ("http://127.0.0.1:1", "http://127.0.0.1:1/api/v2/conversion_value"),
    ])
  func completed(text: String, expected: String) throws {
    #expect(try EndpointURL(text, api: .v2).address.text == expected)
  }

  @Test func pieces() throws {
    let address = try EndpointURL("HTTP://Host:81/p/conversion_value", api: .v1).address
    #expect(address == HTTPAddress(scheme: .http, host: "host", port: 81, path: "/p/conversion_value"))
    #expect(address.authority == "host:81")
    #expect(try EndpointURL("https://h", api: .v1).address.port == 443)
    #expect(try EndpointURL("https://h", api: .v1).address.path == "/api/v1/conversion_value")
    #expect(try EndpointURL("https://h/x/", api: .v1).sibling(.event(.v1))?.text == "https://h/x/api/v1/evt")
    #expect(try EndpointURL("https://h/own/conversion_value", api: .v1).sibling(.event(.v1)) == nil)
  }

  @Test(
    "Refused",
    arguments: [
      ("", .noScheme), ("localhost:8080", .noScheme), ("/a/b", .noScheme), ("http:/a", .noScheme),
      ("://a", .unsupportedScheme("")), ("ftp://a/", .unsupportedScheme("ftp")), ("http://", .noHost),
      ("http:///a", .noHost), ("http://:80", .noHost), ("http://a:", .badPort("")), ("http://a:0", .badPort("0")),
      ("http://a:65536", .badPort("65536")), ("http://a:8x", .badPort("8x")), ("http://a:-1", .badPort("-1")),
      ("http://a:99999999999999999999", .badPort("99999999999999999999")), ("http://a b/", .badHost("a b")),
      ("http://münchen.de/", .badHost("münchen.de")), ("http://a%41/", .badHost("a%41")),
      ("http://[a]/", .badHost("a")),
      ("http://[::1", .badHost("[:")), ("http://[fe80::1%25eth0]/", .badHost("fe80::1%25eth0")),
      ("http://a/b c", .badCharacter(" ")), ("http://a/{}", .badCharacter("{")), ("http://a/é", .badCharacter("é")),
      ("http://a/b\n", .badCharacter("\n")), ("http://a/?", .hasQuery), ("http://a?a=SECRET", .hasQuery),
      ("http://a/#", .hasFragment), ("http://a/#?", .hasFragment), ("http://u:SECRET@a/", .hasUserInfo),
      ("http://u:SECRET@\u{301}a/", .hasUserInfo), ("http://a?\u{301}a=SECRET", .hasQuery),
      ("http://a/#\u{301}SECRET", .hasFragment),
      ("http://@a/", .hasUserInfo), ("http://u:SEC/RET@a/", .hasUserInfo), ("http://u:SEC#RET@a/", .hasUserInfo),
    ] as [(String, EndpointURLProblem)])
  func refused(text: String, problem: EndpointURLProblem) {
    #expect(throws: problem) { try EndpointURL(text, api: .v2) }
    #expect(!problem.message.isEmpty && !problem.message.contains("SEC"))
  }

  @Test func ipv6() throws {
    #expect(throws: EndpointURLProblem.ipv6LiteralUnsupported("::1")) {
      try EndpointURL("http://[::1]:80/", api: .v2, takesIPv6Literals: false)
    }
    let url = try EndpointURL("http://[FE80::1]:81/", api: .v2, takesIPv6Literals: true)
    #expect(url.address.text == "http://[fe80::1]:81/api/v2/conversion_value")
    #expect(url.address.authority == "[fe80::1]:81")
    #expect(url.address.host == "fe80::1")
  }
}
