import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// One list of a replay: runs it with all observers that the command line asks for.
final class ReplayJob {
  /// The part of a list that one of several threads runs.
  struct Part {
    let partition: PhonePartition
    /// Whether this part reports to the progress bar how much of the list is read.
    let countsBytes: Bool

    init(_ partition: PhonePartition, countsBytes: Bool) {
      self.partition = partition
      self.countsBytes = countsBytes
    }
  }

  private let settings: ReplaySettings
  private let source: ListSource
  private let execution: StepExecution
  private let environment: Environment
  private let progress: ProgressBar?
  private let phones: ListPhones
  private let list: ListJob
  private let report: ListReport
  /// Nil if no lives are drawn.
  private let lives: LifeObserver?
  /// Nil if the whole list is run.
  private let part: Part?

  init(
    _ settings: ReplaySettings, _ source: ListSource, _ setup: StepSetup, output: ListOutput, isAlone: Bool,
    columns: StepColumns,
    records: StepRecords?, progress: ProgressBar?, phone: Phone? = nil, part: Part? = nil
  ) {
    self.part = part
    self.settings = settings
    self.source = source
    self.progress = progress
    environment = setup.invocation.environment
    execution = StepExecution(setup)
    let runner = execution.runner(now: { .listStart })
    phones =
      phone.map { ListPhones(runner, everyPhone: $0) }
      ?? ListPhones(runner, keepsNames: settings.keepsNames, varies: source.cell)
    list = ListJob(
      settings.lists, source.name, on: phones, partition: part?.partition,
      isRecorded: settings.record != nil,
      counter: settings.countsSummary
        ? SummaryObserver(settings.lists, of: source.name, groupsFailures: part == nil)
        : nil)
    lives = settings.drawsLives ? LifeObserver(settings, setup.redactor) : nil
    report = ListReport(
      settings, of: source.name, isAlone: isAlone, columns: columns, output: output, records: records,
      isPart: part != nil,
      now: environment.now, trace: { [execution] in execution.trace($0) })
  }

  /// The phone of a list about one phone, after its steps and without the SDK key.
  var phone: Phone? {
    guard var phone = phones.onlyPhone else { return nil }
    phone.device.redact(by: execution.redactor)
    return phone
  }

  /// The postbacks that leave the phones, if ``ReplaySettings/keepsDepartures``.
  var departures: [Departure] { list.departures }

  /// The lives of phones to draw, and a note about those left out.
  var drawnLives: (lives: [DrawnLife], note: String?) { lives?.drawn() ?? ([], nil) }

  var outcome: ListOutcome { list.outcome(report.tally.counts, wasStopped: report.wasStopped) }

  /// Whether a step was for a phone that no step had declared.
  var hasUndeclaredSteps: Bool { list.hasUndeclaredSteps }

  /// The records of the steps, if reports are requested.
  func finishedRecords() throws(CommandError) -> StepRecords? { try report.finishedRecords() }

  /// Runs the list.
  ///
  /// - Parameters:
  ///   - isObsolete: whether an earlier list has failed, so that the rest of this one is not needed.
  ///   - observers: further observers of the steps.
  func run(isObsolete: @escaping () -> Bool, observers: [any StepObserver]) throws(CommandError) {
    // A step that may ask an endpoint takes long, so each of them updates the bar. Other steps are fast.
    let watch = progress.map {
      ProgressObserver($0, interval: settings.lists.isRemote ? 1 : 1024, countsBytes: part?.countsBytes ?? true)
    }
    var all: [any StepObserver] = observers
    // These come before the report, which may stop the list.
    if let lives { all.append(lives) }
    all.append(report)
    if let watch { all.append(watch) }
    let options = settings.lists.runOptions(
      isInterrupted: environment.isInterrupted, isObsolete: isObsolete, sleep: environment.sleep)
    let bytes: ByteSource
    do throws(SourceFailure) { bytes = try source.open(environment.files) } catch {
      throw CommandError(error, file: source.name)
    }
    let end = list.run(
      bytes, settings.readerOptions(of: source, environment.files), options,
      observer: all[0],
      others: Array(all.dropFirst()),
      settle: { [execution] in execution.settle($0) }
    ) { [execution, phones] step in execution.attempt(step, on: phones) }
    if let record = settings.record, let (file, line) = list.tooLong {
      throw .cannotWrite(
        file: record.path,
        reason: "the answer to \(file):\(line) makes a line longer than \(LineReader.longest >> 20) MiB")
    }
    if let failure = report.failure { throw failure }
    switch end {
    case .finished, .stopped, .wrong: break
    case .interrupted: throw .interrupted
    case .unreadable(let failure): throw CommandError(failure, file: source.name)
    }
    watch?.end(consumed: list.consumed)
    if case .wrong(let problems) = end { try report.end(problems) } else { try report.end([]) }
  }
}

