import SKANBase

extension PostbackField {
  /// What a value of this field should be, when it is something else; nil when it is in order.
  func expected(insteadOf content: JSONNode.Content) -> String? { isInOrder(content) ? nil : form }

  private var form: String {
    switch self {
    case .version: "one of \(AdVersion.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
    case .adNetworkID: "an ad network id such as \"com.example\""
    case .sourceIdentifier: "a string of two to four digits"
    case .campaignID: "a whole number from 1 to 100"
    case .appID, .sourceAppID: "a whole number from 0 to \(Int64.max)"
    case .transactionID: "a UUID such as \"c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11\""
    case .redownload, .didWin: "true or false"
    case .sourceDomain: "a domain such as \"example.com\""
    case .fidelityType: "a whole number from 0 to 1"
    case .sequenceIndex: "a whole number from 0 to 2"
    case .conversionValue: "a whole number from 0 to 63"
    case .coarseConversionValue: "one of \(CoarseValue.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
    case .countryCode: "two letters such as \"US\""
    case .signature: "base64"
    }
  }

  private func isInOrder(_ content: JSONNode.Content) -> Bool {
    switch (self, content) {
    case (.version, .string(let text)): AdVersion(rawValue: text) != nil
    case (.adNetworkID, .string(let text)): text.isPlain
    case (.sourceDomain, .string(let text)): text.isPlain && text.contains(".")
    case (.sourceIdentifier, .string(let text)): 2...4 ~= text.utf8.count && text.utf8.allSatisfy(\.isASCIIDigit)
    case (.transactionID, .string(let text)): text.isUUID
    case (.campaignID, .integer(let number)): 1...100 ~= number
    case (.appID, .integer(let number)), (.sourceAppID, .integer(let number)): number >= 0
    case (.fidelityType, .integer(let number)): 0...1 ~= number
    case (.sequenceIndex, .integer(let number)): 0...2 ~= number
    case (.conversionValue, .integer(let number)): 0...63 ~= number
    case (.redownload, .bool), (.didWin, .bool): true
    case (.coarseConversionValue, .string(let text)): CoarseValue(rawValue: text) != nil
    case (.countryCode, .string(let text)):
      text.utf8.count == 2 && text.utf8.allSatisfy(\.isASCIICapital)
    case (.signature, .string(let text)): text.isBase64
    default: false
    }
  }
}

extension String {
  /// Something, and in it neither blanks nor controls nor what cannot be seen.
  fileprivate var isPlain: Bool { !isEmpty && unicodeScalars.allSatisfy(\.isPlain) }

  fileprivate var isBase64: Bool {
    guard !isEmpty, utf8.count % 4 == 0 else { return false }
    let padding = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return padding <= 2 && utf8.dropLast(padding).allSatisfy(\.isBase64Digit)
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: false
    default: true
    }
  }
}

extension UInt8 {
  fileprivate var isBase64Digit: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
  }
}
