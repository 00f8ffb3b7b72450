import SKANBase
import SKANDevice
import SKANSigning

/// The framework of Apple's that sent a postback, by its name in columns and keys.
package enum PostbackProtocol: String, CaseIterable, Sendable, JSONWritable {
  case skAdNetwork = "skan"
  case adAttributionKit = "aak"
}

/// What a received postback says of its install, by whichever framework; nothing vouches for it.
package struct PostbackFacts: Sendable {
  package let framework: PostbackProtocol
  /// The version whose windows and delays apply. AdAttributionKit has no versions, and those of SKAdNetwork 4.
  let timing: AdVersion
  /// Empty for AdAttributionKit.
  let version: String
  let network: String?
  /// The campaign ID of versions up to 3, otherwise the source identifier.
  let campaign: String?
  /// The App Store ID of the advertised app.
  package let app: String?
  /// The index of the window; nil for versions up to 3.
  let index: String?
  let fineValue: String?
  let coarseValue: String?
  /// The country of the install, which no signature covers.
  let country: String?
  /// Versions before 3.0 have winners only.
  let hasWon: Bool
  let isRedownload: Bool
  /// Nil for SKAdNetwork, which has none.
  package let conversionType: String?

  /// Nil for a document that is not a postback of a known version.
  package init?(_ document: PostbackDocument) {
    if let postback = document.adAttributionKit {
      self.init(postback)
    } else if let postback = document.postback {
      self.init(postback)
    } else {
      return nil
    }
  }

  init(_ postback: ReceivedPostback) {
    let text = { (field: PostbackField) in postback.text(of: field) }
    let hasWindows = postback.version.hasWindows
    (framework, timing, version) = (.skAdNetwork, postback.version.timing, postback.version.rawValue)
    network = text(.adNetworkID)
    campaign = text(hasWindows ? .sourceIdentifier : .campaignID)
    app = text(.appID)
    index = hasWindows ? text(.sequenceIndex) : nil
    (fineValue, coarseValue) = (text(.conversionValue), text(.coarseConversionValue))
    country = text(.countryCode)
    hasWon = text(.didWin) != "false"
    isRedownload = text(.redownload) == "true"
    conversionType = nil
  }

  private init(_ postback: AdAttributionKitPostback) {
    let text = { (field: AdAttributionKitField) in postback.text(of: field) }
    (framework, timing, version) = (.adAttributionKit, .v4, "")
    network = text(.adNetworkIdentifier)
    campaign = text(.sourceIdentifier)
    app = text(.advertisedItemIdentifier)
    index = text(.sequenceIndex)
    (fineValue, coarseValue) = (text(.conversionValue), text(.coarseConversionValue))
    country = text(.countryCode)
    hasWon = text(.didWin) != "false"
    isRedownload = postback.conversionType == .redownload
    conversionType = text(.conversionType)
  }

  /// The window; nil for an index that no postback has.
  var window: ConversionWindow? { timing.hasWindows ? index.flatMap(Int.init).flatMap(ConversionWindow.init) : .p0 }
}
