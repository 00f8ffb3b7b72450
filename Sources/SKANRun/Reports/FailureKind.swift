import SKANBase

/// What is wrong with a step, without the step: failures of the same kind are alike.
enum FailureKind {
  case expectation(Expectation.Verdict)
  case finding(StepRecord.Finding)
  case endpoint(EndpointFault)

  /// Everything that is wrong with a step. What an endpoint did is not counted besides the expectation that says so.
  static func all(of step: StepRecord, isStrict: Bool) -> [FailureKind] {
    let faults = step.failures.isEmpty ? [step.fault].compactMap(\.self) : []
    return step.failures.map(expectation) + faults.map(endpoint) + (isStrict ? step.findings.map(finding) : [])
  }

  /// Characters of a value that are shown.
  private static let longestValue = 80

  /// The same for those that are alike, and for no other.
  var key: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path)\n\(JSONWriter.text(verdict.expected))\n\(verdict.actualText)"
    case .finding(let finding): finding.message
    case .endpoint(let fault): "endpoint\n\(fault.reason)"
    }
  }

  /// On one line: `details.window: expected 1, got 0`.
  var text: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path): expected \(Self.short(JSONWriter.text(verdict.expected))), got \(Self.short(verdict.actualText))"
    case .finding(let finding): "finding: \(finding.message) [\(finding.code)]"
    case .endpoint(let fault): "the endpoint failed: \(fault.reason)"
    }
  }

  private static func short(_ text: String) -> String {
    text.truncated(to: longestValue)
  }
}
