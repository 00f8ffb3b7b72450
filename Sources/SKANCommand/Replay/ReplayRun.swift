import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem
import Synchronization

/// Runs the lists of a command line, several at a time, and prints their output in order.
final class ReplayRun: Sendable {
  let settings: ReplaySettings
  let setup: StepSetup
  let sources: [ListSource]
  let environment: Environment
  let output: OrderedOutput
  let progress: ProgressBar?
  let start: Instant
  let schedule: RunSchedule<CommandError>
  /// The temporary storage for the records of steps that reports need.
  let spool = RecordSpool()
  /// The postbacks that leave the phones of each list.
  private let departuresOfLists = Mutex<[Int: [Departure]]>([:])
  /// The results of each run of a list, for the comparison of phones.
  private let matrixRuns = Mutex<[Int: MatrixRun]>([:])
  /// The widths of the columns, known before the lists run.
  let columns = Mutex(StepColumns(lines: 0, widest: 0))

  init(_ settings: ReplaySettings, _ setup: StepSetup, _ sources: [ListSource]) {
    self.settings = settings
    self.setup = setup
    self.sources = sources
    environment = setup.invocation.environment
    start = environment.now()
    progress = Self.progress(settings, sources, environment)
    output = OrderedOutput(environment, isHeld: settings.isSilent, progress: progress)
    schedule = RunSchedule(count: sources.count)
  }

  /// Nil if there is no terminal to draw on.
  static func progress(
    _ settings: ReplaySettings, _ sources: [ListSource], _ environment: Environment
  ) -> ProgressBar? {
    // A pager that shows the steps uses the same terminal.
    let isWatched =
      settings.mode != .quiet && environment.isTerminal() && (settings.mode != .steps || !environment.isPiped())
    let total = sources.allSatisfy { $0.size != nil } ? sources.reduce(0) { $0 + ($1.size ?? 0) } : 0
    return isWatched ? ProgressBar(environment, total: total) : nil
  }

  /// Checks the lists that can be read twice, runs all lists, and ends the replay.
  func run() throws(CommandError) -> ExitCode {
    try check()
    schedule.runAll(jobs: settings.lists.jobs, startThread: environment.startThread) { [self] in _ = run($0) }
    return try end()
  }

