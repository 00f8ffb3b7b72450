import SKANDevice

/// What the check of a postback came to.
struct PostbackVerdict {
  let outcome: Outcome
  /// In one sentence.
  let explanation: String
  /// Nil when its version is not known.
  var postback: ReceivedPostback?
  /// Why it cannot be read.
  var notes: [CommandError.SourceNote] = []
  /// What is odd about it, beside the outcome.
  var findings: [Finding] = []
  /// Whether another key than Apple's signed it; nil when it is not signed, or that is not known.
  var isSimulated: Bool?
  /// The line of an earlier valid postback with the same transaction id: a receiver drops this one.
  var repeatedLine: Int?

  enum Outcome: String {
    case valid
    case invalid
    case malformed
    case notChecked = "not-checked"
  }

  /// A finding with its place in the file.
  struct Finding {
    let code: PostbackFinding.Code
    let note: CommandError.SourceNote
  }

  init(_ outcome: Outcome, _ explanation: String) {
    self.outcome = outcome
    self.explanation = explanation
  }
}
