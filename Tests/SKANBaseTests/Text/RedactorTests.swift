import Foundation
import Testing

@testable import SKANBase

@Suite("Taking the SDK key out")
struct RedactorTests {
  static let key = #"Zq7%2Fx/y+z=w&v"u"#
  /// With a space, a quote, a line's own characters and what is not ASCII.
  static let odd = "k3y é\\😀'<\t>"

  private static func percent(_ text: String, lower: Bool = false, every step: Int = 1) -> String {
    text.utf8.enumerated().map { index, byte in
      guard index % step == 0 || byte >= 0x80 else { return String(Unicode.Scalar(byte)) }
      let hex = String(byte, radix: 16, uppercase: !lower)
      return "%" + (hex.count < 2 ? "0" : "") + hex
    }.joined()
  }

  private static func asURL(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
    text.unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic ? String($0) : escape($0) }.joined()
  }

  private static func json(_ text: String) -> String { String(JSONWriter.quoted(text).dropFirst().dropLast()) }

  private static func unicode(_ text: String) -> String {
    text.utf16.map { "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16) }
      .joined()
  }

  /// The forms that a key can take on the wire.
  static func spellings(_ key: String) -> [String] {
    let url = asURL(key)
    let html = key.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("'", with: "&#39;").replacing("/", with: "&sol;")
    return [
      key, url, percent(key, lower: true), percent(key), percent(key, every: 2), asURL(url), asURL(asURL(url)),
      percent(percent(key), lower: true, every: 3),
      url.replacing("%20", with: "+"), key.replacing("+", with: " "), key.replacing(" ", with: "+"), html, json(html),
      asURL(html), escaped(key) { "&#\($0.value);" }, escaped(key) { "&#x\(String($0.value, radix: 16));" },
      escaped(key) { "&#X\(String($0.value, radix: 16, uppercase: true));" }, json(key), json(json(key)),
      json(key).replacing("/", with: "\\/"), unicode(key), json(unicode(key)), asURL(json(key)), json(url),
      json(json(url)), asURL(unicode(key)), escaped(key) { "\\u{\(String($0.value, radix: 16))}" },
      url.removingPercentEncoding.flatMap(\.removingPercentEncoding) ?? key,
    ]
  }

  @Test("In every spelling that the wire knows", arguments: [key, odd], 0..<28)
  func spelling(key: String, index: Int) {
    let all = Self.spellings(key)
    #expect(all.count == 28)
    let text = "reason: bad key \(all[index]) (400)"
    #expect(Redactor(key: key).redacted(text) == "reason: bad key REDACTED (400)", "\(all[index])")
  }

  @Test(
    "In the escapes of JavaScript, of C and of pages without a semicolon",
    arguments: [
      "k%u00e9y\\b\\f%uD83D", "k\\xe9y\\x08\\x0C%uD83D", "k\\xC3\\xa9y\\b\\f%uD83D", "k&#233y\\b\\f%uD83D",
      "k%U00E9y%08%0c%uD83D",
    ])
  func rareEscapes(spelling: String) {
    let redactor = Redactor(key: "ké" + "y\u{8}\u{C}%uD83D")
    #expect(redactor.redacted("(\(spelling))") == "(REDACTED)")
    #expect(redactor.redacted("(k\\xzzy)") == "(k\\xzzy)")
    #expect(Redactor(key: "a<b&c<d").redacted("[a&ltb&ampc&lt;d]") == "[REDACTED]")
  }

  @Test("In base64 and hexadecimal, wherever it begins", arguments: [key, odd], 0..<6)
  func encoded(key: String, before: Int) {
    for spelling in Self.spellings(key).prefix(8) {
      let bytes = Array(repeating: UInt8(ascii: "?"), count: before) + Array(spelling.utf8) + Array("??????".utf8)
      let base64 = Data(bytes).base64EncodedString()
      let hex = bytes.map { String($0, radix: 16).count < 2 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
        .joined()
      let forms = [
        base64, base64.replacing("+", with: "-").replacing("/", with: "_"), Self.asURL(base64), "abc\(base64)",
        base64.replacing("/", with: "\\/"), hex, hex.uppercased(), "a\(hex)",
      ]
      for form in forms {
        let redacted = Redactor(key: key).redacted("x \(form) y")
        #expect(redacted.hasPrefix("x ") && redacted.hasSuffix(" y"))
        let rest = redacted.dropFirst(2).dropLast(2).split(separator: "REDACTED", omittingEmptySubsequences: false)
        #expect(rest.count == 2, "\(form): \(redacted)")
        // The rest is the text beside the key.
        #expect(rest.reduce(0) { $0 + $1.utf8.count } <= (before + 6) * 3 + 8, "\(form): \(redacted)")
      }
    }
  }

  @Test("In base64 and hexadecimal and nothing around it", arguments: ["secret_k3y12", "secret_k3y1", "secret_k3y"])
  func exact(key: String) {
    let base64 = Data(key.utf8).base64EncodedString().replacing("=", with: "")
    let hex = key.utf8.map { String($0, radix: 16) }.joined()
    let redactor = Redactor(key: key)
    for form in [base64, hex] { #expect(redactor.redacted(" \(form) ") == " REDACTED ") }
    for form in [base64.dropLast(2), hex.dropLast(4)] { #expect(redactor.redacted(" \(form)... ") == " REDACTED... ") }
  }

  @Test("Cut within it", arguments: [6, 7, 8, 9, 12, 15])
  func cut(length: Int) {
    let redactor = Redactor(key: Self.key)
    for (spelling, width) in zip(Self.spellings(Self.key), [1, 2, 3]) {
      let part = String(spelling.prefix(length * width + width - 1))
      #expect(redactor.redacted("Location: /?a=\(part)") == "Location: /?a=REDACTED")
      #expect(redactor.redacted("(/?a=\(part)…)") == "(/?a=REDACTED…)")
      #expect(redactor.redacted("(/?a=\(part)...)") == "(/?a=REDACTED...)")
    }
    let base64 = Data("?a=\(Self.key)".utf8).base64EncodedString()
    #expect(redactor.redacted("x \(base64.prefix(length + 8))").hasSuffix("REDACTED"))
  }

  @Test(
    "Without its last characters, wherever it stands: at most three, and not a quarter of it; never fewer than eight",
    arguments: [("abcdefgh", 8), ("abcdefghij", 8), ("abcdefghijk", 8), ("abcdefghijkl", 9), ("abcdefghijklmnop", 12)])
  func beginning(key: String, least: Int) {
    let redactor = Redactor(key: key)
    for length in least...key.count {
      #expect(redactor.redacted("bad key \(key.prefix(length)) of app") == "bad key REDACTED of app")
      #expect(redactor.redacted("bad key \(key.prefix(length))xyz of app") == "bad key REDACTEDxyz of app")
    }
    let word = "bad key \(key.prefix(least - 1)) of app"
    #expect(redactor.redacted(word) == word)
  }

  @Test("Nothing else", arguments: ["secret_k3y", key, odd, "abcdefgh", "%%%%", "AAAA"])
  func others(key: String) {
    let redactor = Redactor(key: key)
    for text in [
      "", "a", "The key is no word: Zq7 2Fx x/y secret k3y abc", #"{"a":[1,2,"x\u0041\\"]}"#, "100 % & more \\ of it",
      "REDACTED", String(repeating: "%25", count: 1), "abcdefg\n",
    ] { #expect(redactor.redacted(text) == text) }
    #expect(Redactor(key: nil).isEmpty && Redactor(key: "abc").isEmpty)
    #expect(redactor.redacted("\(key)\(key)") == "REDACTEDREDACTED" || key == "%%%%" || key == "AAAA")
  }

  @Test("A document of JSON stays JSON, and keeps its numbers where the program reads it again")
  func documents() {
    let redactor = Redactor(key: "12345678")
    func redacted(_ text: String, keepsNumbers: Bool = false) -> String {
      let bytes = redactor.redacted(document: Array(text.utf8), keepsNumbers: keepsNumbers)
      return String(decoding: bytes, as: UTF8.self)
    }
    let json = #"{"a\"":"x12345678","n":912345678.5,"b":["12345678",12345678]}"#
    #expect(redacted(json) == #"{"a\"":"xREDACTED","n":"REDACTED","b":["REDACTED","REDACTED"]}"#)
    #expect(redacted(json, keepsNumbers: true) == #"{"a\"":"xREDACTED","n":912345678.5,"b":["REDACTED",12345678]}"#)
    let lines = String(repeating: "n=12345678 x\n", count: 20_000)
    #expect(redacted(lines) == lines.replacing("12345678", with: "REDACTED"))
  }

  @Test("A number at the very end is replaced as a whole, and only where one is")
  func ends() {
    let redactor = Redactor(key: "12345678")
    for (text, expected) in [
      (#"{"n":12345678"#, #"{"n":"REDACTED""#), (#"{"n":-1e12345678.5"#, #"{"n":"REDACTED""#),
      (#"{"n":[12345678,12345678]"#, #"{"n":["REDACTED","REDACTED"]"#), (#"{"12345678"#, #"{"REDACTED"#),
      (#"{"a\\":12345678}"#, #"{"a\\":"REDACTED"}"#), (#"{"a":"\"12345678"}"#, #"{"a":"\"REDACTED"}"#),
    ] {
      let bytes = redactor.redacted(document: Array(text.utf8))
      #expect(String(decoding: bytes, as: UTF8.self) == expected, "\(text)")
    }
  }

  @Test("A text that is nothing but escapes takes no time to speak of")
  func hostile() {
    let redactor = Redactor(key: "%25%25%25%25\\\\")
    for text in ["%25", "%", "\\", "&#", "\\u", "%5C", "&amp;"] {
      #expect(!redactor.redacted(String(repeating: text, count: 2000)).isEmpty)
    }
  }
}
