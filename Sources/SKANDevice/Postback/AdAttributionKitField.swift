import SKANBase

/// The members of an AdAttributionKit postback, by their JSON names: the claims of its JWS, which are signed, and the
/// members beside the JWS, which are not. See the article "Fields of postbacks".
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
  package static let signed = allCases.filter(\.row.isSigned)

  /// The members beside the JWS, which can be altered in transit.
  package static let unsigned = allCases.filter { !$0.row.isSigned }

  package var isSigned: Bool { row.isSigned }

  /// The facts about the member.
  package var row: PostbackFieldRow {
    switch self {
    case .postbackIdentifier:
      PostbackFieldRow(.uuid(example: "85546EB7-FD39-44BC-8990-C98A4AC36A49"), Self.parameters)
    case .adNetworkIdentifier: PostbackFieldRow(.network(example: "example.adattributionkit"), Self.impressions)
    case .sourceIdentifier: PostbackFieldRow(.identifier, Self.windows)
    case .advertisedItemIdentifier: PostbackFieldRow(.number(0 ... .max), Self.parameters)
    case .publisherItemIdentifier:
      PostbackFieldRow(.number(0 ... .max), isOptional: true, only: [.first, .winner, .highestTier], Self.windows)
    case .marketplaceIdentifier:
      PostbackFieldRow(.bundle(example: "com.apple.AppStore"), isOptional: true, Self.parameters)
    case .impressionType: PostbackFieldRow(.choice(Self.impressionTypes), Self.parameters)
    case .conversionType: PostbackFieldRow(.choice(Self.conversionTypes), Self.parameters)
    case .didWin: PostbackFieldRow(.boolean, Self.parameters)
    case .sequenceIndex: PostbackFieldRow(.number(0...2), Self.parameters)
    case .interactionType: PostbackFieldRow(.choice(Self.interactionTypes), signedSince: nil, Self.parameters)
    case .conversionValue:
      PostbackFieldRow(.number(0...63), signedSince: nil, isOptional: true, only: [.first, .winner], Self.windows)
    case .coarseConversionValue:
      PostbackFieldRow(
        .choice(PostbackField.coarseNames), signedSince: nil, isOptional: true, only: .winner, Self.windows)
    case .countryCode:
      PostbackFieldRow(
        .country, signedSince: nil, isOptional: true, only: [.first, .winner, .highestTier], Self.windows)
    }
  }

  private static let impressionTypes = ["app-impression"]
  private static let conversionTypes = AdAttribution.ConversionType.allCases.map(\.rawValue)
  private static let interactionTypes = ["click", "view"]
  private static let parameters = "Identifying the parameters in a postback"
  private static let impressions = "Generating JWS impressions"
  private static let windows = "Receiving postbacks in multiple conversion windows"
}

extension AdAttributionKitField: PostbackFieldName {
  static var identifier: Self { .sourceIdentifier }
  static var won: Self { .didWin }
  static var index: Self { .sequenceIndex }
  static var fine: Self { .conversionValue }
  static var coarse: Self { .coarseConversionValue }
}

/// The names of Apple's keys of AdAttributionKit, by which the header of a JWS names its signer (`kid`).
package enum AppleKeyID: String, CaseIterable, Sendable {
  case production = "apple-cas-identifier/0"
  /// Signs development impressions in Developer Mode, end to end.
  case developmentImpressions = "apple-development-identifier/0"
  /// Signs the postbacks of the tool Development Postbacks in a phone's settings.
  case developmentTool = "apple-development-identifier/1"

  /// The ad network of all postbacks of the tool (Apple, "Creating postbacks in developer settings").
  package static let networkOfTool = "development.adattributionkit"
}
