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
  /// Steps that fail for a remote endpoint (``EndpointFault``), and the failure of the first of them.
  package private(set) var endpointFailures = 0
  package private(set) var firstEndpointFailure: EndpointFailure?
  /// Updates for which a remote endpoint was asked, and those of them that it did not fail, expected or not.
  package private(set) var updates = 0
  package private(set) var updatesSucceeded = 0
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

  /// Counts what a remote endpoint did in a step that ran.
  mutating func count(endpointOf result: StepResult, _ fault: EndpointFault?) {
    if result.isRemoteUpdate {
      updates += 1
      if result.endpointFailure == nil { updatesSucceeded += 1 }
    }
    guard let fault else { return }
    endpointFailures += 1
    if firstEndpointFailure == nil { firstEndpointFailure = fault.failure }
  }

  /// `0 of 1 updates succeeded`; nil where no remote endpoint was asked.
  package var updatesText: String? { updates == 0 ? nil : "\(updatesSucceeded) of \(updates) updates succeeded" }

  /// Counts failures of which no more is known.
  mutating func count(endpointFailures count: Int) { endpointFailures += count }

  /// Whether steps failed: by an expectation, by a remote endpoint, or, where findings are failures, by a finding.
  package func haveFailed(isStrict: Bool) -> Bool {
    failures > 0 || endpointFailures > 0 || isStrict && findings > 0
  }

  package static func += (left: inout ReplayCounts, right: ReplayCounts) {
    left.lists += right.lists
    left.steps += right.steps
    left.skipped += right.skipped
    left.expectations += right.expectations
    left.failures += right.failures
    left.findings += right.findings
    left.firstFinding = left.firstFinding ?? right.firstFinding
    left.endpointFailures += right.endpointFailures
    left.firstEndpointFailure = left.firstEndpointFailure ?? right.firstEndpointFailure
    left.updates += right.updates
    left.updatesSucceeded += right.updatesSucceeded
    for index in left.outcomes.indices { left.outcomes[index] += right.outcomes[index] }
  }
}
