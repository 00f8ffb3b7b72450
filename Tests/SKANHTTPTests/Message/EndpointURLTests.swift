import Testing

@testable import SKANHTTP

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

  @Test("Pieces") func pieces() throws {
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

  @Test("Ipv6") func ipv6() throws {
    #expect(throws: EndpointURLProblem.ipv6LiteralUnsupported("::1")) {
      try EndpointURL("http://[::1]:80/", api: .v2, takesIPv6Literals: false)
    }
    let url = try EndpointURL("http://[FE80::1]:81/", api: .v2, takesIPv6Literals: true)
    #expect(url.address.text == "http://[fe80::1]:81/api/v2/conversion_value")
    #expect(url.address.authority == "[fe80::1]:81")
    #expect(url.address.host == "fe80::1")
  }
}
