import SKANBase

/// The fields of an install-validation postback, with their names in its JSON; see the article "Fields of postbacks".
///
/// The signed fields of each version are joined in the order of the cases.
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

  /// The facts about the field.
  package var row: PostbackFieldRow {
    switch self {
    case .version:
      PostbackFieldRow(.choice(Self.versionNames), in: .v1 ... .v4, signedSince: .v2_0, Self.parameters)
    case .adNetworkID: PostbackFieldRow(.network(example: "com.example"), in: .v1 ... .v4, Self.parameters)
    case .sourceIdentifier: PostbackFieldRow(.identifier, in: .v4 ... .v4, Self.parameters)
    case .campaignID: PostbackFieldRow(.number(1...100), in: .v1 ... .v3, Self.parameters)
    case .appID: PostbackFieldRow(.number(0 ... .max), in: .v1 ... .v4, Self.parameters)
    case .transactionID:
      PostbackFieldRow(.uuid(example: "c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11"), in: .v1 ... .v4, Self.parameters)
    case .redownload: PostbackFieldRow(.boolean, in: .v1 ... .v4, signedSince: .v2_0, Self.parameters)
    // By the table of tiers it is of tier 3, but one of Apple's samples has it beside a coarse value.
    case .sourceAppID:
      PostbackFieldRow(.number(0 ... .max), in: .v2_0 ... .v4, isOptional: true, only: [.first, .winner], Self.windows)
    // A web ad that did not win may name its domain: the setting `non-winner`.
    case .sourceDomain: PostbackFieldRow(.domain, in: .v4 ... .v4, isOptional: true, only: .first, Self.windows)
    case .fidelityType: PostbackFieldRow(.number(0...1), in: .v2_2 ... .v4, Self.parameters)
    case .didWin: PostbackFieldRow(.boolean, in: .v3 ... .v4, Self.parameters)
    case .sequenceIndex: PostbackFieldRow(.number(0...2), in: .v4 ... .v4, Self.parameters)
    case .conversionValue:
      PostbackFieldRow(
        .number(0...63), in: .v2_0 ... .v4, signedSince: nil, isOptional: true, only: [.first, .winner], Self.windows)
    case .coarseConversionValue:
      PostbackFieldRow(
        .choice(Self.coarseNames), in: .v4 ... .v4, signedSince: nil, isOptional: true, only: .winner, Self.windows)
    case .countryCode:
      PostbackFieldRow(
        .country, in: .v4 ... .v4, signedSince: nil, isOptional: true, only: [.first, .winner, .highestTier],
        "\(Self.parameters); *inferred*: the limits are those of AdAttributionKit")
    case .signature: PostbackFieldRow(.base64, in: .v1 ... .v4, signedSince: nil, Self.parameters)
    }
  }

  private static let versionNames = PostbackVersion.allCases.map(\.rawValue)
  static let coarseNames = CoarseValue.allCases.map(\.rawValue)
  private static let parameters = "Identifying the parameters in install-validation postbacks"
  private static let windows = "Receiving postbacks in multiple conversion windows"
}

extension PostbackField: PostbackFieldName {
  static var identifier: Self { .sourceIdentifier }
  static var won: Self { .didWin }
  static var index: Self { .sequenceIndex }
  static var fine: Self { .conversionValue }
  static var coarse: Self { .coarseConversionValue }
}

/// A version of SKAdNetwork's postbacks. An ad that is simulated has one of ``AdVersion``; version 1.0 is received only.
///
/// The cases are ordered from the newest to the oldest.
package enum PostbackVersion: String, CaseIterable, Sendable, Comparable {
  case v4 = "4.0"
  case v3 = "3.0"
  case v2_2 = "2.2"
  case v2_1 = "2.1"
  case v2_0 = "2.0"
  case v1 = "1.0"

  package static func < (left: PostbackVersion, right: PostbackVersion) -> Bool { left.age > right.age }

  private var age: Int {
    switch self {
    case .v4: 0
    case .v3: 1
    case .v2_2: 2
    case .v2_1: 3
    case .v2_0: 4
    case .v1: 5
    }
  }

  /// The version of ads whose windows and delays apply.
  package var timing: AdVersion { AdVersion(rawValue: rawValue) ?? .v2_0 }

  package var hasWindows: Bool { timing.hasWindows }

  /// Whether ads that did not win get a postback too.
  var hasNonWinners: Bool { timing.hasNonWinners }

  /// Whether Apple signed it with its earlier key, on P-192.
  package var hasEarlierKey: Bool { self <= .v2_0 }

  /// The signed fields, in the order in which their values are joined.
  package var signedFields: [PostbackField] { Self.signed[age] }

  /// The fields that are not signed and can be altered in transit.
  package var unsignedFields: [PostbackField] { Self.unsigned[age] }

  /// All fields that a postback of this version may have.
  package var fields: [PostbackField] { signedFields + unsignedFields + [.signature] }

  /// The fields that may be absent, depending on version, tier, winner and app.
  package var optionalFields: [PostbackField] {
    PostbackField.allCases.filter { $0.row.isOptional } + (self == .v1 ? unsignedFields : [])
  }

  private static let signed = allCases.map { version in
    fields(of: version) { row in row.signedSince.map { version >= $0 } ?? false }
  }

  private static let unsigned = allCases.map { version in
    fields(of: version) { row in row.signedSince.map { version < $0 } ?? true }
  }

  private static func fields(
    of version: PostbackVersion, _ isIncluded: (PostbackFieldRow) -> Bool
  ) -> [PostbackField] {
    PostbackField.allCases.filter { field in
      field != .signature && (field.row.versions.map { $0 ~= version } ?? false) && isIncluded(field.row)
    }
  }
}

extension AdVersion {
  /// The version of the ad's postbacks.
  package var postback: PostbackVersion {
    switch self {
    case .v4: .v4
    case .v3: .v3
    case .v2_2: .v2_2
    case .v2_1: .v2_1
    case .v2_0: .v2_0
    }
  }

  /// The signed fields, in the order in which their values are joined.
  package var signedFields: [PostbackField] { postback.signedFields }

  /// All fields that a postback of this version may have.
  package var fields: [PostbackField] { postback.fields }

  /// The fields that may be absent, depending on tier, winner and app.
  package var optionalFields: [PostbackField] { postback.optionalFields }
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