  var departures: [Departure] {
    departuresOfLists.withLock { lists in lists.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  /// Runs one list.
  ///
  /// - Parameters:
  ///   - phone: the phone that the list continues; nil for new ones.
  ///   - observers: further observers of the steps.
  /// - Returns: the phone of a list about one phone; nil for any other list, or if the list could not run.
  func run(_ index: Int, phone: Phone? = nil, observers: [any StepObserver] = []) -> Phone? {
    let source = sources[index]
    let output = ListOutput(
      output, list: index, redactor: setup.redactor, isEager: !source.isRegular || settings.lists.isRemote,
      styles: environment.styles)
    if schedule.refused.contains(index) {
      refuse(index, output)
      return nil
    }
    let record = settings.lists.keepsRecords ? ListRecord(file: source.name, start: environment.now()) : nil
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
    if source.isRegular, ran.outcome.hasProblems, sources.count > 1 {
      self.output.discard(index)
      refuse(index, output)
      return nil
    }
    self.output.end(index, isLast: ran.outcome.wasStopped)
    return ran.failure == nil && ran.outcome.problems.isEmpty ? ran.phone : nil
  }

  /// The result of running a list.
  struct Ran {
    var outcome = ListOutcome(counts: ReplayCounts())
    var records: StepRecords?
    var departures: [Departure] = []
    var drawings: [LifeDrawing] = []
    var drawingNote: String?
    var phone: Phone?
    var failure: CommandError?
  }

  private func run(
    _ index: Int, _ source: ListSource, _ record: ListRecord?, phone: Phone?, _ observers: [any StepObserver],
    _ output: ListOutput
  ) -> Ran {
    let matrix = settings.matrix.map { _ in MatrixObserver(.init(path: source.path, name: source.name)) }
    let observers = observers + (matrix.map { [$0] } ?? [])
    defer { if let run = matrix?.run { matrixRuns.withLock { $0[index] = run } } }
    if sources.count == 1, phone == nil, let ran = runDivided(source, output) { return ran }
    var ran = Ran()
    let list = ReplayJob(
      settings, source, setup, output: output, isAlone: sources.count == 1, columns: columns.withLock { $0 },
      records: record.map { _ in newRecords(of: source) }, progress: progress, phone: phone)
    do throws(CommandError) {
      try list.run(isObsolete: { [schedule] in schedule.isObsolete(index) }, observers: observers)
    } catch {
      ran.failure = error
    }
    do throws(CommandError) { ran.records = try list.finishedRecords() } catch { ran.failure = ran.failure ?? error }
    ran.outcome = list.outcome
    // Only the failure that ended the list is reported, not its other mistakes.
    if ran.failure != nil { ran.outcome.needsCheck = false }
    if ran.failure == nil, !ran.outcome.hasProblems { ran.departures = list.departures }
    ran.phone = list.phone
    let (lives, note) = list.drawnLives
    ran.drawings = lives.enumerated().map { number, life in
      life.drawing(id: "life-\(index + 1)-\(number + 1)")
    }
    ran.drawingNote = note
    return ran
  }

  /// Reports that a list does not run because of its mistakes.
  private func refuse(_ index: Int, _ output: ListOutput) {
    do throws(CommandError) {
      if settings.mode == .test { try output.line(ReplaySummary.refused(sources[index].name)) }
      try output.flush()
    } catch {
      schedule.fail(error)
    }
    self.output.end(index)
  }
}

extension OrderedOutput {
  /// Prints on the command's streams, hiding the progress bar meanwhile.
  fileprivate convenience init(_ environment: Environment, isHeld: Bool, progress: ProgressBar?) {
    // The maximum number of bytes of lists that wait for the lists before them.
    self.init(room: 32 << 20, isHeld: isHeld) { (piece) throws(CommandError) in
      var failure: CommandError?
      let write = {
        do throws(CommandError) {
          try environment.write(piece.text, to: piece.stream, unredacted: "ListOutput redacts each line")
        } catch {
          failure = error
        }
      }
      if let progress { progress.hidden(write) } else { write() }
      if let failure { throw failure }
    }
  }
}

/// Checks before the first step.
extension ReplayRun {
  /// Throws if a list cannot be read. Every such list is reported.
  func requireLists() throws(CommandError) {
    var failures: [CommandError] = []
    for (index, source) in sources.enumerated() {
      guard let failure = source.failure else { continue }
      failures.append(failure)
      keep(failure, of: index)
    }
    for failure in failures.dropLast() { environment.printError(failure.lines()) }
    if let last = failures.last { throw last }
  }

  /// Reads to its end every list that can be read twice, unless steps have no visible effect before the end. A list
  /// with mistakes does not run; the others do.
  ///
  /// - Throws: an error if no list is left, or if the first failure is to end the run.
  func check() throws(CommandError) {
    if settings.isSilent { return }
    var whole = ListCheck()
    let regular = sources.indices.filter { sources[$0].isRegular }
    let checking = Self.progress(settings, regular.map { sources[$0] }, environment)
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
      if settings.lists.stopsAtFailure || refused.count == sources.count { throw mistakes }
      schedule.refuse(refused)
      environment.printError(mistakes.lines())
    }
    let lines = max(whole.lines, sources.contains { !$0.isRegular } ? 999 : 0)
    let terminal = environment.styles.results.columns
    columns.withLock { $0 = StepColumns(lines: lines, widest: whole.widest, terminal: terminal) }
  }

  func check(_ index: Int, _ progress: ProgressBar? = nil) throws(CommandError) -> ListCheck {
    let files = environment.files
    let name = sources[index].name
    var check = ListCheck()
    // The check also measures the columns, so that no list is read again for that.
    if settings.mode == .steps {
      var title = ByteText()
      check.measure = { [settings] in
        settings.lists.selects($0) ? StepText.columns(of: $0, atLeast: $1, in: &title) : $1
      }
    }
    do throws(SourceFailure) {
      try check.add(name, settings.readerOptions(of: sources[index], files)) { () throws(SourceFailure) in
        try sources[index].open(files).watched { progress?.advance(read: $0, steps: 0) }
      }
    } catch {
      let failure = CommandError(error, file: name)
      keep(failure, of: index)
      throw failure
    }
    keep(check, of: index)
    return check
  }
}

/// The end of the replay.
extension ReplayRun {
  /// The mistakes of all lists.
  func problems() throws(CommandError) -> ListCheck {
    var whole = ListCheck()
    for (index, outcome) in schedule.outcomes.enumerated() {
      guard let outcome else { continue }
      var check = outcome.needsCheck ? try self.check(index) : ListCheck()
      if check.count == 0 { check.add(outcome.problems) }
      keep(check, of: index)
      whole.add(check)
    }
    return whole
  }

