import SKANBase

/// The members of an AdAttributionKit postback, by their JSON names: the claims of its JWS, which are signed, and the
/// members beside the JWS, which are not. See the article "Postbacks".
package enum AdAttributionKitField: String, CaseIterable, Sendable {
  case postbackIdentifier = "postback-identifier"
  case adNetworkIdentifier = "ad-network-identifier"
  case sourceIdentifier = "source-identifier"
  case advertisedItemIdentifier = "advertised-item-identifier"
  case publisherItemIdentifier = "publisher-item-identifier"
  case marketplaceIdentifier = "marketplace-identifier"
  case impressionType = "impression-type"
  case conversionType = "conversion-type"
  case didWin = "did-win"
  case sequenceIndex = "postback-sequence-index"
  case interactionType = "ad-interaction-type"
  case conversionValue = "conversion-value"
  case coarseConversionValue = "coarse-conversion-value"
  case countryCode = "country-code"

  /// The member that contains the JWS.
  package static let jws = "jws-string"

  /// The claims of the JWS.
  package static let signed = allCases.filter(\.isSigned)

  /// The members beside the JWS, which can be altered in transit.
  package static let unsigned = allCases.filter { !$0.isSigned }

  package var isSigned: Bool {
    switch self {
    case .interactionType, .conversionValue, .coarseConversionValue, .countryCode: false
    default: true
    }
  }

  /// Whether Apple's table lists the member as optional.
  package var isOptional: Bool {
    switch self {
    case .publisherItemIdentifier, .marketplaceIdentifier, .conversionValue, .coarseConversionValue, .countryCode: true
    default: false
    }
  }

  /// The expected form of the member's value; nil if the value has it.
  func expected(insteadOf value: JSON) -> String? { isValid(value) ? nil : form }

  private var form: String {
    switch self {
    case .postbackIdentifier: "a UUID such as \"85546EB7-FD39-44BC-8990-C98A4AC36A49\""
    case .adNetworkIdentifier: "an ad network id such as \"example.adattributionkit\""
    case .sourceIdentifier: "a string of two to four digits"
    case .advertisedItemIdentifier, .publisherItemIdentifier: "a whole number from 0 to \(Int64.max)"
    case .marketplaceIdentifier: "a bundle id such as \"com.apple.AppStore\""
    case .impressionType: "\"app-impression\""
    case .conversionType: "one of \"download\", \"redownload\", \"re-engagement\""
    case .didWin: "true or false"
    case .sequenceIndex: "a whole number from 0 to 2"
    case .interactionType: "\"click\" or \"view\""
    case .conversionValue: "a whole number from 0 to 63"
    case .coarseConversionValue: "one of \(CoarseValue.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
    case .countryCode: "two capital letters such as \"US\""
    }
  }

  private func isValid(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.postbackIdentifier, .string(let text)): text.isUUID
    case (.adNetworkIdentifier, .string(let text)), (.marketplaceIdentifier, .string(let text)): !text.isEmpty
    case (.sourceIdentifier, .string(let text)): 2...4 ~= text.utf8.count && text.utf8.allSatisfy(\.isASCIIDigit)
    case (.advertisedItemIdentifier, .integer(let number)), (.publisherItemIdentifier, .integer(let number)):
      number >= 0
    case (.impressionType, .string(let text)): text == "app-impression"
    case (.conversionType, .string(let text)): AdAttributionKitPostback.ConversionType(rawValue: text) != nil
    case (.didWin, .bool): true
    case (.sequenceIndex, .integer(let number)): 0...2 ~= number
    case (.interactionType, .string(let text)): text == "click" || text == "view"
    case (.conversionValue, .integer(let number)): 0...63 ~= number
    case (.coarseConversionValue, .string(let text)): CoarseValue(rawValue: text) != nil
    case (.countryCode, .string(let text)): text.utf8.count == 2 && text.utf8.allSatisfy(\.isASCIICapital)
    default: false
    }
  }
}
