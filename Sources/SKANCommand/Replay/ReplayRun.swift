import Foundation
import SKANDevice
import SKANJSON
import SKANReplay
import Synchronization

/// Lives the lists of a command line, several at a time, and tells of them in their order.
final class ReplayRun: Sendable {
  private struct State {
    /// By the places of the lists; nil for one that was not begun.
    var ends: [End?]
    var next = 0
    var failure: CommandError?
    /// The first list that a failure has stopped: those after it do not count.
    var last: Int?
    /// What reports tell, by the places of the lists.
    var records: [Int: ListRecord] = [:]
    /// By the places of lists that were found to be wrong before the first step; they are not lived.
    var refused: Set<Int> = []
    /// Digits of the largest line number that is known beforehand.
    var numberWidth = 0
  }

  /// What a list left.
  private struct End {
    var counts: ReplayCounts
    var problems: [ListProblem]
    var needsCheck: Bool
    var recording: [UInt8]?

    /// Whether there are mistakes in it.
    var isWrong: Bool { needsCheck || !problems.isEmpty }
  }

  private let plan: ReplayPlan
  private let setup: StepSetup
  private let sources: [ReplaySource]
  private let environment: Environment
  private let output: OrderedOutput
  private let progress: ReplayProgress?
  private let start: Instant
  private let state: Mutex<State>

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

  /// Nil when nobody watches.
  private static func progress(
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
    live()
    return try end()
  }

  /// Refuses to begin when a list cannot be read; tells of all of them.
  func requireLists() throws(CommandError) {
    var failures: [CommandError] = []
    for (index, source) in sources.enumerated() {
      guard let failure = source.failure else { continue }
      failures.append(failure)
      keep(failure, of: index)
    }
    for failure in failures.dropLast() { failure.message.map { environment.writeError($0 + "\n") } }
    if let last = failures.last { throw last }
  }

  /// Reads every list that can be read twice to its end before the first step, unless nothing can be seen of the steps.
  /// One with mistakes does not keep the others from being lived.
  ///
  /// - Throws: when none is left, or the first failure is to end the run.
  func check() throws(CommandError) {
    if plan.isSilent { return }
    var whole = ListCheck()
    let regular = sources.indices.filter { sources[$0].isRegular }
    let checking = Self.progress(plan, regular.map { sources[$0] }, environment)
    defer {
      checking?.end()
      progress?.begin()
    }
    var refused: Set<Int> = []
    for index in regular {
      let check = try check(index, checking)
      whole.add(check)
      if check.count > 0 { refused.insert(index) }
    }
    if whole.count > 0 {
      let mistakes = CommandError.lists(whole.problems, count: whole.count)
      if plan.stopsAtFailure || refused.count == sources.count { throw mistakes }
      state.withLock { [refused] in $0.refused = refused }
      mistakes.message.map { environment.writeError(setup.redactor.redacted($0) + "\n") }
    }
    let lines = max(whole.lines, sources.contains { !$0.isRegular } ? 999 : 0)
    state.withLock { $0.numberWidth = String(lines).count }
  }

  private func check(_ index: Int, _ progress: ReplayProgress? = nil) throws(CommandError) -> ListCheck {
    let files = environment.files
    let name = sources[index].name
    var check = ListCheck()
    do throws(SourceFailure) {
      try check.add(name, plan.readerOptions(environment)) { () throws(SourceFailure) in
        try files.open(name).watched { progress?.advance(read: $0, steps: 0) }
      }
    } catch {
      let failure = CommandError(error, file: name)
      keep(failure, of: index)
      throw failure
    }
    keep(check, of: index)
    return check
  }

  private func live() {
    let threads = min(plan.jobs, sources.count)
    guard threads > 1 else { return liveRest() }
    let group = DispatchGroup()
    // This thread is one of them; where the system gives fewer, those that there are live all lists.
    for _ in 1..<threads {
      group.enter()
      let isStarted = environment.startThread { [self] in
        liveRest()
        group.leave()
      }
      guard isStarted else {
        group.leave()
        break
      }
    }
    liveRest()
    group.wait()
  }

