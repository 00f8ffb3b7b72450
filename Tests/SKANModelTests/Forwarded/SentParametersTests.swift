import SKANBase
import Testing

@testable import SKANModel

@Suite("The parameters of a request as they were sent")
struct SentParametersTests {
  @Test func `Each keeps its index, its bytes and its decoded value`() throws {
    let sent = try #require(SentParameters(Array("n=a+b%2Bc&x&n=&%69=1".utf8)))
    #expect(
      sent.items == [
        .init(name: "n", raw: "a+b%2Bc", value: "a b+c"), .init(name: "x", raw: nil, value: nil),
        .init(name: "n", raw: "", value: ""),
        .init(name: "i", raw: "1", value: "1"),
      ])
    #expect(sent["n"] == "" && sent["x"] == nil && sent["i"] == "1" && sent["N"] == nil)
  }

  @Test func `A form follows the query`() throws {
    let sent = try #require(SentParameters(query: "a=1&b=2", form: Array("b=3&c=4".utf8)))
    #expect(sent.items.map(\.name) == ["a", "b", "b", "c"])
    #expect(sent["b"] == "3")
    #expect(SentParameters(query: nil)?.items == [])
    let known = try #require(SentParameters(query: "n=a+b&i=x&v=1", form: Array("n=c%20d&i&z=%26".utf8)))
    #expect(known["n"] == "c d" && known.raw("n") == "c%20d" && known["i"] == "x" && known["v"] == "1")
    #expect(known["z"] == "&" && known.raw("z") == "%26")
  }

  @Test("What cannot be decoded is nothing", arguments: ["n=%", "n=%4G", "%ff=1", "a=1&n=%C3"])
  func broken(text: String) { #expect(SentParameters(Array(text.utf8)) == nil) }

  @Test(
    "A secret is found whatever its spelling and its escapes",
    arguments: [
      ("a=k&n=x", ["k"], "a=REDACTED&n=x"), ("A%5B%5D=k%20l", ["k l"], "A%5B%5D=REDACTED"),
      ("sdk_key=k&a=", ["k"], "sdk_key=REDACTED&a="), ("a=REDACTED&a", [], "a=REDACTED&a"),
      // Within a value, which is encoded again, and within a name.
      ("e=%7B%22sdk_key%22:%22k%22%7D&n=x", ["k"], "e=%7B%22sdk_key%22%3A%22REDACTED%22%7D&n=x"),
      ("e={\"sdk_key\":k}", ["k"], "e=%7B%22sdk_key%22%3AREDACTED%7D"), ("x;a=k&y", ["k"], "x;a=REDACTED&y"),
      ("u=http://h/?a%3Dk%26b%3Dc", ["k"], "u=http%3A%2F%2Fh%2F%3Fa%3DREDACTED%26b%3Dc"),
      ("%7B%22a%22:%22k%22%7D", ["k"], "%7B%22a%22%3A%22REDACTED%22%7D"),
      ("e=%7B%22b%22:1%7D", [], "e=%7B%22b%22:1%7D"),
      // What cannot be decoded is compared as it is.
      ("a=%zz&n=%zz", ["%zz"], "a=REDACTED&n=%zz"), ("%zz=k", [], "%zz=k"),
    ])
  func secrets(query: String, values: [String], redacted: String) {
    #expect(SecretParameter.values(in: query) == values)
    #expect(SecretParameter.redacted(query) == redacted)
  }
}

