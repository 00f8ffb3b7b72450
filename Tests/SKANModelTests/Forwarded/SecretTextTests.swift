import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
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

  /// Each byte escaped that is neither a letter nor a digit.
  private static func escaped(_ text: String, _ prefix: String, upper: Bool) -> String {
    text.utf8.map { byte in
      if byte.isASCIILetterOrDigit { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: upper)
      return "\(prefix)\(digits.count == 1 ? "0" : "")\(digits)"
    }.joined()
  }

  @Test("Each spelling is found behind up to three escapes of any kind, and not behind four")
  func escapes() {
    var layers: [[(prefix: String, upper: Bool)]] = [[]]
    let kinds = [("%", true), ("%", false), ("\\u00", false)]
    for depth in 1...4 {
      layers = layers.flatMap { outer in (depth == 4 ? [("%", true)] : kinds).map { outer + [$0] } }
      for escapes in layers {
        for plain in ["a=KEY&n=x", #"{"sdk_key": "KEY","b":1}"#, "x;a[]=KEY z", "{a:KEY}", "{'a' : 'KEY'}"] {
          let text = escapes.reduce(plain) { Self.escaped($0, $1.prefix, upper: $1.upper) }
          #expect(SecretParameter.values(inText: text) == (depth > 3 ? [] : ["KEY"]), "\(text)")
          let shown = depth > 3 ? text : plain.replacing("KEY", with: SecretParameter.mark)
          #expect(SecretParameter.redacted(text: text) == shown)
          #expect(SecretParameter.redacted(utf8: Array(text.utf8)) == (depth > 3 ? nil : shown))
        }
      }
    }
  }

  @Test("Each name, sign, quotation mark and end: the value alone is replaced")
  func spellings() {
    func check(_ before: String, _ value: String, _ after: String, _ shown: String = SecretParameter.mark) {
      let text = before + value + after
      #expect(SecretParameter.redacted(text: text) == before + shown + after, "\(text)")
    }
    for before in ["", "x", "{", "[1, ", "x;", "b=1&", "é/"] {
      for name in ["a", "A", "sdk-key", "a[]", "API_KEY"] {
        if before != "x" {
          for after in ["", "&b=1", " b", "\tb", "\nb", "\r\n", "'", "\""] {
            check("\(before)\(name)=", "KEY", after)
            check("\(before)\(name)=", "K,E}Y]", after)
          }
        }
        for quote in ["\"", "'"] {
          for (blank, further) in [("", ""), (" ", "\n"), ("\t", " \n\t")] {
            let start = "\(before)\(quote)\(name)\(quote)\(blank):\(further)"
            for after in ["", ",\"b\":1", "}", "]", " ", "\n", "&c"] {
              check(start + quote, "K, E=}Y", quote + after)
              check(start, "KEY", after)
              check(start, "[\"K\",{\"b\":[\"EY\"]}]", after)
              check(start, "{\"b\":[1,{}]}", after)
            }
            check(start + "\\" + quote, "KE'Y".replacing("'", with: quote == "'" ? "-" : "'"), "\\" + quote + ",")
          }
        }
      }
    }
    // A colon without quotation marks belongs to a sentence, except behind a brace or a comma.
    for before in ["{", ","] { check("\(before)a:", "KEY", ",b:1") }
    // A bracket behind a backslash is no bracket of JSON.
    for (bracket, end) in [("{", "}"), ("[", "]")] { check("\"a\":", "\\\(bracket)KEY", end) }
    for text in ["a:KEY", " a:KEY", "[a:KEY", "xa=KEY", "ab=KEY", "\"a\"=", "\"b\":\"KEY\"", #"{"\u0161":"KEY"}"#] {
      #expect(SecretParameter.redacted(text: text) == text && SecretParameter.values(inText: text) == [])
    }
  }

  @Test("A name is a secret in any case, with any signs, behind a separator, and with no other letter")
  func names() {
    let names = [
      "a", "purchasereceipt", "receiptsignature", "installreceipt", "attributiontoken", "apnstoken", "fcm", "prc",
      "secret",
      "key", "sdk", "sdkkey", "apikey", "token", "password", "authorization",
    ]
    for name in names {
      for spelling in [
        name, name.uppercased(), "_1\(name)-", "x;\(name)", "x?/\(name)", "\(name)?", "ä;\(name)", "é\(name)",
      ] {
        #expect(SecretParameter.isSecret(spelling), "\(spelling)")
      }
      for spelling in [
        "x\(name)", "\(name)x", "\(name);x", "\(name)/ä", "ä\(name)x", String(repeating: "x", count: 17),
      ] {
        #expect(!SecretParameter.isSecret(spelling), "\(spelling)")
      }
    }
    // In small letters the sign of the kelvin is a k.
    #expect(SecretParameter.isSecret("\u{212A}ey") && !SecretParameter.isSecret("") && !SecretParameter.isSecret(";"))
  }

  @Test("A text that is nothing but beginnings of secrets takes no time to speak of")
  func hostile() {
    for part in ["a=", "a:", "\"a\":", "{\"a\":", "%61=", "%2561%3D", "\\\"", "a=\"", "[", "\"a\":["] {
      #expect(!SecretParameter.redacted(text: String(repeating: part, count: 20_000)).isEmpty)
    }
  }

  @Test("In a JSON value each member of a secret's name is marked, and each text is read") func jsonValue() throws {
    let text =
      #"{"x":[{"a":["KEY"]},"a=KEY",{"y":{"API-Key":7}}],"z":[1,2.5,true,null,18446744073709551615],"{\"a\":\"KEY\"}":1}"#
    let redacted =
      #"{"x":[{"a":"REDACTED"},"a=REDACTED",{"y":{"API-Key":"REDACTED"}}],"z":[1,2.5,true,null,18446744073709551615],"{\"a\":\"REDACTED\"}":1}"#
    #expect(
      SecretParameter.redacted(json: try JSONReader.read(Array(text.utf8)).value)
        == (try JSONReader.read(Array(redacted.utf8)).value))
  }
}
