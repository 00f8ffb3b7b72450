import SKANBase

/// A simulated postback of an install as of a moment: its state, its times and its content.
package struct Postback: Sendable, Equatable {
  /// The window of the postback; versions up to 3 have only the first.
  package let window: ConversionWindow
  package var state: State
  package var reason: Reason
  /// The window's end or lock; for an open window its end as of now.
  package var preparedAt: Instant?
  package var earliest: Instant?
  package var latest: Instant?
  /// The time of sending, drawn between ``earliest`` and ``latest`` from the profile's seed.
  package var sendsAt: Instant?
  /// The content that is sent; for an open window the content as of now. Nil if nothing is sent.
  package var content: PostbackContent?
  /// The impression whose conversion it reports.
  package let impression: Impression
  /// The framework of the impression; nil in a life without AdAttributionKit.
  package private(set) var framework: AdAttribution.Framework?
  /// Whether the developer gets a copy.
  package internal(set) var hasCopy = true
  /// When a failed delivery is repeated.
  package internal(set) var retries = RetryRule()

  package enum Impression: Sendable, Equatable {
    /// The one that the install's ad describes.
    case own
    /// One of this ad network that lost; numbers begin with 1.
    case lost(number: Int, network: String)
    /// A re-engagement; numbers begin with 1.
    case reEngagement(number: Int)
    /// A conversion that a tester made; its number is among the re-engagements.
    case development(number: Int)
  }

  package enum State: String, CaseIterable, Sendable {
    /// Values can still change.
    case open
    /// Prepared, and waiting to be sent.
    case scheduled
    case sent
    case notSent = "not-sent"
  }

  /// Why the postback is in its state.
  package enum Reason: Sendable, Equatable {
    // open
    case noCallYet
    case windowAhead(opens: Instant)
    case windowOpen(until: Instant, isUpdated: Bool)
    case timerRuns(until: Instant)
    // scheduled and sent
    case windowEnded(Instant)
    case windowLocked(Instant)
    case timerEnded(Instant)
    // not sent
    case noUpdate(in: ConversionWindow, ended: Instant)
    case neverRegistered(windowsOver: Instant)
    case tooLate(since: Instant)
    case lowestTier
    case didNotWin
    case noNonWinners(AdVersion)
    case developmentBuild
    /// A re-engagement ended the conversion.
    case replaced(Instant)
  }

  init(
    _ window: ConversionWindow, _ state: State, _ reason: Reason, of impression: Impression,
    _ framework: AdAttribution.Framework
  ) {
    self.window = window
    self.state = state
    self.reason = reason
    self.impression = impression
    self.framework = framework
  }

  /// The postback of a life without AdAttributionKit.
  var withoutFramework: Postback {
    var copy = self
    copy.framework = nil
    return copy
  }

  package var sequenceIndex: Int { window.rawValue }
}

/// An element of a result's `postbacks`. The body is exactly what is sent, so it cannot say that it is simulated; `why`
/// does.
extension Postback: JSONObjectWritable {
  package static let fields = JSONFields<Postback> {
    JSONField("sequence_index", "the window that it reports", as: .integer(0...2)) { $0.sequenceIndex }
    JSONField("state", "open, scheduled, sent or not-sent") { $0.state }
    JSONField("why", "why it is in this state, as a sentence") { $0.why }
    JSONField("prepared_at", "Unix seconds of the window's end or lock, or null") { $0.preparedAt }
    JSONField("earliest", "the earliest time at which it leaves, or null") { $0.earliest }
    JSONField("latest", "the latest time at which it leaves, or null") { $0.latest }
    JSONField("sends_at", "when it leaves, or null") { $0.sendsAt }
    JSONField("body", "exactly what leaves, or null") { $0.content }
    JSONField(optional: "framework", "if the phone uses AdAttributionKit: the framework that sends it") { $0.framework }
    JSONField(
      optional: "payload", "for AdAttributionKit: the claims that are signed", as: AdAttributionKitContent.payloadForm
    ) { $0.content?.payload }
  }
}

extension Postback.State: JSONWritable {}

extension Postback.State {
  /// The state in words, after a number.
  package var displayText: String {
    switch self {
    case .open: "open"
    case .scheduled: "scheduled"
    case .sent: "sent"
    case .notSent: "not sent"
    }
  }
}

extension Postback {
  /// Why the postback is in its state: a sentence with the moment or the rule that decided it.
  package var why: String {
    switch impression {
    case .own: ownWhy
    case .lost(_, let network): "An impression of \(network) lost to the install's ad. \(ownWhy)"
    case .reEngagement(let number): "Re-engagement \(number): \(ownWhy)"
    case .development(let number): "Development postback of conversion \(number): \(ownWhy)"
    }
  }

  private var ownWhy: String {
    let departure =
      sendsAt.map { state == .sent ? "the simulated postback left at \($0)" : "the simulated postback leaves at \($0)" }
      ?? "no simulated postback leaves"
    return switch reason {
    case .noCallYet: "No update call has reached Apple yet: nothing is simulated before the first."
    case .windowAhead(let start):
      "\(name) opens at \(start); without an update call in it no simulated postback leaves."
    case .windowOpen(let end, true):
      "\(name) is open until \(end) or a lock; as things stand \(departure)."
    case .windowOpen(let end, false):
      "\(name) is open until \(end), and no update call has counted in it: without one no simulated postback leaves."
    case .timerRuns(let end):
      "The timer runs until \(end), and a higher value restarts it; as things stand \(departure)."
    case .windowEnded(let end): "\(name) ended at \(end); \(departure)."
    case .windowLocked(let moment): "\(name) was locked at \(moment); \(departure)."
    case .timerEnded(let end): "The timer ended at \(end) without a higher value; \(departure)."
    case .noUpdate(let window, let end):
      "P\(window.rawValue) ended at \(end) and no update call had counted in it: no simulated postback."
    case .neverRegistered(let end):
      "The last window ended at \(end) and no update call had reached Apple before: no simulated postback."
    case .tooLate(let since):
      "Apple takes a first update call until \(deadline), \(since), and none had come: no simulated postback."
    case .lowestTier: "Tier 0 has a first postback only: no simulated postback."
    case .didNotWin: "An ad that did not win has a first postback only: no simulated postback."
    case .noNonWinners(let version):
      "An ad of version \(version.rawValue) that did not win has no postback; they came with 3.0: none is simulated."
    case .developmentBuild:
      "The app is not from the App Store: Apple refuses every call and registers nothing; no simulated postback."
    case .replaced(let moment):
      "A re-engagement replaced the conversion at \(moment), before this window had an update: no simulated postback."
    }
  }

  private var deadline: String {
    if case .reEngagement = impression { "2 days after the re-engagement" } else { "60 days after the install" }
  }

  /// The name of its window: `P0`.
  package var name: String { "P\(window.rawValue)" }
}
