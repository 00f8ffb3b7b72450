import SKANDevice
import SKANRun
import SKANSystem
import Synchronization

/// Runs the lists of a command line, several at a time, and prints what they print in their order.
final class ReplayRun: Sendable {
  let plan: ReplayPlan
  let setup: StepSetup
  let sources: [ReplaySource]
  let environment: Environment
  let output: OrderedOutput
  let progress: ReplayProgress?
  let start: Instant
  let schedule: ListSchedule<CommandError>
  /// Where the records of steps are set aside for reports.
  private let spool = RecordSpool()
  /// What leaves the phones of each list.
  private let departuresOfLists = Mutex<[Int: [Departure]]>([:])
  /// What is known of the lists beforehand.
  let columns = Mutex(StepColumns(lines: 0, widest: 0))

  init(_ plan: ReplayPlan, _ setup: StepSetup, _ sources: [ReplaySource]) {
    self.plan = plan
    self.setup = setup
    self.sources = sources
    environment = setup.invocation.environment
    start = environment.now()
    progress = Self.progress(plan, sources, environment)
    output = OrderedOutput(environment, isHeld: plan.isSilent, progress: progress)
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
    let output = ListOutput(
      output, list: index, redactor: setup.redactor, isEager: !source.isRegular || plan.lists.isRemote,
      styles: environment.styles)
    if schedule.refused.contains(index) {
      refuse(index, output)
      return nil
    }
    let record = plan.lists.keepsRecords ? ListRecord(file: source.name, start: environment.now()) : nil
    let ran = run(index, source, record, phone: phone, observers, output)
    if var finished = record {
      finished.time = environment.now().since(finished.start)
      finished.steps = ran.records ?? finished.steps
      (finished.drawings, finished.drawingNote) = (ran.drawings, ran.drawingNote)
      schedule.record(finished, of: index)
      if let failure = ran.failure { keep(failure, of: index) }
    }
    if !ran.departures.isEmpty { departuresOfLists.withLock { $0[index] = ran.departures } }
    schedule.end(index, ran.outcome, ran.failure)
    if source.isRegular, ran.outcome.isWrong, sources.count > 1 {
      self.output.discard(index)
      refuse(index, output)
      return nil
    }
    self.output.end(index, isLast: ran.outcome.wasStopped)
    return ran.failure == nil && ran.outcome.problems.isEmpty ? ran.phone : nil
  }

  /// What came of running a list.
  private struct Ran {
    var outcome = ListOutcome(counts: ReplayCounts())
    var records: StepRecords?
    var departures: [Departure] = []
    var drawings: [LifeDrawing] = []
    var drawingNote: String?
    var phone: Phone?
    var failure: CommandError?
  }

  private func run(
    _ index: Int, _ source: ReplaySource, _ record: ListRecord?, phone: Phone?, _ observers: [any StepObserver],
    _ output: ListOutput
  ) -> Ran {
    if sources.count == 1, phone == nil, let list = DividedList(plan, source, setup, spool: spool, progress: progress) {
      if let (outcome, records, failure) = list.run(output) {
        return Ran(outcome: outcome, records: records, failure: failure)
      }
    }
    var ran = Ran()
    let list = ReplayedList(
      plan, source, setup, output: output, isAlone: sources.count == 1, columns: columns.withLock { $0 },
      records: record.map { _ in StepRecords(of: source.name, in: spool) }, progress: progress, phone: phone)
    do throws(CommandError) {
      try list.run(isNeedless: { [schedule] in schedule.isNeedless(index) }, observers: observers)
    } catch {
      ran.failure = error
    }
    do throws(CommandError) { ran.records = try list.finishedRecords() } catch { ran.failure = ran.failure ?? error }
    ran.outcome = list.outcome
    // What ended it is reported, and not what else is wrong with it.
    if ran.failure != nil { ran.outcome.needsCheck = false }
    if ran.failure == nil, !ran.outcome.isWrong { ran.departures = list.departures }
    ran.phone = list.phone
    let (lives, note) = list.drawnLives
    ran.drawings = lives.enumerated().map { number, life in
      life.drawing(redactor, id: "life-\(index + 1)-\(number + 1)")
    }
    ran.drawingNote = note
    return ran
  }

  /// Reports that a list does not run because of its mistakes.
  private func refuse(_ index: Int, _ output: ListOutput) {
    do throws(CommandError) {
      if plan.mode == .test { try output.line(ReplaySummary.refused(sources[index].name)) }
      try output.flush()
    } catch {
      schedule.fail(error)
    }
    self.output.end(index)
  }
}

extension OrderedOutput {
  /// Prints where the command prints; a progress bar gives way.
  fileprivate convenience init(_ environment: Environment, isHeld: Bool, progress: ReplayProgress?) {
    // Bytes of a list that wait for the lists before it.
    self.init(room: 32 << 20, isHeld: isHeld) { (piece) throws(CommandError) in
      var failure: CommandError?
      let write = {
        do throws(CommandError) {
          switch piece.stream {
          case .results: try environment.writeStyled(piece.bytes)
          case .messages: environment.writeError(String(decoding: piece.bytes, as: UTF8.self))
          }
        } catch {
          failure = error
        }
      }
      if let progress { progress.hidden(write) } else { write() }
      if let failure { throw failure }
    }
  }
}
