import Foundation
import SKANBase

/// A postback in another form than Apple's: its keys written otherwise, within another object, or in base64.
///
/// Nothing is read from it, since its sender altered it: the text says what it is, and what Apple's form is.
package struct OtherForm: Sendable {
  /// The form in words, as a sentence without its first capital and its full stop.
  package let text: String
  /// Byte offsets in the text that was read.
  let range: Range<Int>

  private init(_ text: String, at range: Range<Int>) { (self.text, self.range) = (text, range) }

  /// - Returns: nil for anything that is not known as another form of a postback.
  package init?(_ node: JSONNode) {
    switch node.content {
    case .string(let text):
      guard let form = Self.encoded(text.utf8) else { return nil }
      self.init(form, at: node.range)
    case .object(let members):
      let others = members.filter { !$0.value.isNull }
      guard let form = Self.renamed(others) ?? Self.wrapped(others) else { return nil }
      self = form
    default: return nil
    }
  }

  /// Describes a text that is not JSON; nil if it is not the base64 of a postback.
  package static func encoded(_ text: some Collection<UInt8>) -> String? {
    contents(ofBase64: text).map { "this is the base64 of \($0): decode it first, as with base64 -d" }
  }

  /// Keys that differ from Apple's in the case of letters and in hyphens alone.
  private static func renamed(_ members: [JSONMember]) -> OtherForm? {
    let names = Set(members.map(\.key))
    let renamed = members.compactMap { member in
      keys[plain(member.key)].flatMap { $0 == member.key || names.contains($0) ? nil : (member, $0) }
    }
    // A postback of SKAdNetwork can have any key of its sender's beside its own.
    if !names.contains(PostbackField.transactionID.rawValue),
      let (member, key) = renamed.first(where: { $0.1 == AdAttributionKitField.jws })
    {
      return OtherForm(
        "\(JSONWriter.quoted(member.key)) is the JWS of an AdAttributionKit postback, and Apple's key for it is "
          + "\"\(key)\"", at: member.keyRange)
    }
    guard !names.contains(PostbackField.version.rawValue), let first = renamed.first else { return nil }
    let pairs = renamed.prefix(3).map { "\(JSONWriter.quoted($0.0.key)) is \"\($0.1)\"" }
    return OtherForm(
      "the keys of the postback are not written as Apple's: \(pairs.joined(separator: ", "))"
        + (renamed.count > 3 ? ", …" : ""), at: first.0.keyRange)
  }

  /// A postback within an object that has no key of Apple's itself.
  private static func wrapped(_ members: [JSONMember]) -> OtherForm? {
    if members.contains(where: { keys[plain($0.key)] != nil }) { return nil }
    for member in members {
      let name = JSONWriter.quoted(member.key)
      switch member.value.content {
      case .object(let inner) where inner.contains { keys[plain($0.key)] != nil }:
        return OtherForm("the postback is within \(name): pass on its object alone", at: member.keyRange)
      case .array(let items) where items.contains { item in keys.values.contains { item.member($0) != nil } }:
        return OtherForm("the postbacks are within \(name): pass on that list alone", at: member.keyRange)
      case .string(let text) where AdAttributionKitPostback.looksLikeJWS(text.utf8):
        return OtherForm(
          "\(name) is a JWS, and Apple's key for it is \"\(AdAttributionKitField.jws)\"", at: member.keyRange)
      case .string(let text):
        if isPostback(text.utf8) {
          return OtherForm("\(name) is a postback as a text: pass on the object in it", at: member.keyRange)
        }
        if let contents = contents(ofBase64: text.utf8) {
          return OtherForm("\(name) is the base64 of \(contents): decode it first", at: member.keyRange)
        }
      default: break
      }
    }
    return nil
  }

  /// Describes what is encoded in a text; nil if it is not the base64 of a postback.
  private static func contents(ofBase64 text: some Collection<UInt8>) -> String? {
    let digits = text.filter { !$0.isLineSpace && $0 != 0x0A && $0 != UInt8(ascii: "=") }.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    guard digits.count >= 16, digits.allSatisfy({ $0.isASCIILetterOrDigit || "+/".utf8.contains($0) }) else {
      return nil
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    guard let data = Data(base64Encoded: Data(digits + padding)) else { return nil }
    if AdAttributionKitPostback.looksLikeJWS(Array(data)) { return "a JWS" }
    return isPostback(Array(data)) ? "a postback" : nil
  }

  /// Whether a text begins as an object and has a key that each postback of its framework has.
  private static func isPostback(_ text: some Collection<UInt8>) -> Bool {
    guard text.first(where: { !$0.isLineSpace && $0 != 0x0A }) == UInt8(ascii: "{") else { return false }
    let whole = String(decoding: text, as: UTF8.self)
    return [AdAttributionKitField.jws, PostbackField.transactionID.rawValue].contains { whole.contains("\"\($0)\"") }
  }

  /// Apple's keys that no other JSON is likely to have, by their letters.
  private static let keys: [String: String] = {
    let known = PostbackField.allCases.filter { $0 != .version && $0 != .redownload }.map(\.rawValue)
    return Dictionary((known + [AdAttributionKitField.jws]).map { (plain($0), $0) }) { first, _ in first }
  }()

  private static func plain(_ key: String) -> String { key.lowercased().filter { $0 != "-" && $0 != "_" } }
}
