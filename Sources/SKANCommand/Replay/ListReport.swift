import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// Prints the report of one list: the lines of its steps and its counts.
final class ListReport: StepObserver {
  private let settings: ReplaySettings
  /// Whether results are needed even of steps that are not selected.
  private let wantsEveryResult: Bool
  /// Whether results are needed of selected steps, even if they expect nothing.
  private let wantsResults: Bool
  private let columns: StepColumns
  private let output: ListOutput
  /// The list of the last step shown, so that included lists are named.
  private var shownFile: String
  private(set) var tally: ListTally
  private var failures: ListFailures
  /// Whether failures are only recorded, to be printed together with those of other threads.
  private let isPart: Bool
  /// The error that prevents further output.
  private(set) var failure: CommandError?
  /// Whether a failed expectation has stopped the list.
  private(set) var wasStopped = false
  /// Whether this list has shown the note about reading the details too early.
  private var hasShownStale = false
  /// The real clock, for reports.
  private let now: @Sendable () -> Instant
  private var stepBegan = Instant.listStart
  /// The request and the answer of a step as they went over the wire.
  private let trace: (StepResult) -> [String]

  /// - Parameters:
  ///   - isAlone: whether this is the only list, which needs no name above its lines.
  ///   - records: the records to which the steps are added; nil to keep none.
  ///   - isPart: whether other threads run other steps of the list. In that case nothing is printed.
  init(
    _ settings: ReplaySettings, of name: String, isAlone: Bool, columns: StepColumns, output: ListOutput,
    records: StepRecords?,
    isPart: Bool,
    now: @escaping @Sendable () -> Instant, trace: @escaping (StepResult) -> [String]
  ) {
    self.settings = settings
    self.columns = columns
    self.output = output
    self.isPart = isPart
    failures = ListFailures(settings, of: name)
    shownFile = isAlone ? name : ""
    wantsEveryResult = settings.needsResults
    wantsResults =
      settings.mode == .json || settings.isVerbose || settings.printsFindings || settings.groupsFindings
      || settings.lists.keepsRecords
      || settings.mode == .steps && settings.lists.isRemote
    tally = ListTally(settings.lists, records: records, showsFindings: settings.printsFindings)
    self.now = now
    self.trace = trace
  }

  func wantsResult(of step: Step) -> Bool {
    wantsEveryResult
      || (wantsResults || step.hasExpectations || showsPostbacks(of: step)) && settings.lists.selects(step)
  }

  /// Whether the step's line shows postbacks. Any other line is made from the report alone.
  private func showsPostbacks(of step: Step) -> Bool {
    if case .postbacks = step.operation { settings.mode == .steps } else { false }
  }

  func stepBegins(_ step: Step) { if tally.keepsEveryRecord { stepBegan = now() } }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    do throws(CommandError) {
      switch event {
      case .completed(let report, let at, let isSelected):
        guard isSelected else { break }
        tally.count(report)
        noteWentBack(report, of: step, in: reader)
        if settings.mode == .steps { try showLine(of: step, at, report, at: reader.location) }
      case .ran(let result, let verdicts, let isSelected):
        guard isSelected else { break }
        noteWentBack(result.report, of: step, in: reader)
        try show(result, verdicts, at: reader.location, index: reader.index)
      case .skipped(let reason, let isSelected):
        if isSelected { try skip(step, reason, at: reader.location, index: reader.index) }
      case .retried(let result, let reason, let attempt): try showRetry(result, reason, attempt, at: reader.location)
      }
      return !wasStopped
    } catch {
      failure = error
      return false
    }
  }

  /// Notes a time that goes back, unless the step expects warnings.
  private func noteWentBack(_ report: StepReport, of step: Step, in reader: ListReader) {
    guard let span = report.wentBack, !step.expectations.contains(where: { $0.path.hasPrefix("warnings") }) else {
      return
    }
    tally.noteWentBack(by: span, at: reader.location, index: reader.index)
  }

  private func showRetry(
    _ result: StepResult, _ reason: String, _ attempt: Int, at location: (file: String, line: Int)
  ) throws(CommandError) {
    if settings.isVerbose { try output.error(trace(result).map { StyledText($0) }) }
    if settings.mode == .quiet { return }
    let wait = TimeSpan(seconds: settings.lists.retrySeconds) ?? .zero
    try output.error([
      .at(
        "\(location.file):\(location.line)",
        "\(reason); asked again after \(wait) (\(attempt) of \(settings.lists.retries))")
    ])
  }

  /// Counts a step and prints it, with its verdicts.
  private func show(
    _ result: StepResult, _ verdicts: [Expectation.Verdict], at location: (file: String, line: Int), index: Int
  ) throws(CommandError) {
    let wrong: StepRecord?
    do throws(FileError) {
      wrong = try tally.count(result, verdicts, at: location, index: index, took: now().since(stepBegan))
    } catch {
      throw CommandError(records: error)
    }
    if settings.isVerbose { try output.error(trace(result).map { StyledText($0) }) }
    switch settings.mode {
    case .steps:
      try showLine(of: result.step, result.at, result.report, at: location)
      let lines = StepText.furtherLines(result, columns, showsNotes: settings.isVerbose, hidesStale: hasShownStale)
      if settings.isVerbose { hasShownStale = hasShownStale || StepText.showsStale(result) }
      for line in lines { try output.line(line) }
    case .json:
      let shown = ShownResult(result)
      (shown.verdicts, shown.location) = (verdicts, location)
      try output.result(shown)
    case .test, .summary, .quiet: break
    }
    guard let wrong, !isPart else { return }
    try failures.report(wrong, to: output)
    wasStopped = settings.lists.stopsAtFailure && !wrong.failures.isEmpty
  }

  /// Prints the line of a step, and its findings if notes are hidden.
  private func showLine(
    of step: Step, _ at: Instant, _ report: StepReport, at location: (file: String, line: Int)
  ) throws(CommandError) {
    try showFile(location.file)
    try output.line { StepText.write(step, at, report, line: location.line, columns, to: &$0) }
    if !settings.isVerbose, report.hasFinding {
      for warning in report.warnings where warning.level == .finding {
        try output.line { StepText.write(warning, indent: columns.indent, to: &$0) }
      }
    }
  }

  private func showFile(_ file: String) throws(CommandError) {
    if file != shownFile { try output.line("\(file, .bold):") }
    shownFile = file
  }

  /// Counts a skipped step and prints it.
  private func skip(
    _ step: Step, _ reason: String, at location: (file: String, line: Int), index: Int
  ) throws(CommandError) {
    do throws(FileError) { try tally.countSkipped(step, reason, at: location, index: index) } catch {
      throw CommandError(records: error)
    }
    let explanation = "Skipped: \(reason.oneLine)"
    switch settings.mode {
    case .steps:
      try showFile(location.file)
      try output.line { StepText.writeSkipped(step, explanation, line: location.line, columns, to: &$0) }
    case .json:
      try output.result(SkippedStep(step, explanation, at: location))
    case .test, .summary, .quiet: break
    }
  }

  /// The records of the steps, if reports are requested.
  func finishedRecords() throws(CommandError) -> StepRecords? {
    do throws(FileError) { try tally.finish() } catch { throw CommandError(records: error) }
    return tally.records
  }

  /// Ends the list. Its mistakes are printed here unless output is held back.
  func end(_ problems: [ListProblem]) throws(CommandError) {
    if isPart { return }
    try failures.end(problems.isEmpty ? tally.counts : nil, output)
    if !settings.isSilent { for problem in problems { try output.error(problem.note.lines(file: problem.file)) } }
    try output.flush()
  }
}

