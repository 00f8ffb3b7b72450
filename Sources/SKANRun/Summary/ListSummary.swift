import SKANDevice

/// What the steps of lists come to: counters, so that a million steps take no memory.
package struct ListSummary: Sendable, Equatable {
  /// How often each finding was made, by its code.
  package private(set) var findings: [String: Int] = [:]
  package private(set) var errors = ErrorTally()
  /// Of lists that ran to their ends.
  package private(set) var phones = PhoneTally()
  package var failures = FailureGroups()
  /// Lists whose phones do not count, as they did not run to their ends.
  package private(set) var unfinished = 0

  package init() {}

  /// Counts a step.
  @inline(__always)
  mutating func count(_ report: StepReport) {
    if report.hasFinding { countFindings(report) }
    errors.count(report)
  }

  private mutating func countFindings(_ report: StepReport) {
    for warning in report.found where warning.level == .finding { findings[warning.code, default: 0] += 1 }
  }

  /// Counts the phones of a list that ran to its end, as they are now.
  mutating func count(phonesOf runner: ListRunner) {
    for (index, name) in runner.names.enumerated() { phones.count(runner.phone(at: index), named: name) }
  }

  /// Counts a list that did not run to its end.
  mutating func countUnfinished() { unfinished += 1 }

  package static func += (left: inout ListSummary, right: ListSummary) {
    left.findings.merge(right.findings) { $0 + $1 }
    left.errors += right.errors
    left.phones += right.phones
    left.failures += right.failures
    left.unfinished += right.unfinished
  }
}
