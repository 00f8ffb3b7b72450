extension Postback.State {
  /// In words, after a number.
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
  /// Why the postback is in its state: one sentence with the moment or the rule that decided it.
  package var why: String {
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
      "Apple takes a first update call until 60 days after the install, \(since), and none had come: no simulated postback."
    case .lowestTier: "Tier 0 has a first postback only: no simulated postback."
    case .didNotWin: "An ad that did not win has a first postback only: no simulated postback."
    case .noNonWinners(let version):
      "An ad of version \(version.rawValue) that did not win has no postback; they came with 3.0: none is simulated."
    case .developmentBuild:
      "The app is not from the App Store: Apple refuses every call and registers nothing; no simulated postback."
    }
  }

  private var name: String { "P\(window.rawValue)" }
}
