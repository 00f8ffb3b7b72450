import SKANDevice
import SKANBase
import SKANRun
import SKANTimeline

/// Something of a device file's history, and what can be said of it: nothing that the file does not keep.
struct HistoryEntry {
  /// Counted from 1.
  let number: Int
  let event: LifeEvent

  /// What became of it, in one sentence.
  var sentence: String {
    guard event.call != nil else { return withoutCall }
    guard let appleText else { return "\(callText). What Apple made of the call is not kept." }
    return "\(callText); \(appleText)."
  }

  private var withoutCall: String {
    if let cause = event.outcome.cause {
      return "\(cause.isDrop ? "Dropped before any call" : "No call reaches Apple"): \(cause.text)."
    }
    return switch event.kind {
    case .revenue: "Added to the revenue that the app keeps."
    case .update: "Apple is not called, and what the app keeps stays."
    case .relaunch: "A new app process; what was kept stays."
    case .forward: "The app's server gets a report, and Apple is not called."
    case .register, .session, .event: "Apple is not called."
    }
  }

  /// The call of the app; its arguments, of which Apple may not count all.
  var callText: String {
    guard let values = event.call?.displayText(nil, apple: nil) else { return "The app registers with Apple" }
    return "The app calls Apple with \(values)"
  }

  /// What Apple made of the call; nil where that is not kept or there was no call.
  var appleText: String? {
    guard let fate = event.fate else { return nil }
    let code = event.error.map { " (SKANErrorDomain \($0))" } ?? ""
    if let reason = fate.reason { return reason + code }
    return (fate == .registered ? "Apple has registered the install" : "Apple holds the values") + code
  }

  /// Who answered; nil where that is not kept.
  var answererText: String? {
    guard let account = event.account else { return nil }
    guard let name = account.answeredBy else { return "no request went out" }
    let answerer = AnsweredBy.displayText(ofName: name).oneLine
    return hasAnswer ? answerer : "\(answerer) (no answer came)"
  }

  /// Whether what was asked answered.
  private var hasAnswer: Bool { event.outcome != .transportError }

  /// Who answered, as a sentence behind another one that says what came of it; nil where no request went out.
  var answererSentence: String? {
    guard let name = event.account?.answeredBy else { return nil }
    return "\(hasAnswer ? "Answered by" : "Asked:") \(AnsweredBy.displayText(ofName: name).oneLine)."
  }

  /// The first warning of level finding.
  var firstFinding: WarningCode? { event.account?.warnings.first { $0.level == .finding } }
}

/// The event as a device file has it, with its number and sentence; null for what is not kept.
extension HistoryEntry: JSONObjectWritable {
  static let fields = JSONFields<HistoryEntry> {
    JSONField("step", "its number, from 1 on", as: .integer(1 ... .max)) { $0.number }
    LifeEvent.fields.rows.filter { !accountKeys.contains($0.name) }.map { $0.of { $0.event } }
    JSONField("answered_by", "who answered, or null") { $0.event.account?.answeredBy }
    JSONField("warnings", "the codes of the warnings, or null") { $0.event.account?.warnings }
    JSONField("sentence", "what became of it") { $0.sentence }
  }

  private static let accountKeys = ["answered_by", "warnings"]
}