/// One list on several threads, which prints the same as one ``ReplayJob`` once all have ended.
extension ReplayRun {
  /// Runs a list, and prints what is wrong with its steps.
  ///
  /// - Returns: nil if one thread must run the list: because steps have a visible effect before the end, are recorded,
  ///   delivered or drawn, or because ``PhoneThreads`` does not divide it.
  func runDivided(_ source: ListSource, _ output: ListOutput) -> Ran? {
    guard settings.isSilent, settings.record == nil, !settings.keepsDepartures, !settings.drawsLives,
      let threads = PhoneThreads(
        settings.lists, isRegular: source.isRegular, size: source.size,
        open: { () throws(SourceFailure) in try source.open(environment.files) })
    else { return nil }
    let separate = output.separate
    let found = threads.run(into: newRecords(of: source), startThread: environment.startThread) {
      self.runPart(ReplayJob.Part($0, countsBytes: $1), of: source, separate())
    }
    guard var found else { return nil }
    do throws(CommandError) {
      found.counts.firstFinding = try report(
        found.records, of: source.name, found.failure == nil ? found.counts : nil, output, &found.summary)
    } catch {
      found.failure = found.failure ?? error
    }
    var outcome = ListOutcome(counts: found.counts)
    outcome.summary = found.summary
    return Ran(outcome: outcome, records: settings.lists.keepsRecords ? found.records : nil, failure: found.failure)
  }

  private func runPart(
    _ part: ReplayJob.Part, of source: ListSource, _ output: ListOutput
  ) -> PhoneThreads.Part<CommandError> {
    let list = ReplayJob(
      settings, source, setup, output: output, isAlone: true, columns: StepColumns(lines: 0, widest: 0),
      records: newRecords(of: source), progress: progress, part: part)
    var failure: CommandError?
    var records: StepRecords?
    do throws(CommandError) { try list.run(isObsolete: { false }, observers: []) } catch { failure = error }
    do throws(CommandError) { records = try list.finishedRecords() } catch { failure = failure ?? error }
    return PhoneThreads.Part(list.outcome, records, isIndependent: !list.hasUndeclaredSteps, failure)
  }

  /// Prints what is wrong with the steps, in the order of the list.
  ///
  /// - Returns: the first finding.
  private func report(
    _ records: StepRecords, of name: String, _ counts: ReplayCounts?, _ output: ListOutput,
    _ summary: inout ListSummary?
  ) throws(CommandError) -> WarningCode? {
    let name = setup.redactor.redacted(name)
    var failures = ListFailures(settings, of: name)
    var finding: String?
    if records.counts.failed + records.counts.findings > 0 {
      try records.forEach(CommandError.init(records:)) { (step) throws(CommandError) in
        try failures.report(step, to: output)
        summary?.failures.add(step, of: name)
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

/// Adds the steps of a list to the records of a device file: its history, and the last answerer.
final class DeviceFileObserver: StepObserver {
  private(set) var file: DeviceFile
  private var answerers: AnswererMemory

  init(_ file: DeviceFile, _ invocation: Invocation) {
    self.file = file
    answerers = AnswererMemory(invocation)
  }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    if case .ran(let result, _, _) = event {
      answerers.record(result, in: &file)
      file.record(result)
    }
    return true
  }
}
