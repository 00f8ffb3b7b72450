import Foundation
import SKANHTTP
import SKANBase
import Testing

@testable import SKANCommand

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

  /// What the wire may make of a key.
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
        // What is left is what stood beside the key.
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

  @Test("A text that is nothing but escapes takes no time to speak of")
  func hostile() {
    let redactor = Redactor(key: "%25%25%25%25\\\\")
    for text in ["%25", "%", "\\", "&#", "\\u", "%5C", "&amp;"] {
      #expect(!redactor.redacted(String(repeating: text, count: 2000)).isEmpty)
    }
  }

  @Test(
    "In no output, report, recording or device file, whatever an endpoint makes of the query",
    arguments: [0, 1, 5, 7, 11, 18, 20, 24, 27])
  func everywhere(index: Int) throws {
    let world = World.registered()
    let spelling = Self.spellings(Self.key)[index]
    let base64 = Data("key=\(spelling)&".utf8).base64EncodedString()
    world.set {
      $0.variables["SKAN_SDK_KEY"] = " \(Self.key)\t\n"
      $0.network = { url, _ in
        #expect(url.contains("?a=Zq7%252Fx/y+z%3Dw%26v%22u&"))
        let reason = JSONWriter.quoted("bad \(spelling) \(base64) \(url)")
        return .success(
          HTTPExchange(
            HTTPResponse(
              status: 400, headers: [HTTPField("X-Query", spelling)],
              body: Array(#"{"status":"error","reason":\#(reason),"conversion_value":\#(reason)}"#.utf8)), url: url))
      }
    }
    let line = #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"answer":null}}"# + "\n"
    world["a.jsonl"] = line
    var texts: [String] = []
    for command in [
      "session -v", "session --json", "event x --expect answer.text=x",
      "replay a.jsonl -v --report-junit j.xml --report-tap t.tap --report-json r.json",
      "replay a.jsonl --record r.jsonl",
      "timeline",
    ] {
      let remote = command == "timeline" ? "" : " --endpoint http://h"
      let run = world.run(command + remote)
      texts += [run.out, run.err]
    }
    texts += [Changes.state, "j.xml", "t.tap", "r.json", "r.jsonl"].compactMap { world[$0] }
    #expect(texts.count >= 15)
    let secrets = [
      "Zq7", "q7%25", "y+z", "w&v", String(spelling.dropFirst(2).prefix(9)), String(base64.dropFirst(8).prefix(8)),
    ]
    for text in texts {
      for secret in secrets { #expect(!text.contains(secret), "\(secret): \(text)") }
    }
  }
}
