import SKANDevice
import SKANBase

/// The parameters whose values are for Singular alone: the SDK key, and what proves a purchase, an install or a device.
package enum SecretParameter {
  /// What stands for a value.
  package static let mark = ConversionRequest.redactedKey

  private static let texts = [
    "a", "purchasereceipt", "receiptsignature", "installreceipt", "attributiontoken", "apnstoken", "fcm", "prc",
    "secret", "key", "sdk", "sdkkey", "apikey", "token", "password", "authorization",
  ]
  private static let names = NameIndex(texts)
  private static let mostLetters = texts.map(\.utf8.count).max() ?? 0

  /// Whether a parameter of this name holds a secret, or is likely to: `a`, but also `A`, `a[]`, `sdk_key`, `x;a`.
  package static func isSecret(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { unsafe isSecret($0) }
  }

  /// Whether a parameter of this name, in UTF-8, holds a secret.
  static func isSecret(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: mostLetters) { letters in
      var count = 0
      var isAtEnd = false
      for index in name.indices {
        let byte = unsafe name[index]
        if byte >= 0x80 { return isSecret(lettersOf: unsafe String(decoding: name, as: UTF8.self)) }
        if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "/") {
          isAtEnd = true
          continue
        }
        if isAtEnd { (count, isAtEnd) = (0, false) }
        if !byte.isASCIILetter { continue }
        if count < mostLetters { unsafe letters.initializeElement(at: count, to: byte | 0x20) }
        count += 1
      }
      return unsafe count <= mostLetters
        && names.index(of: UnsafeBufferPointer(rebasing: letters[..<count])) != nil
    }
  }

  /// Whether a name with characters beyond ASCII is one of a secret: in lower case such a character can be an ASCII letter.
  private static func isSecret(lettersOf name: String) -> Bool {
    let last = name.split { ";?/".contains($0) }.last ?? ""
    var letters = last.lowercased().filter { $0.isASCII && $0.isLetter }
    return letters.withUTF8 { unsafe names.index(of: $0) } != nil
  }

  /// A query or a form with a mark for each secret, those within a value, too; everything else stays as it was written.
  package static func redacted(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "=") else { return redacted(part: item) }
      let value = item[equals...].dropFirst()
      if !value.isEmpty, isSecret(decoded(item[..<equals])) { return "\(item[...equals])\(mark)" }
      return "\(redacted(part: item[..<equals]))=\(redacted(part: value))"
    }.joined(separator: "&")
  }

  /// A name or a value of a query, encoded again where something was taken out.
  private static func redacted(part: Substring) -> String {
    let text = decoded(part)
    let redacted = redacted(text: text)
    return redacted == text ? String(part) : [QueryItem(redacted, nil)].strictlyEncoded
  }

  /// A JSON value with a mark for each secret, those within its texts, too.
  package static func redacted(json value: JSON) -> JSON {
    switch value {
    case .null, .bool, .integer, .unsigned, .double: value
    case .string(let text): .string(redacted(text: text))
    case .array(let items): .array(items.map { redacted(json: $0) })
    case .object(let members):
      .object(members.map { (redacted(text: $0.key), isSecret($0.key) ? .string(mark) : redacted(json: $0.value)) })
    }
  }

  /// The values of secrets in a query or a form, decoded where that can be done.
  package static func values(in query: String) -> [String] {
    query.split(separator: "&").flatMap { text -> [String] in
      guard let item = SentParameters(String(text))?.items.first else {
        return isSecret(String(text.prefix { $0 != "=" }))
          ? [text.drop { $0 != "=" }.dropFirst().description] : values(inText: String(text))
      }
      return isSecret(item.name)
        ? item.value.map { [$0] } ?? [] : values(inText: item.name) + values(inText: item.value ?? "")
    }.filter { !$0.isEmpty && $0 != mark }
  }

  private static func decoded(_ name: Substring) -> String {
    SentParameters(String(name))?.items.first?.name ?? String(name)
  }
}
