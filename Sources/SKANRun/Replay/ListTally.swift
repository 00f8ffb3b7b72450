import SKANDevice
import SKANText

/// The counts of a list, and the records of its steps where reports are asked for.
package struct ListTally: Sendable {
  package private(set) var counts = ReplayCounts()
  /// Empty unless records are kept.
  package private(set) var records: [StepRecord] = []
  package let keepsRecords: Bool

  package init(keepsRecords: Bool) {
    self.keepsRecords = keepsRecords
    counts.lists = 1
  }

  /// Counts a step of which no more is made.
  @inline(__always)
  package mutating func count(_ report: StepReport) { counts.count(report) }

  /// Counts a step and its expectations.
  ///
  /// - Parameter time: how long the step took in the real world.
  package mutating func count(
    _ result: StepResult, _ verdicts: [Expectation.Verdict], at location: (file: String, line: Int),
    took time: @autoclosure () -> TimeSpan
  ) {
    counts.count(result.report)
    counts.expectations += verdicts.count
    let failed = verdicts.filter { !$0.isMet }
    counts.failures += failed.count
    guard keepsRecords else { return }
    var record = StepRecord(result.step, at: location, .ran(result.report.outcome, result.report.explanation))
    record.findings = result.report.found.filter { $0.level == .finding }
    record.expectations = verdicts.count
    record.failures = failed
    record.time = time()
    records.append(record)
  }

  /// Counts a step that does not run.
  package mutating func countSkipped(_ step: Step, _ reason: String, at location: (file: String, line: Int)) {
    counts.skipped += 1
    if keepsRecords { records.append(StepRecord(step, at: location, .skipped(reason: reason))) }
  }
}

extension StepRecord {
  fileprivate init(_ step: Step, at location: (file: String, line: Int), _ fate: Fate) {
    self.init(
      file: location.file, line: location.line, device: step.device, op: step.operation.name, name: step.title,
      label: step.label, fate: fate)
  }
}

extension Step {
  /// What it does, in a few words: `event purchase`.
  package var title: String {
    switch operation {
    case .event(let name, _): "event \(name.isEmpty ? "\"\"" : name.oneLine)"
    case .include(let file): "include \(file.oneLine)"
    case .revenue(let revenue): "revenue \(revenue.amount.jsonText) \((revenue.currency ?? "").oneLine)"
    case .forward(.session, _): "s2s session"
    case .forward(.event(let name, _), _): "s2s event \(name.isEmpty ? "\"\"" : name.oneLine)"
    default: operation.name
    }
  }
}
