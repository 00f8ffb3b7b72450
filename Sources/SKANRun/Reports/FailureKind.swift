import SKANJSON

/// What is wrong with a step, without the step: failures of the same kind are alike.
enum FailureKind {
  case expectation(Expectation.Verdict)
  case finding(StepRecord.Finding)

  /// Characters of a value that are shown.
  private static let longestValue = 80

  /// The same for those that are alike, and for no other.
  var key: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path)\n\(JSONWriter.text(verdict.expected))\n\(verdict.actualText)"
    case .finding(let finding): finding.message
    }
  }

  /// On one line: `details.window: expected 1, got 0`.
  var text: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path): expected \(Self.short(JSONWriter.text(verdict.expected))), got \(Self.short(verdict.actualText))"
    case .finding(let finding): "finding: \(finding.message) [\(finding.code)]"
    }
  }

  private static func short(_ text: String) -> String {
    text.count > longestValue ? "\(text.prefix(longestValue))…" : text
  }
}
