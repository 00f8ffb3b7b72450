import SKANDevice

/// What there was in the lists of a replay.
package struct ReplayCounts: Sendable, Equatable {
  package var lists = 0
  /// Steps that ran.
  package var steps = 0
  package var skipped = 0
  package var expectations = 0
  /// Expectations that were not met.
  package var failures = 0
  /// Steps with warnings of level finding.
  package var findings = 0
  /// The first finding of the first such step.
  package var firstFinding: WarningCode?
  private var outcomes = [Int](repeating: 0, count: Outcome.allCases.count)

  package init() {}

  /// How often steps ended so.
  package subscript(outcome: Outcome) -> Int { outcomes[Int(outcome.rawValue)] }

  /// Counts a step that ran.
  package mutating func count(_ report: StepReport) {
    steps += 1
    outcomes[Int(report.outcome.rawValue)] += 1
    if report.hasFinding {
      findings += 1
      if firstFinding == nil { firstFinding = report.firstFinding }
    }
  }

  package static func += (left: inout ReplayCounts, right: ReplayCounts) {
    left.lists += right.lists
    left.steps += right.steps
    left.skipped += right.skipped
    left.expectations += right.expectations
    left.failures += right.failures
    left.findings += right.findings
    left.firstFinding = left.firstFinding ?? right.firstFinding
    for index in left.outcomes.indices { left.outcomes[index] += right.outcomes[index] }
  }
}
