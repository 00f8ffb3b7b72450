import SKANDevice
import SKANRun

/// One list of a replay on several threads, and what is printed of it when all have ended: what ``ReplayedList`` prints.
struct DividedList {
  private let plan: ReplayPlan
  private let source: ReplaySource
  private let setup: StepSetup
  private let division: ListDivision
  private let spool: RecordSpool
  private let progress: ReplayProgress?

  /// - Returns: nil where one thread is to run the list: something of the steps can be seen before the end, is recorded,
  ///   goes out or is drawn, or ``ListDivision`` is of no use.
  init?(
    _ plan: ReplayPlan, _ source: ReplaySource, _ setup: StepSetup, spool: RecordSpool, progress: ReplayProgress?
  ) {
    guard plan.isSilent, plan.record == nil, !plan.keepsDepartures, !plan.drawsLives,
      let division = ListDivision(
        plan.lists, isRegular: source.isRegular, size: source.size,
        open: { () throws(SourceFailure) in try source.openAgain(setup.invocation.environment.files) })
    else { return nil }
    self.plan = plan
    self.source = source
    self.setup = setup
    self.division = division
    self.spool = spool
    self.progress = progress
  }

  /// Runs the list, and prints what is wrong with its steps.
  ///
  /// - Returns: nil when one thread is to run it again.
  func run(_ output: ListOutput) -> (outcome: ListOutcome, records: StepRecords?, failure: CommandError?)? {
    let separate = output.separate
    let found = division.run(
      into: StepRecords(of: source.name, in: spool), startThread: setup.invocation.environment.startThread
    ) { part(ReplayedList.Part($0, countsBytes: $1), separate()) }
    guard var found else { return nil }
    do throws(CommandError) {
      found.counts.firstFinding = try report(
        found.records, found.failure == nil ? found.counts : nil, output, &found.summary)
    } catch {
      found.failure = found.failure ?? error
    }
    var outcome = ListOutcome(counts: found.counts)
    outcome.summary = found.summary
    return (outcome, plan.lists.keepsRecords ? found.records : nil, found.failure)
  }

  private func part(_ part: ReplayedList.Part, _ output: ListOutput) -> ListDivision.Part<CommandError> {
    let list = ReplayedList(
      plan, source, setup, output: output, isAlone: true, columns: StepColumns(lines: 0, widest: 0),
      records: StepRecords(of: source.name, in: spool), progress: progress, part: part)
    var failure: CommandError?
    var records: StepRecords?
    do throws(CommandError) { try list.run(isNeedless: { false }, observers: []) } catch { failure = error }
    do throws(CommandError) { records = try list.finishedRecords() } catch { failure = failure ?? error }
    return ListDivision.Part(list.outcome, records, isIndependent: !list.hasUndeclaredSteps, failure)
  }

  /// Prints what is wrong with the steps, in the order of the list.
  ///
  /// - Returns: the first finding.
  private func report(
    _ records: StepRecords, _ counts: ReplayCounts?, _ output: ListOutput, _ summary: inout ListSummary?
  ) throws(CommandError) -> WarningCode? {
    var failures = ListFailures(plan, of: source.name)
    var finding: String?
    if records.totals.failedStrictly > 0 {
      try records.forEach(CommandError.init(records:)) { (step) throws(CommandError) in
        if step.failures.isEmpty, step.findings.isEmpty { return }
        try failures.report(step, to: output)
        summary?.failures.add(step, of: source.name, isStrict: plan.isStrict)
        finding = finding ?? step.findings.first?.code
      }
    }
    if let counts {
      try failures.end(counts, output)
      try output.flush()
    }
    return finding.flatMap(WarningCode.init(name:))
  }
}
