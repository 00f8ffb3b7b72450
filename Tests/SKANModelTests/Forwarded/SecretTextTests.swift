import SKANBase
import Testing

@testable import SKANModel

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