  /// Lives lists that nobody has begun, one after the other.
  private func liveRest() {
    while let index = nextIndex() { _ = live(index) }
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.last == nil, state.next < sources.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Lives one list.
  ///
  /// - Parameters:
  ///   - phone: with which the list goes on.
  ///   - observe: sees every result.
  /// - Returns: the phone of a list about one phone; nil also when the list could not be lived.
  func live(_ index: Int, phone: Phone? = nil, observe: (StepResult) -> Void = { _ in }) -> Phone? {
    let source = sources[index]
    var output = ListOutput(
      output, list: index, redactor: setup.redactor, isEager: !source.isRegular || plan.isRemote)
    if state.withLock({ $0.refused.contains(index) }) {
      refuse(index, &output)
      return nil
    }
    let report = ListReport(
      plan, of: source.name, isAlone: sources.count == 1, numberWidth: state.withLock { $0.numberWidth },
      output: output)
    let life = ListLife(plan, source, setup, report: report, progress: progress, phone: phone)
    var failure: CommandError?
    var record = ListRecord(file: source.name, start: plan.keepsRecords ? environment.now() : .listStart)
    do throws(CommandError) {
      try life.live(isNeedless: { state.withLock { $0.last.map { $0 < index } ?? false } }, observe: observe)
    } catch {
      failure = error
    }
    if plan.keepsRecords {
      record.time = environment.now().since(record.start)
      record.steps = life.steps
      state.withLock { [record] in $0.records[index] = record }
      if let failure { keep(failure, of: index) }
    }
    let end = End(
      counts: life.counts, problems: life.problems, needsCheck: life.needsCheck,
      recording: life.recording)
    state.withLock { state in
      state.ends[index] = end
      state.failure = state.failure ?? failure
      if life.wasStopped { state.last = min(index, state.last ?? index) }
    }
    if source.isRegular, end.isWrong, sources.count > 1 {
      self.output.discard(index)
      refuse(index, &output)
      return nil
    }
    self.output.end(index, isLast: life.wasStopped)
    return failure == nil && life.problems.isEmpty ? life.phone : nil
  }

  /// Tells that a list is not lived, or was not to be.
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
  private var ends: [End?] { state.withLock { Array($0.ends.prefix($0.last.map { $0 + 1 } ?? sources.count)) } }

  /// The mistakes of the lists, all of them.
  func problems() throws(CommandError) -> ListCheck {
    var whole = ListCheck()
    for (index, end) in ends.enumerated() {
      guard let end else { continue }
      var check = end.needsCheck ? try self.check(index) : ListCheck()
      if check.count == 0 { check.add(end.problems) }
      keep(check, of: index)
      whole.add(check)
    }
    return whole
  }

  /// Prints what was held and the counts, writes what was asked for, and gives the exit code.
  func end() throws(CommandError) -> ExitCode {
    progress?.end()
    var failure = failure
    let check = try problems()
    let (ends, refused) = (ends, state.withLock { $0.refused })
    let isHeldBack = zip(sources, ends).allSatisfy { $0.isRegular && $1?.isWrong ?? false }
    let right = ends.compactMap(\.self).filter { !$0.isWrong }
    let counts = right.reduce(into: ReplayCounts()) { $0 += $1.counts }
    do throws(CommandError) {
      // A pipe has been lived up to its mistake, and what there was to tell of it is told.
      if !isHeldBack { try output.release() }
      let wrong = refused.count + ends.count { $0?.isWrong ?? false }
      if failure == nil, wrong == 0 || !right.isEmpty { try tell(counts, right, wrong: wrong) }
    } catch {
      failure = failure ?? error
    }
    if !refused.isEmpty { failure = failure ?? .lists([], count: 0) }
    // Where nothing was held back each list has told its own.
    if check.count > 0 {
      failure = failure ?? .lists(plan.isSilent ? check.problems : [], count: plan.isSilent ? check.count : 0)
    }
    if let failure { throw failure }
    if let path = plan.recordPath, let bytes = right.first?.recording {
      if path == "-" { try environment.writeOutput(bytes) } else { try environment.files.replace(path, bytes) }
    }
    if plan.label != nil, counts.steps + counts.skipped == 0, !plan.allowsEmpty {
      throw .nothingMatched("no step has a label that --label matches")
    }
    return counts.failures > 0 || plan.isStrict && counts.findings > 0 ? .expectationFailed : .ok
  }

  private func tell(_ counts: ReplayCounts, _ ends: [End], wrong: Int) throws(CommandError) {
    switch plan.mode {
    case .steps: try environment.write(ReplaySummary.steps(counts, wrong: wrong) + "\n")
    case .test:
      let failed = ends.count { $0.counts.failures > 0 || plan.isStrict && $0.counts.findings > 0 }
      let seconds = environment.now().since(start).seconds
      try environment.write(ReplaySummary.test(counts, failed: failed, wrong: wrong, seconds: seconds) + "\n")
    case .json, .quiet: break
    }
  }
}

// MARK: What reports tell

extension ReplayRun {
  /// Of the lists that were begun, and of those that cannot be lived.
  var records: [ListRecord] {
    let (records, last) = state.withLock { ($0.records, $0.last ?? sources.count) }
    return records.filter { $0.key <= last }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether it ended at the first expectation that failed.
  var wasStopped: Bool { state.withLock { $0.last != nil } }

  var redactor: Redactor { setup.redactor }

  var invocation: Invocation { setup.invocation }

  /// Keeps why a list cannot be read; other failures are no list's own.
  private func keep(_ failure: CommandError, of index: Int) {
    switch failure {
    case .missing, .unreadable, .nothingMatched: break
    default: return
    }
    keep(failure.reportText.map { [$0] } ?? [], of: index)
  }

  private func keep(_ check: ListCheck, of index: Int) {
    let more = check.count - check.problems.count
    keep(
      check.problems.map { $0.note.line(file: $0.file) } + (more > 0 ? ["and \(more) more problems"] : []), of: index)
  }

  private func keep(_ problems: [String], of index: Int) {
    guard plan.keepsRecords, !problems.isEmpty else { return }
    let empty = ListRecord(file: sources[index].name, start: start)
    state.withLock { $0.records[index, default: empty].problems = problems }
  }
}
