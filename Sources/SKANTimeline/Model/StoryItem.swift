import SKANDevice

/// Something that happened, as the drawing tells it.
package struct StoryItem: Sendable, Equatable {
  package let at: Instant
  package let mark: Mark
  /// What it was.
  package let what: String
  /// With which values Apple was called.
  package let value: String?
  /// What became of it, where it did not go as it should.
  package let reason: String?
  /// Whether it locked a window.
  package let isLock: Bool

  /// What came of it, for the eye.
  package enum Mark: Int, CaseIterable, Sendable {
    /// Apple took the call.
    case taken
    /// A call reached Apple, who did not count it.
    case ignored
    /// No call was made: dropped, or without a good answer.
    case dropped
    case revenue
    /// Neither a call nor money.
    case other
    /// Negative revenue.
    case refund
  }

  init(_ event: LifeEvent, in life: Life) {
    at = event.at
    what = event.displayText
    let isTaken = event.fate?.isTaken ?? false
    value = event.call.flatMap { $0.displayText(life.appWindow(at: event.at), apple: life.appleWindow(at: event.at)) }
    if case .updatePostbackCoarse(_, _, true)? = event.call { isLock = isTaken } else { isLock = false }
    reason = event.call == nil ? event.outcome.reason : event.fate?.reason ?? event.outcome.reason
    switch event.kind {
    case .revenue(let amount, _, _): mark = event.outcome != .added ? .dropped : amount < 0 ? .refund : .revenue
    case .update, .relaunch: mark = .other
    case .register, .session, .event, .forward:
      if event.call == nil {
        mark = event.outcome == .alreadyRegistered ? .other : .dropped
      } else {
        mark = isTaken ? .taken : .ignored
      }
    }
  }
}
