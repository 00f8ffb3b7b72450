/// Something odd about a received postback, reported beside the verdict on its signature; see the article "Postbacks".
package struct PostbackFinding: Sendable, Equatable {
  package let code: Code
  package let message: String
  /// Byte offsets in the text that was read.
  package let range: Range<Int>

  package enum Code: String, CaseIterable, Sendable {
    // What stands there.
    case addedKeys = "added-keys"
    case mistypedKey = "mistyped-key"
    case otherVersion = "field-of-another-version"
    case nullField = "null-field"
    case fieldMissing = "field-missing"
    case fieldForm = "field-form"
    case sourceFilledIn = "source-filled-in"
    // What Apple's tables rule out.
    case bothSources = "both-sources"
    case bothValues = "both-values"
    case notInLaterPostback = "not-in-later-postback"
    case notOfNonWinner = "not-of-non-winner"
    case domainOfView = "domain-of-view-through"
    case notBesideCoarse = "digits-beside-coarse-value"
    // What came before.
    case transactionConflict = "transaction-conflict"
    // What the map of campaigns lacks.
    case campaignUnknown = "campaign-unknown"
    case campaignAmbiguous = "campaign-ambiguous"
  }

  package init(_ code: Code, _ message: String, at range: Range<Int>) {
    self.code = code
    self.message = message
    self.range = range
  }
}
