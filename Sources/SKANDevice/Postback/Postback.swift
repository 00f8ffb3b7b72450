import SKANBase

/// One simulated postback of an install at a moment: whether it has left, when it does, and what is in it.
package struct Postback: Sendable, Equatable {
  /// The window that it tells of; versions up to 3 have the first only.
  package let window: ConversionWindow
  package var state: State
  package var reason: Reason
  /// The window's end or lock. Of an open one the end, as things stand.
  package var preparedAt: Instant?
  package var earliest: Instant?
  package var latest: Instant?
  /// Drawn between the two, from the profile's seed.
  package var sendsAt: Instant?
  /// What leaves; of an open one, what would as things stand. Nil when nothing does.
  package var content: PostbackContent?

  package enum State: String, CaseIterable, Sendable {
    /// Values can still change.
    case open
    /// Prepared, and waiting for its time.
    case scheduled
    case sent
    case notSent = "not-sent"
  }

  /// Why it is in this state.
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
  }

  init(_ window: ConversionWindow, _ state: State, _ reason: Reason) {
    self.window = window
    self.state = state
    self.reason = reason
  }

  package var sequenceIndex: Int { window.rawValue }

  /// The postback as an item of a result's `postbacks`. The body is exactly what leaves, so it cannot say that it is
  /// simulated; `why` does.
  package var json: JSON {
    let instant = { (instant: Instant?) in instant?.json ?? .null }
    return .object([
      ("sequence_index", .integer(Int64(sequenceIndex))), ("state", .string(state.rawValue)), ("why", .string(why)),
      ("prepared_at", instant(preparedAt)), ("earliest", instant(earliest)), ("latest", instant(latest)),
      ("sends_at", instant(sendsAt)), ("body", content?.json ?? .null),
    ])
  }
}
