import Foundation
import SKANJSON
import SKANText

/// A postback of AdAttributionKit, Apple's successor of SKAdNetwork: a JWS in JSON or alone. It is recognised and named;
/// its signature is not checked.
struct AdAttributionKitPostback {
  private let header: JSON
  private let payload: JSON

  init?(_ node: JSONNode) {
    let text: String
    switch (node.content, node.member("jws-string")?.content) {
    case (.string(let alone), _) where Self.isJWS(alone.utf8): text = alone
    case (.object, .string(let member)?): text = member
    default: return nil
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(Self.json)
    header = parts.first ?? .null
    payload = parts.dropFirst().first ?? .null
  }

  /// Three parts in base64url, of which the first begins as an object does.
  static func isJWS(_ text: some Collection<UInt8>) -> Bool {
    guard text.starts(with: "eyJ".utf8) else { return false }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isBase64URLDigit) }
  }

  private static func json(_ part: Substring) -> JSON {
    let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding) else { return .null }
    return (try? JSONReader.read(Array(data)).value) ?? .null
  }

  /// What it says that it is, to begin a sentence.
  var name: String {
    let parts: [(words: String, value: JSON?)] = [
      (" of ", payload["ad-network-identifier"]), (", identifier ", payload["postback-identifier"]),
      (", key ", header["kid"]),
    ]
    return parts.reduce("AdAttributionKit postback") { name, part in
      if case .string(let text)? = part.value { name + part.words + text } else { name }
    }
  }
}

extension UInt8 {
  fileprivate var isBase64URLDigit: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