  /// Prints the held output and the counts, writes the requested files, and returns the exit code.
  func end() throws(CommandError) -> ExitCode {
    progress?.end()
    var failure = schedule.failure
    let check = try problems()
    let (outcomes, refused) = (schedule.outcomes, schedule.refused)
    let isHeldBack = zip(sources, outcomes).allSatisfy { $0.isRegular && $1?.hasProblems ?? false }
    let right = outcomes.compactMap(\.self).filter { !$0.hasProblems }
    let counts = right.reduce(into: ReplayCounts()) { $0 += $1.counts }
    do throws(CommandError) {
      // A pipe has run up to its mistake, so its output is printed.
      if !isHeldBack { try output.release() }
      let wrong = refused.count + outcomes.count { $0?.hasProblems ?? false }
      if failure == nil, wrong == 0 || !right.isEmpty {
        try printCounts(counts, right, wrong: wrong)
        try printComparison()
      }
    } catch {
      failure = failure ?? error
    }
    if !refused.isEmpty { failure = failure ?? .lists([], count: 0) }
    // If no output was held back, each list has already printed its mistakes.
    if check.count > 0 {
      failure = failure ?? .lists(settings.isSilent ? check.problems : [], count: settings.isSilent ? check.count : 0)
    }
    if let failure { throw failure }
    if let file = settings.record, let bytes = right.first?.recording { try file.write(bytes, environment) }
    if settings.lists.label != nil, counts.steps + counts.skipped == 0, !settings.lists.allowsEmpty {
      throw .nothingMatched("no step has a label that --label matches")
    }
    if counts.failures > 0 || settings.lists.isStrict && counts.findings > 0 { return .expectationFailed }
    if let failure = counts.firstEndpointFailure { return failure.exitCode }
    return reportUnsent() ? .badAnswer : .ok
  }

  /// Reports each list of whose sessions and events none asked the remote endpoint.
  ///
  /// - Returns: whether there is one.
  private func reportUnsent() -> Bool {
    // Steps that --label leaves out are not counted, though they may have asked.
    if settings.lists.label != nil { return false }
    var isAny = false
    for (source, outcome) in zip(sources, schedule.outcomes) {
      guard let outcome, !outcome.hasProblems, let reason = outcome.counts.unsentReason else { continue }
      environment.printError([.remark("\(source.name.oneLine): no request was sent: \(reason)", .failure)])
      isAny = true
    }
    return isAny
  }

