import SKANDevice

/// Counts the steps of a list for its summary.
package final class SummaryObserver: StepObserver {
  private let plan: ListPlan
  private let list: String
  private let isStrict: Bool
  private let groupsFailures: Bool
  private(set) var summary = ListSummary()

  /// - Parameters:
  ///   - list: as it was named.
  ///   - isStrict: whether steps with findings are failures.
  ///   - groupsFailures: false where other threads run other steps of the list, as those have an order only together.
  package init(_ plan: ListPlan, of list: String, isStrict: Bool, groupsFailures: Bool) {
    self.plan = plan
    self.list = list
    self.isStrict = isStrict
    self.groupsFailures = groupsFailures
  }

  package func wantsResult(of step: Step) -> Bool {
    groupsFailures && (isStrict || plan.isRemote || step.hasExpectations) && plan.selects(step)
  }

  package func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    switch event {
    case .completed(let report, _, let isSelected): if isSelected { summary.count(report) }
    case .ran(let result, let verdicts, let isSelected):
      guard isSelected else { break }
      summary.count(result.report)
      let failures = verdicts.filter { !$0.isMet }
      let fault = plan.isRemote ? result.endpointFault(verdicts) : nil
      guard groupsFailures, !failures.isEmpty || fault != nil || isStrict && result.report.hasFinding else { break }
      let record = StepRecord(result, failures, fault, expectations: verdicts.count, at: reader.location)
      summary.failures.add(record, of: list, isStrict: isStrict)
    case .skipped, .retried: break
    }
    return true
  }
}