/// Prints the failures of one list's steps, and the list's line of `--test`.
struct ListFailures {
  /// The maximum number of failures of one list to print while output is held back. The others are counted.
  private static let mostPrinted = 100

  private let settings: ReplaySettings
  private let name: String
  /// The number of failures and findings so far, printed or not.
  private var reported = 0
  private var equal = EqualFailures()

  init(_ settings: ReplaySettings, of name: String) {
    self.settings = settings
    self.name = settings.lists.redactor.redacted(name)
  }

  /// Prints what is wrong with a step.
  mutating func report(_ step: StepRecord, to output: ListOutput) throws(CommandError) {
    guard step.hasFailed else { return }
    // Several lists may include the same one, so the including list is named too.
    let location = step.location + (step.file == name ? "" : " (included by \(name))")
    // Printed once, below the first failure of the step.
    var exchanges = StepText.exchanges(step.exchanges)
    for failure in FailureKind.all(of: step) {
      if case .finding(let finding) = failure {
        // The endpoint's fault already reports the finding that an install is poisoned.
        let isReported = step.failures.isEmpty && step.fault?.reason == finding.message
        if isReported || !settings.printsFindings { continue }
      }
      if equal.shouldSuppress(failure, at: location) { continue }
      try report(StepText.lines(of: failure, step, at: location) + exchanges, to: output)
      exchanges = []
    }
  }

  private mutating func report(_ lines: [StyledText], to output: ListOutput) throws(CommandError) {
    reported += 1
    try output.error(equal.lines(of: name).map { StyledText($0) })
    if settings.isSilent, reported > Self.mostPrinted { return }
    try output.error(lines)
  }

  /// Prints the end of the list.
  ///
  /// - Parameter counts: the counts of the list; nil for a list with mistakes.
  func end(_ counts: ReplayCounts?, _ output: ListOutput) throws(CommandError) {
    try output.error(equal.lines(of: name).map { StyledText($0) })
    if settings.isSilent, reported > Self.mostPrinted {
      try output.error(["\(name): … and \(reported - Self.mostPrinted) more"])
    }
    if let first = counts?.firstSetBack, let count = counts?.setBacks, ![.quiet, .json].contains(settings.mode) {
      let more = count > 1 ? ", the first of \(count) such steps" : ""
      try output.error([
        .at(
          "\(first.file):\(first.line)",
          "the time of this step is \(first.span) before that of its phone\(more): is the order right? "
            + "'skan explain \(WarningCode.clockWentBack.name)'")
      ])
    }
    if settings.mode == .test, let counts {
      try output.line(ReplaySummary.line(name, counts, isStrict: settings.lists.isStrict))
    }
  }
}
