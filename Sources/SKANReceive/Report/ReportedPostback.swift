import SKANDevice
import SKANBase
import SKANSigning

/// What a report counts of a postback: all that it says of its install, but for the time.
struct ReportedPostback: Hashable, Sendable {
  var network = ""
  /// The campaign id of versions up to 3, the source identifier of version 4.
  var campaign = ""
  var app = ""
  var version = ""
  /// Nil for an index that no postback has.
  var window: ConversionWindow? = ConversionWindow.p0
  var isRedownload = false
  /// Versions before 3.0 have winners only.
  var hasWon = true
  var fine: Int?
  var coarse: CoarseValue?
  /// Whether it has a value that is of another form than Apple's.
  var hasOddValue = false
  /// Nil where no model was given for its app.
  var meaning: ReportedMeaning?
  /// Of the campaign that it was enriched with.
  var mappedID = ""
  var mappedName = ""
  /// Empty where the map's rows do not agree on one.
  var country = ""

  var hasValue: Bool { fine != nil || coarse != nil || hasOddValue }

  /// One of the first window that won: an install, or a redownload.
  var isConversion: Bool { window == .p0 && hasWon }

  /// Between which bounds it left after the start of its clock; nil where the version does not tell.
  ///
  /// - Parameter clock: of the phone that sent it.
  func age(by clock: DeviceProfile.ClockPreset) -> PostbackAge? {
    guard let version = AdVersion(rawValue: version), let window else { return nil }
    return PostbackAge(version, window, clock: clock)
  }
}

extension ReportedPostback {
  init(_ document: PostbackDocument, _ record: ReceivedRecord) {
    meaning = record.decoded.map(ReportedMeaning.init)
    mappedID = record.campaign?.id ?? ""
    mappedName = record.campaign?.name ?? ""
    country = record.campaign?.country ?? ""
    guard let postback = document.postback else {
      network = document.adAttributionKit?.networkID ?? ""
      return
    }
    let text = { postback.text(of: $0) ?? "" }
    version = postback.version.rawValue
    network = text(.adNetworkID)
    campaign = postback.version.hasWindows ? text(.sourceIdentifier) : text(.campaignID)
    app = text(.appID)
    if postback.version.hasWindows { window = Int(text(.sequenceIndex)).flatMap(ConversionWindow.init) }
    isRedownload = text(.redownload) == "true"
    hasWon = text(.didWin) != "false"
    let (fineText, coarseText) = (postback.text(of: .conversionValue), postback.text(of: .coarseConversionValue))
    fine = fineText.flatMap { Int($0) }.flatMap { (0...63).contains($0) ? $0 : nil }
    coarse = coarseText.flatMap(CoarseValue.init)
    hasOddValue = fineText != nil && fine == nil || coarseText != nil && coarse == nil
  }
}