@Suite("Secrets within a text")
struct SecretTextTests {
  /// A text with a key in it, and what is left of it.
  private static let cases: [(text: String, redacted: String)] = [
    // A path.
    ("/api/v2/conversion_value;a=KEY", "/api/v2/conversion_value;a=REDACTED"),
    ("/api/v2/conversion_value&a=KEY&n=x", "/api/v2/conversion_value&a=REDACTED&n=x"),
    ("/api/v2/conversion_value%3Fa%3DKEY%26n%3Dx", "/api/v2/conversion_value?a=REDACTED&n=x"),
    ("/a=KEY/b", "/a=REDACTED"), ("/;sdk-key=KEY", "/;sdk-key=REDACTED"), ("/;%2561=KEY", "/;a=REDACTED"),
    // JSON, whole and broken.
    (#"{"a":"KEY"}"#, #"{"a":"REDACTED"}"#), (#"{"x":{"A" : "KEY", "b":1}}"#, #"{"x":{"A" : "REDACTED", "b":1}}"#),
    (#"{"a":["KEY",{"b":"KEY"}],"c":1}"#, #"{"a":REDACTED,"c":1}"#), (#"{"a":{"b":"KEY"#, #"{"a":REDACTED"#),
    (#"{"sdk_key":KEY}"#, #"{"sdk_key":REDACTED}"#), ("{sdk_key:KEY,b:1}", "{sdk_key:REDACTED,b:1}"),
    ("{'a': 'KEY'}", "{'a': 'REDACTED'}"), (#"{"a":"KEY"#, #"{"a":"REDACTED"#),
    (#"{"a":"KE\"Y","b":1}"#, #"{"a":"REDACTED","b":1}"#),
    (#"{"\u0061":"KEY"}"#, #"{"a":"REDACTED"}"#),
    // JSON in JSON, and a query in it.
    (#"{"x":"{\"a\":\"KEY\"}"}"#, #"{"x":"{\"a\":\"REDACTED\"}"}"#),
    (#"{"x":"{\"a\":\"K\\\"EY\"}"}"#, #"{"x":"{\"a\":\"REDACTED\"}"}"#),
    (#"{"url":"http://h/?a=KEY&n=x"}"#, #"{"url":"http://h/?a=REDACTED&n=x"}"#),
    ("%7B%22a%22%3A%22KEY%22%7D", #"{"a":"REDACTED"}"#),
    ("%257B%2522a%2522%253A%2522KEY%2522%257D", #"{"a":"REDACTED"}"#),
    // Several, also behind different escapes.
    ("a=KEY&b=%26a%3DKEY", "a=REDACTED&b=&a=REDACTED"), ("token=KEY;secret=KEY", "token=REDACTED"),
    (#"in "{"a":"KEY"}" for the 1st time"#, #"in "{"a":"REDACTED"}" for the 1st time"#), ("a==KEY", "a=REDACTED"),
  ]

  @Test("Each is found, and nothing else is touched", arguments: cases.indices)
  func found(index: Int) {
    let (text, redacted) = Self.cases[index]
    #expect(SecretParameter.redacted(text: text) == redacted)
    // What is redacted stays.
    #expect(SecretParameter.redacted(text: redacted) == redacted)
    let values = SecretParameter.values(inText: text)
    #expect(!values.isEmpty && values.allSatisfy { $0.contains("K") && $0.contains("Y") }, "\(values)")
  }

  @Test(
    "No secret",
    arguments: [
      "", "a", "/api/v1/evt", "=", ":", "a=", "a=&b", #"{"a":""}"#, #"{"a":}"#, "Level a: done", "a : b", "b=KEY", "%",
      "%%41=", "\\",
      "x: {\"USD\":1.5}", "key", "the key is KEY", "use_ip=true", "a/KEY", "ab=KEY", "%61%zz", "50%25 of a",
      #"{"b":{"c":[1]}}"#,
      "2026-01-01T00:00:00Z", "a=REDACTED", #"{"a":"REDACTED"}"#,
    ])
  func none(text: String) {
    #expect(SecretParameter.redacted(text: text) == text)
    #expect(SecretParameter.values(inText: text).isEmpty)
  }

  @Test("A text that is nothing but beginnings of secrets takes no time to speak of")
  func hostile() {
    for part in ["a=", "a:", "\"a\":", "{\"a\":", "%61=", "%2561%3D", "\\\"", "a=\"", "[", "\"a\":["] {
      #expect(!SecretParameter.redacted(text: String(repeating: part, count: 20_000)).isEmpty)
    }
  }

  @Test func `In a JSON value each member of a secret's name is marked, and each text is read`() throws {
    let text =
      #"{"x":[{"a":["KEY"]},"a=KEY",{"y":{"API-Key":7}}],"z":[1,2.5,true,null,18446744073709551615],"{\"a\":\"KEY\"}":1}"#
    let redacted =
      #"{"x":[{"a":"REDACTED"},"a=REDACTED",{"y":{"API-Key":"REDACTED"}}],"z":[1,2.5,true,null,18446744073709551615],"{\"a\":\"REDACTED\"}":1}"#
    #expect(
      SecretParameter.redacted(json: try JSONReader.read(Array(text.utf8)).value)
        == (try JSONReader.read(Array(redacted.utf8)).value))
  }
}

@Suite("The address of a device")
struct InternetAddressTests {
  @Test(
    "Each side of each range that no device on the Internet has",
    arguments: [
      ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false), ("11.0.0.0", true),
      ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false), ("100.128.0.0", true),
      ("126.255.255.255", true), ("127.0.0.1", false), ("128.0.0.0", true), ("0.0.0.0", false), ("1.0.0.0", true),
      ("169.253.255.255", true), ("169.254.0.0", false), ("169.255.0.0", true),
      ("172.15.255.255", true), ("172.16.0.0", false), ("172.30.0.1", false), ("172.31.255.255", false),
      ("172.32.0.0", true), ("192.167.255.255", true), ("192.168.0.0", false), ("192.169.0.0", true),
      ("223.255.255.255", true), ("224.0.0.0", false), ("255.255.255.255", false),
      ("::1", false), ("0:0:0:0:0:0:0:1", false), ("2001:db8::1", true), ("fbff::1", true), ("fc00::1", false),
      ("fdff::1", false),
      ("fe00::1", true), ("fe7f::1", true), ("fe80::1", false), ("febf::1", false), ("fec0::1", true), ("fc::1", true),
    ])
  func ranges(text: String, isPublic: Bool) throws {
    let address = try #require(InternetAddress(text))
    #expect(address.isPublic == isPublic && address.isIPv6 == text.contains(":"))
  }

  @Test(
    "Other texts are no addresses", arguments: ["", "1.2.3", "1.2.3.256", "1.2.3.-4", "a.b", "1:2", "::g", "12345::"])
  func others(text: String) { #expect(InternetAddress(text) == nil) }
}
