import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
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

  /// Whether each character may stand as it is, and how it is escaped else.
  private static func encoded(_ text: String, _ generator: inout SplitMix64) -> String {
    let isUpper = Bool.random(using: &generator)
    return text.utf8.map { byte in
      if byte == UInt8(ascii: " "), Bool.random(using: &generator) { return "+" }
      let isPlain = byte.isASCIILetterOrDigit || "_-/".utf8.contains(byte)
      if isPlain, Int.random(in: 0..<8, using: &generator) > 0 { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: isUpper)
      return "%\(digits.count == 1 ? "0" : "")\(digits)"
    }.joined()
  }

  @Test func `Of any query and form: the items, the last value of each name, and the object of a journal`() throws {
    let names = [
      "n", "i", "a", "v", "p0_coarse", "idfv", "custom_user_id", "utime", "zz", "Z", "ä b", "x-/", "", "sdk_key",
    ]
    let values = ["", "1", "a b", "k=v", "t:u", "\"q\"", "\\", "ä", "\u{1F}", "\u{7F}", "x&y%", #"{"a":"K"}"#, "a=K"]
    var generator = SplitMix64(seed: 3)
    for _ in Rounds.of(150) {
      let items = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        let name = names.randomElement(using: &generator) ?? ""
        let value = Bool.random(using: &generator) || name.isEmpty ? values.randomElement(using: &generator) : nil
        return SentParameters.Item(
          name: name, raw: value.map { Self.encoded($0, &generator) }, value: value)
      }
      let texts = items.map { "\(Self.encoded($0.name, &generator))\($0.raw.map { "=\($0)" } ?? "")" }
      let cut = Int.random(in: 0...texts.count, using: &generator)
      let separators = ["&", "&&"]
      let (query, form) = (
        texts[..<cut].joined(separator: separators.randomElement(using: &generator) ?? "&"),
        texts[cut...].joined(separator: separators.randomElement(using: &generator) ?? "&")
      )
      let sent = try #require(SentParameters(query: query, form: Array(form.utf8)))
      #expect(sent.items == items, "\(query) \(form)")
      var expected: [(key: String, value: JSON)] = []
      for name in names {
        let last = items.last { $0.name == name && $0.value != nil }
        #expect(sent[name] == last?.value && sent.raw(name) == last?.raw, "\(name) in \(query) \(form)")
        guard let value = last?.value else { continue }
        let isSecret = ["a", "sdk_key"].contains(name)
        expected.append((name, .string(isSecret ? SecretParameter.mark : SecretParameter.redacted(text: value))))
      }
      expected.sort { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      var writer = JSONWriter()
      sent.writeRedacted(to: &writer)
      guard case .object(let written) = try JSONReader.read(writer.bytes).value else {
        Issue.record("no object")
        continue
      }
      #expect(written.map(\.key) == expected.map(\.key) && JSON.object(written) == .object(expected))
      let last = items.reduce(into: [String: String]()) { $0[$1.name] = $1.value }
      let complete = expected.filter { key, _ in last[key] != nil }
      guard case .object(let members) = sent.redactedJSON else {
        Issue.record("no object")
        continue
      }
      #expect(JSON.object(members.filter { $0.value != .null }) == .object(complete))
      #expect(members.map(\.key) == Set(items.map(\.name)).sorted { $0.literallyPrecedes($1) })
    }
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
