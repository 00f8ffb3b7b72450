import SKANBase
import SKANDevice
import SKANSystem

/// The counts of a list, and the records of its steps if there are reports.
package struct ListTally: Sendable {
  package private(set) var counts = ReplayCounts()
  /// Nil unless records are kept.
  package private(set) var records: StepRecords?
  /// Whether to keep a record of each step, not only of those with failures or findings.
  package let keepsEveryRecord: Bool
  private let settings: RunSettings
  /// Whether the records of steps that have only findings are used.
  private let usesFindings: Bool

  /// - Parameters:
  ///   - records: receives the records of the steps, or only those with failures or findings if the settings keep none;
  ///     nil to keep none.
  ///   - showsFindings: whether findings are shown, even where no records are kept.
  package init(_ settings: RunSettings, records: StepRecords?, showsFindings: Bool = true) {
    self.settings = settings
    usesFindings = records != nil || showsFindings
    self.records = records
    keepsEveryRecord = records != nil && settings.keepsRecords
    counts.lists = 1
  }

  /// Counts a step that needs no record.
  @inline(__always)
  package mutating func count(_ report: StepReport) { counts.count(report) }

  /// Counts a step and its expectations.
  ///
  /// - Parameters:
  ///   - index: the step's index in its list, including steps of included lists.
  ///   - time: how long the step took in real time.
  /// - Returns: the record of a step with failures, or with findings that are used.
  package mutating func count(
    _ result: StepResult, _ verdicts: [Expectation.Verdict], at location: (file: String, line: Int), index: Int,
    took time: @autoclosure () -> TimeSpan
  ) throws(FileError) -> StepRecord? {
    counts.count(result.report)
    counts.expectations += verdicts.count
    let elsewhere = result.step.hasExpectations ? result.step.expectations.count - verdicts.count : 0
    counts.elsewhere += elsewhere
    let failed = verdicts.filter { !$0.isMet }
    counts.failures += failed.count
    let fault = settings.isRemote ? result.endpointFault(verdicts) : nil
    if settings.isRemote { counts.count(endpointOf: result, fault) }
    let isWrong = !failed.isEmpty || fault != nil || usesFindings && result.report.hasFinding
    guard keepsEveryRecord || isWrong else { return nil }
    var record = StepRecord(
      result, failed, fault, expectations: verdicts.count, elsewhere: elsewhere, at: location, index: index, settings)
    if keepsEveryRecord { record.time = time() }
    try records?.append(record)
    return isWrong ? record : nil
  }

  /// Notes that the phone's clock goes back before a step of the list.
  ///
  /// - Parameter index: the step's index in its list.
  package mutating func noteWentBack(by span: TimeSpan, at location: (file: String, line: Int), index: Int) {
    counts += ReplayCounts(SetBack(file: location.file, line: location.line, index: index, span: span))
  }

  /// Counts a skipped step.
  package mutating func countSkipped(
    _ step: Step, _ reason: String, at location: (file: String, line: Int), index: Int
  ) throws(FileError) {
    counts.skipped += 1
    guard keepsEveryRecord else { return }
    try records?.append(StepRecord(step, nil, reason, at: location, index: index, settings.redactor))
  }

  /// Finishes the records after the last step.
  package mutating func finish() throws(FileError) { try records?.finish() }
}

extension Step {
  /// A short description of the step: `event purchase`.
  package var title: String { String(writing: { $0.append(titleOf: self) }) }
}

extension ByteText {
  /// Adds the ``Step/title`` of a step.
  package mutating func append(titleOf step: Step) {
    switch step.operation {
    case .event(let name, _):
      append("event ")
      append(event: name)
    case .include(let file):
      append("include ")
      append(oneLine: file)
    case .revenue(let revenue):
      append("revenue ")
      append(revenue.amount)
      append(" ")
      append(oneLine: revenue.currency ?? "")
    case .forward(.session, _): append("s2s session")
    case .forward(.event(let name, _), _):
      append("s2s event ")
      append(event: name)
    default: append(step.operation.name)
    }
  }

  private mutating func append(event name: String) { if name.isEmpty { append("\"\"") } else { append(oneLine: name) } }
}

/// A step before which its phone's clock goes back, in a list.
package struct SetBack: Sendable, Equatable {
  package let file: String
  package let line: Int
  let index: Int
  package let span: TimeSpan
}

