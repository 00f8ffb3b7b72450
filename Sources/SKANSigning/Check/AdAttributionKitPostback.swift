import Foundation
import SKANBase

/// A postback of AdAttributionKit, Apple's successor of SKAdNetwork: a JWS, alone or in a JSON object. It is recognised;
/// its signature is not checked.
package struct AdAttributionKitPostback: Sendable {
  private let header: JSON
  private let payload: JSON

  /// Nil when the value is something else.
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

  /// The ad network that it names; nil when it names none, as below.
  package var networkID: String? { payload["ad-network-identifier"]?.text }

  /// Its own identifier.
  package var postbackID: String? { payload["postback-identifier"]?.text }

  /// The key that it names as its signer's.
  package var keyID: String? { header["kid"]?.text }

  /// Three parts in base64url, of which the first begins as an object does: with a brace, and a quote or a blank.
  static func isJWS(_ text: some Collection<UInt8>) -> Bool {
    guard beginnings.contains(where: { text.starts(with: $0.utf8) }) else { return false }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isBase64URLDigit) }
  }

  /// What `{"` becomes with any third byte of ASCII, and a brace with a blank or an end of a line behind it.
  private static let beginnings = [
    "eyI", "eyJ", "eyA", "eyB", "ewo", "ewp", "ewk", "ewl", "ew0", "ew1",
  ]

  private static func json(_ part: Substring) -> JSON {
    let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding) else { return .null }
    return (try? JSONReader.read(Array(data)).value) ?? .null
  }
}

extension UInt8 {
  fileprivate var isBase64URLDigit: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
