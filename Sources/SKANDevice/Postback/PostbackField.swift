import SKANBase

/// The fields of an install-validation postback, by their names in its JSON; see the article "Postbacks".
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
  /// The fields that are signed, in the order in which their values are joined.
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

  /// The fields that can be altered on the way.
  package var unsignedFields: [PostbackField] {
    hasWindows ? [.conversionValue, .coarseConversionValue, .countryCode] : [.conversionValue]
  }

  /// Every field that a postback of this version may have.
  package var fields: [PostbackField] { signedFields + unsignedFields + [.signature] }

  /// The fields that may be missing: which of them are there depends on tier, winner and app.
  package var optionalFields: [PostbackField] { [.sourceAppID, .sourceDomain] + unsignedFields }
}
