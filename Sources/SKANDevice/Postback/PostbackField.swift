import SKANBase

/// The fields of an install-validation postback, with their names in its JSON; see the article "Postbacks".
package enum PostbackField: String, CaseIterable, Sendable {
  case version
  case adNetworkID = "ad-network-id"
  case sourceIdentifier = "source-identifier"
  case campaignID = "campaign-id"
  case appID = "app-id"
  case transactionID = "transaction-id"
  case redownload
  case sourceAppID = "source-app-id"
  case sourceDomain = "source-domain"
  case fidelityType = "fidelity-type"
  case didWin = "did-win"
  case sequenceIndex = "postback-sequence-index"
  case conversionValue = "conversion-value"
  case coarseConversionValue = "coarse-conversion-value"
  case countryCode = "country-code"
  case signature = "attribution-signature"

  var key: JSONKey { JSONKey(rawValue) }
}

extension AdVersion {
  /// The signed fields, in the order in which their values are joined.
  package var signedFields: [PostbackField] {
    switch self {
    case .v4:
      [
        .version, .adNetworkID, .sourceIdentifier, .appID, .transactionID, .redownload, .sourceAppID, .sourceDomain,
        .fidelityType, .didWin, .sequenceIndex,
      ]
    case .v3: Self.v2_2.signedFields + [.didWin]
    case .v2_2: Self.v2_1.signedFields + [.fidelityType]
    case .v2_1, .v2_0: [.version, .adNetworkID, .campaignID, .appID, .transactionID, .redownload, .sourceAppID]
    }
  }

  /// The fields that are not signed and can be altered in transit.
  package var unsignedFields: [PostbackField] {
    hasWindows ? [.conversionValue, .coarseConversionValue, .countryCode] : [.conversionValue]
  }

  /// All fields that a postback of this version may have.
  package var fields: [PostbackField] { signedFields + unsignedFields + [.signature] }

  /// The fields that may be absent, depending on tier, winner and app.
  package var optionalFields: [PostbackField] { [.sourceAppID, .sourceDomain] + unsignedFields }
}

extension PostbackField {
  /// The expected form of the field if a value does not have it; nil if it does.
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
  /// Whether the text is not empty and contains no blanks, controls or hidden characters.
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

/// The number of an app in the App Store and in postbacks.
package struct AppStoreID: Hashable, Sendable {
  /// The digits, without leading zeros.
  package let text: String

  /// The app of Apple's published examples.
  package static let sample = AppStoreID(digits: "525463029")

  private init(digits: String) { text = digits }

  /// - Returns: nil unless the text is a number, with or without the prefix `id` of App Store addresses.
  package init?(_ text: String) {
    let digits = text.hasPrefix("id") ? text.dropFirst(2) : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    let number = digits.drop { $0 == "0" }
    self.init(digits: number.isEmpty ? "0" : String(number))
  }
}
