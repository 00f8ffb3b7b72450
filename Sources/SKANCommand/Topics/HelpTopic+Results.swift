import SKANDevice
import SKANRun

extension HelpTopic {
  static var aboutResults: [HelpSection] {
    [
      HelpSection("Keys", rows: StepResult.keys.map { ($0, resultKeyTexts[$0] ?? "") }),
      HelpSection("Outcomes", Outcome.allCases.map(\.name).enumerated + "."),
      HelpSection(
        "Findings: something is wrong in the app or the endpoint",
        WarningCode.allCases.filter { $0.level == .finding }.map(\.name).enumerated + "."),
      HelpSection(
        "Notes: worth knowing", WarningCode.allCases.filter { $0.level == .note }.map(\.name).enumerated + "."),
      HelpSection(
        "More", "'skan explain CODE' says what an outcome, finding or note means. 'skan schema result' has types."),
    ]
  }

  /// What stands under each key of a result.
  static let resultKeyTexts = [
    "answer": "null, or what came back: status and text or base64, or error",
    "answered_by": "null, or who answered: embedded, model FILE, list, testing, production, an address",
    "apple": "what Apple's framework holds after the step; says: what it made of the step's call",
    "at": "Unix seconds when the step began",
    "crash": "null, or the reason of the app's crash",
    "details": "what getSkanDetails gives after the step; null when reading it crashes",
    "details_before": "the same right after the call returned, before the answer",
    "details_in_handler": "the same inside the completion handler; null when it is not called",
    "device": "the phone's name in the list",
    "ended_at": "Unix seconds when it ended",
    "endpoint_explanation": "why a model in process answered so",
    "expectations": "with expect: path, expected, actual, ok of each",
    "explanation": "what happened and why, a sentence",
    "file": "the list that the step is in",
    "forwarded": "null, or the reports of the app's server",
    "framework": "the calls into Apple's framework, in order",
    "handler": "null when it is not called; else what the app got: fine, coarse, lock, error",
    "label": "the step's name, or null",
    "line": "its line in the list",
    "lock_held": "true when the snippet's lock is left locked for good",
    "op": "the operation",
    "outcome": "how the step ended",
    "postbacks": "of op postbacks: each with state, why, times and body",
    "request": "null, or url and query; the SDK key reads REDACTED",
    "warnings": "findings and notes: code, level, message",
    "window": "0, 1, 2, or -1 when none is open, as the app counts",
  ]
}
