import SKANDevice

/// A simulated postback in the drawing.
package struct PostbackBar: Sendable {
  package let name: String
  package let window: ConversionWindow
  package let state: Postback.State
  package let earliest: Instant?
  package let latest: Instant?
  /// The sending time that is drawn.
  package let sendsAt: Instant?
  /// A short text beside the bar.
  package let label: String
  /// The label as a sentence.
  package let sentence: String

  init(_ postback: Postback, _ life: TimelineLife) {
    let network: String?
    switch postback.impression {
    case .own: (name, network) = ("postback \(postback.sequenceIndex + 1)", nil)
    case .lost(let number, let loser): (name, network) = ("lost \(number)", loser.visible)
    case .development(let number): (name, network) = ("dev \(number) P\(postback.sequenceIndex)", nil)
    case .reEngagement(let number): (name, network) = ("re-eng \(number) P\(postback.sequenceIndex)", nil)
    }
    window = postback.window
    state = postback.state
    let leaves = postback.content != nil
    earliest = leaves ? postback.earliest : nil
    latest = leaves ? postback.latest : nil
    sendsAt = leaves ? postback.sendsAt : nil
    let values = postback.content?.valueText ?? "nothing"
    let moment = sendsAt.map { life.elapsed($0) } ?? ""
    let ending =
      switch (postback.state, leaves) {
      case (.sent, true): "sent \(moment)"
      case (.scheduled, true): "leaves \(moment)"
      case (.open, true): "as things stand \(moment)"
      case (.notSent, _): "not sent"
      default: "none as things stand"
      }
    label = [ending, network].compactMap(\.self).joined(separator: ", ")
    var bounds: String?
    if let earliest, let latest {
      bounds = "between \(life.elapsed(earliest)) and \(life.elapsed(latest)), drawn \(moment)"
    }
    let state = postback.state
    let report =
      bounds.map { "\(state.tellsAs) \($0); it says \(values)" }
      ?? "\(postback.state == .open ? "none as things stand" : "not sent"): \(postback.reason.displayText(life))"
    sentence = network.map { "\($0): \(report)" } ?? report
  }
}

extension Postback.State {
  fileprivate var tellsAs: String {
    switch self {
    case .open: "as things stand, leaves"
    case .scheduled: "leaves"
    case .sent: "sent"
    case .notSent: "not sent"
    }
  }
}

extension PostbackContent {
  /// The conversion values that the ad network receives.
  fileprivate var valueText: String {
    let parts = [conversionValue.map { "fine \($0)" }, coarseValue.map { "coarse \($0)" }].compactMap(\.self)
    return parts.isEmpty ? "no conversion value" : parts.joined(separator: ", ")
  }
}

extension Postback.Reason {
  /// Why no postback is sent, shorter than ``Postback/why``.
  fileprivate func displayText(_ life: TimelineLife) -> String {
    switch self {
    case .noCallYet: "no call has reached Apple yet"
    case .windowAhead(let opens): "its window opens at \(life.elapsed(opens))"
    case .windowOpen(let end, _): "no call has counted in its window, open until \(life.elapsed(end))"
    case .timerRuns(let end): "the timer runs until \(life.elapsed(end))"
    case .windowEnded, .windowLocked, .timerEnded: "it has no content"
    case .noUpdate: "no call counted in its window"
    case .neverRegistered: "no call ever reached Apple"
    case .tooLate: "no call reached Apple in the 60 days after the install"
    case .lowestTier: "tier 0 has a first postback only"
    case .didNotWin: "an ad that did not win has a first postback only"
    case .noNonWinners(let version): "an ad of version \(version.rawValue) that did not win has none"
    case .replaced(let moment): "a re-engagement replaced the conversion at \(life.elapsed(moment))"
    case .developmentBuild: "Apple refuses an app that is not from the App Store"
    }
  }
}
