import SKANDevice
import SKANRun
import Synchronization

/// Runs the lists of a command line, several at a time, and prints what they print in their order.
final class ReplayRun: Sendable {
  let plan: ReplayPlan
  let setup: StepSetup
  let sources: [ReplaySource]
  let environment: Environment
  let output: OrderedOutput<CommandError>
  let progress: ReplayProgress?
  let start: Instant
  let schedule: ListSchedule<CommandError>
  /// What leaves the phones of each list.
  private let departuresOfLists = Mutex<[Int: [Departure]]>([:])
  /// Digits of the largest line number that is known beforehand.
  let numberWidth = Mutex(0)

  init(_ plan: ReplayPlan, _ setup: StepSetup, _ sources: [ReplaySource]) {
    self.plan = plan
    self.setup = setup
    self.sources = sources
    environment = setup.invocation.environment
    start = environment.now()
    progress = Self.progress(plan, sources, environment)
    output = OrderedOutput(environment, count: sources.count, isHeld: plan.isSilent, progress: progress)
    schedule = ListSchedule(count: sources.count)
  }

  /// Nil without a terminal to draw on.
  static func progress(
    _ plan: ReplayPlan, _ sources: [ReplaySource], _ environment: Environment
  ) -> ReplayProgress? {
    // A pager that reads the steps draws on the same terminal.
    let isWatched = plan.mode != .quiet && environment.isTerminal() && (plan.mode != .steps || !environment.isPiped())
    let total = sources.allSatisfy { $0.size != nil } ? sources.reduce(0) { $0 + ($1.size ?? 0) } : 0
    return isWatched ? ReplayProgress(environment, total: total) : nil
  }

  /// Checks what can be read twice, runs all lists, and ends.
  func run() throws(CommandError) -> ExitCode {
    try check()
    schedule.runAll(jobs: plan.lists.jobs, startThread: environment.startThread) { [self] in _ = run($0) }
    return try end()
  }

  /// What leaves the phones, in the order of the lists.
  var departures: [Departure] {
    departuresOfLists.withLock { lists in lists.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  /// Runs one list.
  ///
  /// - Parameters:
  ///   - phone: the one that the list goes on with.
  ///   - observers: watch it besides.
  /// - Returns: the phone of a list about one phone; nil also when the list could not run.
  func run(_ index: Int, phone: Phone? = nil, observers: [any StepObserver] = []) -> Phone? {
    let source = sources[index]
    var output = ListOutput(
      output, list: index, redactor: setup.redactor, isEager: !source.isRegular || plan.lists.isRemote)
    if schedule.refused.contains(index) {
      refuse(index, &output)
      return nil
    }
    let list = ReplayedList(
      plan, source, setup, output: output, isAlone: sources.count == 1, numberWidth: numberWidth.withLock { $0 },
      progress: progress, phone: phone)
    var failure: CommandError?
    var record = ListRecord(file: source.name, start: plan.lists.keepsRecords ? environment.now() : .listStart)
    do throws(CommandError) {
      try list.run(isNeedless: { [schedule] in schedule.isNeedless(index) }, observers: observers)
    } catch {
      failure = error
    }
    if plan.lists.keepsRecords {
      record.time = environment.now().since(record.start)
      record.steps = list.steps
      schedule.record(record, of: index)
      if let failure { keep(failure, of: index) }
    }
    let outcome = list.outcome
    if failure == nil, !outcome.isWrong {
      let departures = list.departures
      departuresOfLists.withLock { $0[index] = departures }
    }
    schedule.end(index, outcome, failure)
    if source.isRegular, outcome.isWrong, sources.count > 1 {
      self.output.discard(index)
      refuse(index, &output)
      return nil
    }
    self.output.end(index, isLast: outcome.wasStopped)
    return failure == nil && outcome.problems.isEmpty ? list.phone : nil
  }

  /// Reports that a list does not run because of its mistakes.
  private func refuse(_ index: Int, _ output: inout ListOutput) {
    do throws(CommandError) {
      if plan.mode == .test { try output.line(ReplaySummary.refused(sources[index].name)) }
      try output.flush()
    } catch {
      schedule.fail(error)
    }
    self.output.end(index)
  }
}

extension OrderedOutput<CommandError> {
  /// Prints where the command prints; a progress bar gives way.
  fileprivate convenience init(_ environment: Environment, count: Int, isHeld: Bool, progress: ReplayProgress?) {
    self.init(
      count: count, isHeld: isHeld,
      writeOutput: { (bytes) throws(CommandError) in
        guard let progress else { return try environment.writeOutput(bytes) }
        var failure: CommandError?
        progress.hidden { do throws(CommandError) { try environment.writeOutput(bytes) } catch { failure = error } }
        if let failure { throw failure }
      },
      writeError: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let progress { progress.hidden { environment.writeError(text) } } else { environment.writeError(text) }
      })
  }
}