  /// Where the phones of a matrix differ; nil without one.
  var comparison: MatrixComparison? {
    guard let matrix = settings.matrix else { return nil }
    var comparison = MatrixComparison(matrix)
    let departures = departuresOfLists.withLock { $0 }
    let runs = matrixRuns.withLock { $0 }
    for first in stride(from: 0, to: sources.count, by: matrix.cells.count) {
      let indices = first..<first + matrix.cells.count
      comparison.add(
        sources[first].path, indices.map { runs[$0] ?? MatrixRun() },
        indices.map { departures[$0] ?? [] })
    }
    return comparison
  }

  /// Prints the comparison of phones.
  private func printComparison() throws(CommandError) {
    guard let comparison else { return }
    if settings.mode == .quiet { return }
    if settings.mode == .json || settings.summary == .json {
      try environment.write(JSONWriter.text(comparison) + "\n")
    } else {
      try environment.print(ReportText.lines([], [comparison.part]))
    }
  }

  /// The summary of the lists without mistakes.
  var summary: SummaryReport {
    let right = schedule.outcomes.compactMap(\.self).filter { !$0.hasProblems }
    return SummaryReport(
      right.reduce(into: ReplayCounts()) { $0 += $1.counts },
      right.compactMap(\.summary).reduce(into: ListSummary()) { $0 += $1 })
  }

  private func printCounts(_ counts: ReplayCounts, _ outcomes: [ListOutcome], wrong: Int) throws(CommandError) {
    switch settings.mode {
    case .steps:
      try environment.print([ReplaySummary.steps(counts, wrong: wrong)])
      if let finding = counts.firstFinding { environment.printError([ExplanationHint.line(finding.name)]) }
    case .test:
      let failed = outcomes.count { $0.counts.haveFailed(isStrict: settings.lists.isStrict) }
      let seconds = environment.now().since(start).seconds
      try environment.print([ReplaySummary.test(counts, failed: failed, wrong: wrong, seconds: seconds)])
      if settings.printsFindings, let finding = counts.firstFinding {
        environment.printError([ExplanationHint.line(finding.name)])
      }
    case .json, .summary, .quiet: break
    }
    if settings.mode == .steps || settings.mode == .test, counts.failures == 0,
      let failure = counts.firstEndpointFailure
    {
      environment.printError([ExplanationHint.line(failure.exitCode.code)])
    }
    guard let form = settings.summary else { return }
    let report = summary
    switch form {
    case .text:
      let headline = settings.mode == .test ? [] : [ReplaySummary.steps(counts, wrong: wrong)]
      try environment.print(headline + ReportText.lines([], report.parts))
      if let finding = report.commonestFinding,
        settings.mode == .summary || settings.mode == .test && !settings.printsFindings
      {
        environment.printError([ExplanationHint.line(finding)])
      }
    case .json: try environment.write(JSONWriter.text(report) + "\n")
    }
  }
}

/// The records of the lists, for reports.
extension ReplayRun {
  var invocation: Invocation { setup.invocation }

  func newRecords(of source: ListSource) -> StepRecords {
    StepRecords(of: setup.redactor.redacted(source.name), in: spool)
  }

  /// Records the reason why a list cannot be read. Other failures do not belong to a list.
  func keep(_ failure: CommandError, of index: Int) {
    switch failure {
    case .missing, .unreadable, .nothingMatched: break
    default: return
    }
    keep(failure.reportText.map { [ListRecord.Problem($0)] } ?? [], of: index)
  }

  func keep(_ check: ListCheck, of index: Int) {
    let more = check.count - check.problems.count
    let problems = check.problems.map { problem in
      let note = problem.note
      return ListRecord.Problem(
        note.heading(file: problem.file).text,
        at: .init(
          file: problem.file, line: note.location.line, column: note.location.column, message: note.message))
    }
    keep(problems + (more > 0 ? [ListRecord.Problem("and \(more) more problems")] : []), of: index)
  }

  private func keep(_ problems: [ListRecord.Problem], of index: Int) {
    guard settings.lists.keepsRecords, !problems.isEmpty else { return }
    schedule.record(problems, of: index, empty: ListRecord(file: sources[index].name, start: start))
  }
}
