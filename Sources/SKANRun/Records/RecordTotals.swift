/// What there is in the records of a list.
package struct RecordTotals: Sendable, Equatable {
  package var steps = 0
  /// Of the steps, those that did not run.
  package var skipped = 0
  package var expectations = 0
  /// Expectations that were not met.
  package var failures = 0
  /// Steps that fail for a remote endpoint.
  package var endpointFailures = 0
  /// Steps with findings.
  package var findings = 0
  /// Steps with an expectation that was not met, and those that fail for a remote endpoint.
  package var failed = 0
  /// Those, and steps with findings.
  package var failedStrictly = 0

  /// Counts a step.
  mutating func count(_ step: StepRecord) {
    steps += 1
    if case .skipped = step.fate { skipped += 1 }
    expectations += step.expectations
    failures += step.failures.count
    if !step.findings.isEmpty { findings += 1 }
    if step.fault != nil { endpointFailures += 1 }
    if step.hasFailed(isStrict: false) { failed += 1 }
    if step.hasFailed(isStrict: true) { failedStrictly += 1 }
  }

  static func += (left: inout RecordTotals, right: RecordTotals) {
    left.steps += right.steps
    left.skipped += right.skipped
    left.expectations += right.expectations
    left.failures += right.failures
    left.endpointFailures += right.endpointFailures
    left.findings += right.findings
    left.failed += right.failed
    left.failedStrictly += right.failedStrictly
  }
}
