/// An oddity of a received postback, reported in addition to the verdict on its signature; see the article "Postbacks".
package struct PostbackFinding: Sendable, Equatable {
  package let code: Code
  package let message: String
  /// Byte offsets in the text that was read.
  package let range: Range<Int>

  package enum Code: String, CaseIterable, Sendable {
    // The fields themselves.
    case addedKeys = "added-keys"
    case mistypedKey = "mistyped-key"
    case otherVersion = "field-of-another-version"
    case nullField = "null-field"
    case fieldMissing = "field-missing"
    case fieldForm = "field-form"
    case sourceFilledIn = "source-filled-in"
    // Fields that Apple's tables rule out together.
    case bothSources = "both-sources"
    case bothValues = "both-values"
    case notInLaterPostback = "not-in-later-postback"
    case notOfNonWinner = "not-of-non-winner"
    case domainOfView = "domain-of-view-through"
    case notBesideCoarse = "digits-beside-coarse-value"
    case notOfTier1 = "not-of-tier-1"
    // AdAttributionKit alone.
    case unknownClaims = "unknown-claims"
    case notOfReEngagement = "not-of-re-engagement"
    case networkOfOtherKey = "network-of-another-key"
    // Earlier postbacks.
    case transactionConflict = "transaction-conflict"
    // The map of campaigns.
    case campaignUnknown = "campaign-unknown"
    case campaignAmbiguous = "campaign-ambiguous"
    case countryContradicted = "country-contradicted"

    /// Whether Apple's pages rule out what the postback says, whatever its signature.
    package var isContradiction: Bool {
      switch self {
      case .bothSources, .bothValues, .notInLaterPostback, .notOfNonWinner, .domainOfView, .notBesideCoarse,
        .notOfTier1,
        .notOfReEngagement, .networkOfOtherKey:
        true
      case .addedKeys, .mistypedKey, .otherVersion, .nullField, .fieldMissing, .fieldForm, .sourceFilledIn,
        .unknownClaims, .transactionConflict, .campaignUnknown, .campaignAmbiguous, .countryContradicted:
        false
      }
    }
  }

  package init(_ code: Code, _ message: String, at range: Range<Int>) {
    self.code = code
    self.message = message
    self.range = range
  }
}
