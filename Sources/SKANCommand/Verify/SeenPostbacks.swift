import SKANDevice
import SKANReceive
import SKANSigning

/// The postbacks of a file of received ones, with which others are compared.
struct SeenPostbacks {
  let file: String
  private let memory: PostbackMemory

  init(file: String, _ received: ReceivedFile) {
    self.file = file
    memory = received.memory
  }

  /// What a postback is beside those that were received.
  struct Comparison {
    let repetition: Repetition
    let file: String
    /// Of the copy that it repeats or contradicts.
    let line: Int?
  }

  /// Compares a postback; a conflict is a finding of its verdict.
  func compare(_ verdict: inout PostbackVerdict, of document: PostbackDocument) -> Comparison {
    let (repetition, line) = memory.repetition(of: document, ReceivedSignature(verdict))
    if repetition == .conflict, let line {
      verdict.append(
        document.finding(
          PostbackFinding(
            .transactionConflict, "\(file):\(line) is this postback and says something else: the first counts.",
            at: document.range)))
    }
    return Comparison(repetition: repetition, file: file, line: line)
  }
}