/// The counts of a replay, or of the records of its steps.
package struct ReplayCounts: Sendable, Equatable {
  package var lists = 0
  /// Steps that ran.
  package var steps = 0
  package var skipped = 0
  package var expectations = 0
  /// The expectations whose condition is not true of the phone, and which are not checked.
  package var elsewhere = 0
  /// Expectations that were not met.
  package var failures = 0
  /// Steps with warnings of level finding.
  package var findings = 0
  /// Records of steps that failed.
  package private(set) var failed = 0
  /// The first finding of the first such step.
  package var firstFinding: WarningCode?
  /// Steps that fail because of a remote endpoint (``EndpointFault``), and the failure of the first one.
  package private(set) var endpointFailures = 0
  package private(set) var firstEndpointFailure: EndpointFailure?
  /// Updates that asked a remote endpoint, and those of them in which it did not fail, expected or not.
  package private(set) var updates = 0
  package private(set) var updatesSucceeded = 0
  /// Whether a step asked a remote endpoint.
  private var hasAsked = false
  /// The explanation of the first session or event without a request, unless the step has an answer or expects an
  /// outcome.
  private var firstUnsent: String?
  private var outcomes = [Int](repeating: 0, count: Outcome.allCases.count)

  /// The steps before which a phone's clock goes back and that do not expect the warning of it, and the first one.
  package private(set) var setBacks = 0
  package private(set) var firstSetBack: SetBack?

  package init() {}

  fileprivate init(_ setBack: SetBack) { (setBacks, firstSetBack) = (1, setBack) }

  /// The number of steps, with those that were skipped.
  package var allSteps: Int { steps + skipped }

  /// The number of steps with this outcome.
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

  /// Counts the record of a step.
  mutating func count(_ step: StepRecord) {
    if let outcome = step.outcome {
      steps += 1
      outcomes[Int(outcome.rawValue)] += 1
    } else {
      skipped += 1
    }
    expectations += step.expectations
    elsewhere += step.elsewhere
    failures += step.failures.count
    if !step.findings.isEmpty { findings += 1 }
    if step.fault != nil { endpointFailures += 1 }
    if step.hasFailed { failed += 1 }
  }

  /// Counts the endpoint's result in a step that ran.
  mutating func count(endpointOf result: StepResult, _ fault: EndpointFault?) {
    if result.isRemoteRequest { hasAsked = true }
    if result.lacksRequest, firstUnsent == nil, !result.step.hasAnswer, !result.step.expectsOutcome {
      firstUnsent = result.report.explanation.description
    }
    if result.isRemoteUpdate {
      updates += 1
      if result.endpointFailure == nil { updatesSucceeded += 1 }
    }
    guard let fault else { return }
    endpointFailures += 1
    if firstEndpointFailure == nil { firstEndpointFailure = fault.failure }
  }

  /// Why no request was sent, of a list whose sessions and events should have asked a remote endpoint; nil if one did,
  /// or if there are none.
  package var unsentReason: String? { hasAsked ? nil : firstUnsent }

  /// `0 of 1 updates succeeded`; nil where no remote endpoint was asked.
  package var updatesText: String? { updates == 0 ? nil : "\(updatesSucceeded) of \(updates) updates succeeded" }

  /// Whether a step failed: by an expectation, by a remote endpoint, or, if `isStrict`, by a finding.
  package func haveFailed(isStrict: Bool) -> Bool {
    failures > 0 || endpointFailures > 0 || isStrict && findings > 0
  }

  package static func += (left: inout ReplayCounts, right: ReplayCounts) {
    left.lists += right.lists
    left.steps += right.steps
    left.skipped += right.skipped
    left.expectations += right.expectations
    left.elsewhere += right.elsewhere
    left.failures += right.failures
    left.findings += right.findings
    left.failed += right.failed
    left.firstFinding = left.firstFinding ?? right.firstFinding
    left.setBacks += right.setBacks
    // The parts of one list are added in any order.
    if let other = right.firstSetBack, left.firstSetBack.map({ other.index < $0.index }) ?? true {
      left.firstSetBack = other
    }
    left.endpointFailures += right.endpointFailures
    left.firstEndpointFailure = left.firstEndpointFailure ?? right.firstEndpointFailure
    left.hasAsked = left.hasAsked || right.hasAsked
    left.firstUnsent = left.firstUnsent ?? right.firstUnsent
    left.updates += right.updates
    left.updatesSucceeded += right.updatesSucceeded
    for index in left.outcomes.indices { left.outcomes[index] += right.outcomes[index] }
  }
}
