import SKANRun
import Synchronization

/// One list of a replay, run by several threads, each of which reads all of it and runs the steps of some of its phones.
///
/// What comes of it is what ``ReplayedList`` gives, byte for byte: where that is not certain, nothing comes of it.
final class DividedList: Sendable {
  /// What one thread found.
  private struct Part: Sendable {
    var outcome: ListOutcome
    var records: StepRecords?
    var isIndependent: Bool
    var failure: CommandError?
  }

  private struct State {
    var next = 0
    var parts: [Part] = []
  }

  /// Bytes of a list below which it is not worth the threads.
  private static let leastSize = 1 << 18
  /// Bytes of its beginning that show how its steps are divided.
  private static let sampleSize = 1 << 16

  private let plan: ReplayPlan
  private let source: ReplaySource
  private let setup: StepSetup
  private let count: Int
  private let spool: RecordSpool
  private let progress: ReplayProgress?
  private let state = Mutex(State())

  /// - Returns: nil where one thread is to run the list: something of the steps can be seen before the end, is recorded or
  ///   goes out, the list cannot be read twice, is short, or is mostly about a few phones.
  init?(
    _ plan: ReplayPlan, _ source: ReplaySource, _ setup: StepSetup, spool: RecordSpool, progress: ReplayProgress?
  ) {
    guard plan.isSilent, plan.lists.jobs > 1, plan.recordPath == nil, !plan.keepsDepartures, !plan.lists.continuesPhone,
      source.isRegular, source.size ?? 0 >= Self.leastSize,
      let beginning = try? source.open(setup.invocation.environment.files).beginning(Self.sampleSize),
      PhonePartition.divides(beginning, into: plan.lists.jobs)
    else { return nil }
    self.plan = plan
    self.source = source
    self.setup = setup
    self.spool = spool
    self.progress = progress
    count = plan.lists.jobs
  }

  /// Runs the list, and prints what is wrong with its steps.
  ///
  /// - Returns: nil when the list has mistakes, or its phones are not independent: then one thread is to run it again.
  func run(_ output: inout ListOutput) -> (outcome: ListOutcome, records: StepRecords?, failure: CommandError?)? {
    let unused = output
    onThreads(count, start: setup.invocation.environment.startThread) { [self] in
      while let number = nextNumber() {
        let part = run(PhonePartition(number, of: count), isFirst: number == 0, unused)
        state.withLock { $0.parts.append(part) }
      }
    }
    let parts = state.withLock { $0.parts }
    var failure = parts.lazy.compactMap(\.failure).first
    var counts = ReplayCounts()
    for part in parts { counts += part.outcome.counts }
    // Each has counted the list.
    counts.lists = 1
    let isWhole = parts.allSatisfy { $0.isIndependent && !$0.outcome.isWrong } && counts.steps + counts.skipped > 0
    if failure == nil, !isWhole { return nil }
    var records = StepRecords(of: source.name, in: spool)
    for part in parts { part.records.map { records.merge($0) } }
    do throws(CommandError) {
      try report(records, failure == nil ? counts : nil, &output)
    } catch {
      failure = failure ?? error
    }
    return (ListOutcome(counts: counts), plan.lists.keepsRecords ? records : nil, failure)
  }

  private func nextNumber() -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func run(_ partition: PhonePartition, isFirst: Bool, _ output: ListOutput) -> Part {
    let list = ReplayedList(
      plan, source, setup, output: output, isAlone: true, numberWidth: 0,
      records: StepRecords(of: source.name, in: spool), progress: progress,
      part: ReplayedList.Part(partition, countsBytes: isFirst))
    var failure: CommandError?
    var records: StepRecords?
    do throws(CommandError) { try list.run(isNeedless: { false }, observers: []) } catch { failure = error }
    do throws(CommandError) { records = try list.finishedRecords() } catch { failure = failure ?? error }
    return Part(
      outcome: list.outcome, records: records, isIndependent: !list.hasUndeclaredSteps, failure: failure)
  }

  private func report(
    _ records: StepRecords, _ counts: ReplayCounts?, _ output: inout ListOutput
  ) throws(CommandError) {
    var failures = ListFailures(plan, of: source.name)
    if records.totals.failedStrictly > 0 {
      try records.forEach(CommandError.init(records:)) { (step) throws(CommandError) in
        if !step.failures.isEmpty || !step.findings.isEmpty { try failures.report(step, to: &output) }
      }
    }
    guard let counts else { return }
    try failures.end(counts, &output)
    try output.flush()
  }
}
