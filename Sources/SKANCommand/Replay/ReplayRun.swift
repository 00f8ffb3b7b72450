import Foundation
import SKANDevice
import SKANRun
import Synchronization

/// Lives the lists of a command line, several at a time, and tells of them in their order.
final class ReplayRun: Sendable {
  struct State {
    /// By the places of the lists; nil for one that was not begun.
    var ends: [End?]
    var next = 0
    var failure: CommandError?
    /// The first list that a failure has stopped: those after it do not count.
    var last: Int?
    /// What reports tell, by the places of the lists.
    var records: [Int: ListRecord] = [:]
    /// The indices of lists with mistakes found before the first step; they do not run.
    var refused: Set<Int> = []
    /// Digits of the largest line number that is known beforehand.
    var numberWidth = 0
  }

  /// What a list left.
  struct End {
    var counts: ReplayCounts
    var problems: [ListProblem]
    var needsCheck: Bool
    var recording: [UInt8]?

    /// Whether there are mistakes in it.
    var isWrong: Bool { needsCheck || !problems.isEmpty }
  }

  let plan: ReplayPlan
  let setup: StepSetup
  let sources: [ReplaySource]
  let environment: Environment
  let output: OrderedOutput
  let progress: ReplayProgress?
  let start: Instant
  let state: Mutex<State>

  init(_ plan: ReplayPlan, _ setup: StepSetup, _ sources: [ReplaySource]) {
    self.plan = plan
    self.setup = setup
    self.sources = sources
    environment = setup.invocation.environment
    start = environment.now()
    progress = Self.progress(plan, sources, environment)
    output = OrderedOutput(environment, lists: sources.count, isHeld: plan.isSilent, progress: progress)
    state = Mutex(State(ends: Array(repeating: nil, count: sources.count)))
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

  /// Checks what can be read twice, lives all lists, and ends.
  func run() throws(CommandError) -> ExitCode {
    try check()
    runLists()
    return try end()
  }

  private func runLists() {
    let threads = min(plan.jobs, sources.count)
    guard threads > 1 else { return runRest() }
    let group = DispatchGroup()
    // This thread is one of them; where the system gives fewer, the threads there are run all lists.
    for _ in 1..<threads {
      group.enter()
      let isStarted = environment.startThread { [self] in
        runRest()
        group.leave()
      }
      guard isStarted else {
        group.leave()
        break
      }
    }
    runRest()
    group.wait()
  }

  /// Runs lists that no thread has begun, one after the other.
  private func runRest() {
    while let index = nextIndex() { _ = run(index) }
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.last == nil, state.next < sources.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
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
      output, list: index, redactor: setup.redactor, isEager: !source.isRegular || plan.isRemote)
    if state.withLock({ $0.refused.contains(index) }) {
      refuse(index, &output)
      return nil
    }
    let list = ReplayedList(
      plan, source, setup, output: output, isAlone: sources.count == 1, numberWidth: state.withLock { $0.numberWidth },
      progress: progress, phone: phone)
    var failure: CommandError?
    var record = ListRecord(file: source.name, start: plan.keepsRecords ? environment.now() : .listStart)
    do throws(CommandError) {
      try list.run(
        isNeedless: { [self] in state.withLock { $0.last.map { $0 < index } ?? false } }, observers: observers)
    } catch {
      failure = error
    }
    if plan.keepsRecords {
      record.time = environment.now().since(record.start)
      record.steps = list.steps
      state.withLock { [record] in $0.records[index] = record }
      if let failure { keep(failure, of: index) }
    }
    let end = End(
      counts: list.counts, problems: list.problems, needsCheck: list.needsCheck,
      recording: list.recordedBytes)
    state.withLock { state in
      state.ends[index] = end
      state.failure = state.failure ?? failure
      if list.wasStopped { state.last = min(index, state.last ?? index) }
    }
    if source.isRegular, end.isWrong, sources.count > 1 {
      self.output.discard(index)
      refuse(index, &output)
      return nil
    }
    self.output.end(index, isLast: list.wasStopped)
    return failure == nil && list.problems.isEmpty ? list.phone : nil
  }

  /// Reports that a list does not run because of its mistakes.
  private func refuse(_ index: Int, _ output: inout ListOutput) {
    do throws(CommandError) {
      if plan.mode == .test { try output.line(ReplaySummary.refused(sources[index].name)) }
      try output.flush()
    } catch {
      fail(error)
    }
    self.output.end(index)
  }

  /// Stops the run.
  func fail(_ error: CommandError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// What stopped the run, apart from the lists' own mistakes.
  var failure: CommandError? { state.withLock { $0.failure } }

  /// What the lists left, by their places; of those after a failure that stops the run nothing.
  var ends: [End?] { state.withLock { Array($0.ends.prefix($0.last.map { $0 + 1 } ?? sources.count)) } }

}
