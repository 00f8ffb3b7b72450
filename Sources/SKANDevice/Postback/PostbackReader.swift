import SKANJSON

/// The forms of a postback's fields, and what holds of several together.
extension JSONObjectReader {
  mutating func requireFields(of version: AdVersion, _ needsSignature: Bool) {
    for field in version.fields
    where !version.optionalFields.contains(field) && (needsSignature || field != .signature) {
      if node(field.key) == nil {
        complain("a postback of version \(version.rawValue) needs the key \"\(field.rawValue)\"")
      }
    }
  }

  /// A text that could not be taken for two values of the signed text.
  mutating func plainText(_ key: JSONKey, _ expected: String) -> String? {
    read(key, expected) { content in
      guard case .string(let text) = content, !text.isEmpty, text.unicodeScalars.allSatisfy(\.isPlain) else {
        return nil
      }
      return text
    }
  }

  mutating func digits(_ key: JSONKey) -> String? {
    read(key, "a string of two to four digits") { content in
      guard case .string(let text) = content, (2...4).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return text
    }
  }

  mutating func uuid(_ key: JSONKey) -> String? {
    read(key, "a UUID such as \"c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11\"") { content in
      guard case .string(let text) = content, text.utf8.count == 36 else { return nil }
      let isUUID = text.utf8.enumerated().allSatisfy { place, byte in
        [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : byte.isHexDigit
      }
      return isUUID ? text : nil
    }
  }

  mutating func countryCode(_ key: JSONKey) -> String? {
    read(key, "two letters such as \"US\"") { content in
      guard case .string(let text) = content, text.utf8.count == 2,
        text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
      else { return nil }
      return text
    }
  }

  mutating func base64(_ key: JSONKey) -> String? {
    read(key, "base64") { content in
      guard case .string(let text) = content, !text.isEmpty, text.utf8.count % 4 == 0 else { return nil }
      let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      let isBase64 = padding <= 2 && text.utf8.dropLast(padding).allSatisfy(\.isBase64Digit)
      return isBase64 ? text : nil
    }
  }

  /// What Apple's tables rule out together.
  mutating func checkTogether(_ version: AdVersion) {
    func isThere(_ field: PostbackField) -> Bool { version.fields.contains(field) && node(field.key) != nil }
    if isThere(.sourceAppID), isThere(.sourceDomain) {
      complain("a postback has \"source-app-id\" or \"source-domain\", not both", about: "source-domain")
    }
    if isThere(.conversionValue), isThere(.coarseConversionValue) {
      complain(
        "a postback has \"conversion-value\" or \"coarse-conversion-value\", not both",
        about: "coarse-conversion-value")
    }
    let isLater: Bool =
      if case .integer(let index)? = node("postback-sequence-index")?.content, 1...2 ~= index { true } else { false }
    let isNonWinner: Bool = if case .bool(false)? = node("did-win")?.content { true } else { false }
    if version.hasWindows, isLater {
      for field in [PostbackField.conversionValue, .sourceAppID, .sourceDomain] where isThere(field) {
        complain("\"\(field.rawValue)\" is in the first postback only, this has index 1 or 2", about: field.key)
      }
      if case .string(let text)? = node("source-identifier")?.content, 3...4 ~= text.utf8.count {
        complain("the second and third postback have two digits of the source identifier", about: "source-identifier")
      }
    }
    if version.hasNonWinners, isNonWinner {
      let values: [PostbackField] = [.conversionValue, .coarseConversionValue]
      for field in values + (version == .v3 ? [.sourceAppID] : []) where isThere(field) {
        complain("\"\(field.rawValue)\" is not in a postback that did not win", about: field.key)
      }
      if version.hasWindows, isLater {
        complain("an ad that did not win has a first postback only", about: "postback-sequence-index")
      }
    }
  }
}

extension Unicode.Scalar {
  /// Neither blank nor control nor invisible.
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: false
    default: true
    }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  fileprivate var isBase64Digit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
