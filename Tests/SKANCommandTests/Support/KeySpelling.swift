import Foundation
import SKANBase
import TestSupport
import Testing

/// A way in which an endpoint may write the SDK key that it was asked with: step by step, the last text is what it sends.
struct KeySpelling: Sendable, CustomTestStringConvertible {
  let name: String
  /// From the key itself on.
  let steps: [String]
  /// What must be nowhere: every part of a step that says seven characters of the key.
  private let secrets: [[UInt8]]

  init(_ name: String, of key: String, _ spell: ((String) -> String)...) {
    self.name = name
    steps = spell.reduce(into: [key]) { $0.append($1($0[$0.count - 1])) }
    let count = key.count
    let parts = steps.reduce(into: Set<String>()) { parts, step in
      let characters = Array(step.unicodeScalars)
      let length = (characters.count * 7 + count - 1) / count
      for start in 0...(characters.count - length) {
        parts.insert(String(String.UnicodeScalarView(characters[start..<start + length])))
      }
    }
    secrets = parts.map { Array($0.utf8) }
  }

  var text: String { steps[steps.count - 1] }

  var testDescription: String { name }

  /// What of the key stands in a text, as it is and with the escapes undone that an output makes; nil when nothing does.
  func leak(in text: String) -> String? {
    let views =
      [
        text, Self.replacing([("\\\"", "\""), ("\\/", "/"), ("\\\\", "\\")], in: text),
        Self.replacing([("&quot;", "\""), ("&lt;", "<"), ("&amp;", "&")], in: text),
      ] + (text.holds([0x0A]) ? [text.replacingOccurrences(of: "\n", with: "")] : [])
    let secret = secrets.first { secret in views.contains { $0.holds(secret) } }
    return secret.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func replacing(_ pairs: [(String, String)], in text: String) -> String {
    // The first letter of each is that of an escape.
    text.holds(Array(pairs[0].0.utf8.prefix(1)))
      ? pairs.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) } : text
  }

  /// Of a key of letters, digits and marks that have an escape everywhere: what the manual promises to recognise.
  static let all: [KeySpelling] = {
    let key = #"Zq7/kX9+3mP&wV2"tLs=Yd5"#
    return [
      KeySpelling("plain", of: key), KeySpelling("percent", of: key, url),
      KeySpelling("percent, small letters", of: key, { bytes($0) { "%\(hex($0))" } }),
      KeySpelling("percent, capitals", of: key, { bytes($0) { "%\(hex($0).uppercased())" } }),
      KeySpelling("percent, of any letter", of: key, { every(3, $0) { "%\(hex($0.utf8.first ?? 0))" } }),
      KeySpelling("percent twice", of: key, url, url), KeySpelling("percent three times", of: key, url, url, url),
      KeySpelling("a space for a plus", of: key, { $0.replacing("+", with: " ") }),
      KeySpelling("HTML, names", of: key, html),
      KeySpelling("HTML, decimal", of: key, { every(1, $0) { "&#\($0.unicodeScalars.first?.value ?? 0);" } }),
      KeySpelling("HTML, hexadecimal", of: key, { every(1, $0) { "&#x\(hex($0.utf8.first ?? 0));" } }),
      KeySpelling("HTML twice", of: key, html, html),
      KeySpelling("JSON", of: key, json), KeySpelling("JSON twice", of: key, json, json),
      KeySpelling("JSON, small letters", of: key, { every(1, $0) { "\\u00\(hex($0.utf8.first ?? 0))" } }),
      KeySpelling("JSON, capitals", of: key, { every(1, $0) { "\\u00\(hex($0.utf8.first ?? 0).uppercased())" } }),
      KeySpelling("JSON of percent", of: key, url, json), KeySpelling("percent of JSON", of: key, json, url),
      KeySpelling("base64", of: key, { base64($0) }),
      KeySpelling("base64, one character before", of: key, { base64("?\($0)?") }),
      KeySpelling("base64, two characters before", of: key, { base64("a=\($0)&") }),
      KeySpelling("base64url", of: key, { base64($0, isForURL: true) }),
      KeySpelling("base64url, one character before", of: key, { base64("?\($0)?", isForURL: true) }),
      KeySpelling("base64url, two characters before", of: key, { base64("a=\($0)&", isForURL: true) }),
      KeySpelling("base64 in lines", of: key, { base64($0) }, { lines($0) }),
      KeySpelling("base64 of percent", of: key, url, { base64($0) }),
      KeySpelling("percent of base64", of: key, { base64($0) }, url),
      KeySpelling("hexadecimal", of: key, { bytes($0, hex) }),
      KeySpelling("hexadecimal, capitals", of: key, { bytes($0) { hex($0).uppercased() } }),
      KeySpelling("hexadecimal of percent", of: key, url, { bytes($0, hex) }),
      KeySpelling("capitals", of: key, { $0.uppercased() }), KeySpelling("small letters", of: key, { $0.lowercased() }),
      KeySpelling("capitals of base64's bytes", of: key, { $0.uppercased() }, { base64($0) }),
      KeySpelling("over lines", of: key, { lines($0) }),
      KeySpelling("over folded lines", of: key, { lines($0, "\r\n ") }),
      KeySpelling("over escaped lines", of: key, { lines($0, "\\n") }),
      KeySpelling("with zero-width spaces", of: key, { every(1, $0) { "\($0)\u{200B}" } }),
      KeySpelling("with escaped zero-width spaces", of: key, { every(1, $0) { "\($0)\\u200b" } }),
      KeySpelling("with soft hyphens", of: key, { every(4, $0) { "\($0)\u{AD}" } }),
      KeySpelling("UTF-16", of: key, { every(1, $0) { "\($0)\0" } }),
      KeySpelling("UTF-16, escaped", of: key, { every(1, $0) { "\\u0000\($0)" } }),
      KeySpelling("UTF-16 in base64", of: key, { every(1, $0) { "\($0)\0" } }, { base64($0) }),
      KeySpelling("without its last three characters", of: key, { String($0.dropLast(3)) }),
      KeySpelling("without its last three characters, in base64", of: key, { String($0.dropLast(3)) }, { base64($0) }),
      KeySpelling("UTF-16 in percent", of: key, { every(1, $0) { "\($0)\0" } }, { bytes($0) { "%\(hex($0))" } }),
    ]
  }()

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func bytes(_ text: String, _ spell: (UInt8) -> String) -> String { text.utf8.map(spell).joined() }

  /// Every letter of that many.
  private static func every(_ step: Int, _ text: String, _ spell: (String) -> String) -> String {
    text.enumerated().map { $0 % step == 0 ? spell(String($1)) : String($1) }.joined()
  }

  private static func url(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  private static func json(_ text: String) -> String {
    String(JSONWriter.quoted(text).dropFirst().dropLast()).replacing("/", with: "\\/")
  }

  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("/", with: "&sol;")
      .replacing("+", with: "&plus;").replacing("=", with: "&equals;")
  }

  private static func base64(_ text: String, isForURL: Bool = false) -> String {
    let text = Data(text.utf8).base64EncodedString()
    return isForURL ? text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") : text
  }

  private static func lines(_ text: String, _ end: String = "\n") -> String {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: 5).map { String(characters[$0..<min($0 + 5, characters.count)]) }
      .joined(separator: end)
  }
}
