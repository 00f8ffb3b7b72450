import SKANDevice
import SKANRun

/// Lives one list to its end.
final class ListLife {
  private let plan: ReplayPlan
  private let source: ReplaySource
  private let execution: StepExecution
  private let environment: Environment
  private let progress: ReplayProgress?
  private let lists: ListRunner
  private var report: ListReport
  private var recorder: Recorder?
  /// What is wrong with the list, found while it was lived.
  private(set) var problems: [ListProblem] = []
  /// Whether only reading the list as a whole tells everything that is wrong with it.
  private(set) var needsCheck = false
  /// Whether a failure ended it.
  private(set) var wasStopped = false

  init(
    _ plan: ReplayPlan, _ source: ReplaySource, _ setup: StepSetup, report: ListReport, progress: ReplayProgress?,
    phone: Phone? = nil
  ) {
    self.plan = plan
    self.source = source
    self.report = report
    self.progress = progress
    environment = setup.invocation.environment
    execution = StepExecution(setup)
    let runner = execution.runner(now: { .listStart })
    lists = phone.map { ListRunner(runner, everyPhone: $0) } ?? ListRunner(runner)
    recorder = plan.recordPath == nil ? nil : Recorder(setup.redactor)
  }

  /// The phone of a list about one phone, after its steps, the key taken out of it.
  var phone: Phone? {
    guard var phone = lists.onlyPhone else { return nil }
    execution.redact(&phone.device)
    return phone
  }

  /// The list with the answers that came, when all of it was lived.
  var recording: [UInt8]? { problems.isEmpty && !wasStopped ? recorder?.bytes : nil }

  var counts: ReplayCounts { report.counts }

  /// What became of its steps, when reports are asked for.
  var steps: [StepRecord] { report.steps }

  /// Lives the list.
  ///
  /// - Parameters:
  ///   - isNeedless: whether a list before this one has failed, and the rest of this one is of no use.
  ///   - observe: sees every result.
  func live(
    isNeedless: () -> Bool = { false }, observe: (StepResult) -> Void = { _ in }
  ) throws(CommandError) {
    var options = plan.readerOptions(environment)
    if recorder != nil { options.seesOtherLine = { [unowned self] in recorder?.append($0) } }
    let reader = ListReader(source.name, try source.open(environment.files), options)
    var steps = 0
    // Progress is told at each 1024th step; at each that may ask an endpoint, which takes its time.
    let mask = plan.isRemote ? 0 : 1023
    var toldSteps = 0
    var read = 0
    var step = Step(.details)
    loop: while let item = try next(reader, &step) {
      switch item {
      case .problems(let found):
        problems += found
        break loop
      case .step:
        if let phones = reader.phonesAhead { lists.fetch(phones) }
        if !(try live(step, reader, observe)) { break loop }
      }
      steps += 1
      if steps & mask == 0, let progress {
        progress.advance(read: reader.consumed - read, steps: steps - toldSteps)
        (read, toldSteps) = (reader.consumed, steps)
      }
      if environment.isInterrupted() { throw .interrupted }
      if plan.stopsAtFailure, isNeedless() { break loop }
    }
    progress?.advance(read: reader.consumed - read, steps: steps - toldSteps)
    needsCheck = source.isRegular && (!problems.isEmpty || reader.declaresTooLate)
    try report.end(problems)
  }

  private func next(_ reader: ListReader, _ step: inout Step) throws(CommandError) -> ListReader.Item? {
    do throws(SourceFailure) { return try reader.next(into: &step) } catch {
      throw CommandError(error, file: source.name)
    }
  }

  /// - Returns: false when the list ends here.
  private func live(
    _ step: Step, _ reader: ListReader, _ observe: (StepResult) -> Void
  ) throws(CommandError) -> Bool {
    let isSelected = plan.selects(step)
    if let reason = step.skip {
      lists.skip(step)
      reader.withCurrentLine { recorder?.append($0) }
      if isSelected { try report.skip(step, reason, at: reader.place) }
      return true
    }
    if plan.onlyCounts(step) || !isSelected && !plan.needsResults {
      let lived: LivedStep
      do throws(StepError) { lived = try lists.live(step) } catch { return fail(error, reader) }
      if isSelected { report.count(lived.report) }
      return true
    }
    let start = plan.keepsRecords ? environment.now() : .listStart
    let result: StepResult
    switch try attempt(step, isSelected, reader) {
    case .success(let lived): result = lived
    case .failure(let error): return fail(error, reader)
    }
    observe(result)
    if reader.withCurrentLine({ recorder?.append($0, step, result) }) == false {
      let (file, line) = reader.place
      let words = "the answer to \(file):\(line) makes a line longer than \(LineReader.longest >> 20) MiB"
      throw .cannotWrite(file: plan.recordPath ?? "", reason: words)
    }
    guard isSelected else { return true }
    let verdicts = try verdicts(on: result)
    try report.show(
      result, verdicts, at: reader.place, time: plan.keepsRecords ? environment.now().since(start) : .zero,
      trace: plan.isVerbose ? execution.trace(result) : [])
    wasStopped = plan.stopsAtFailure && verdicts.contains { !$0.isMet }
    return !wasStopped
  }

  private func fail(_ error: StepError, _ reader: ListReader) -> Bool {
    problems.append(reader.problem(error.words))
    return false
  }

  /// Lives a step; again on the same phone, when an endpoint was asked and gave no answer or not the expected one.
  private func attempt(
    _ step: Step, _ isChecked: Bool, _ reader: ListReader
  ) throws(CommandError) -> Result<StepResult, StepError> {
    var left = plan.retries
    while true {
      let before = left > 0 ? lists[step] : nil
      let result = try execution.run { () throws(StepError) in try lists.run(step) }
      guard let before, case .success(let lived) = result, lived.exchange != nil, !step.hasAnswer,
        let reason = try reasonToAskAgain(lived, isChecked)
      else { return result }
      left -= 1
      lists[step] = before
      if plan.isVerbose { for line in execution.trace(lived) { try report.note(line) } }
      if plan.mode != .quiet {
        let (file, line) = reader.place
        let wait = TimeSpan(seconds: plan.retrySeconds) ?? .zero
        let count = "\(plan.retries - left) of \(plan.retries)"
        try report.note("\(file):\(line): \(reason); asked again after \(wait) (\(count))")
      }
      environment.sleep(plan.retrySeconds)
      if environment.isInterrupted() { throw .interrupted }
    }
  }

  /// Why an endpoint is asked again; nil when its answer will do.
  private func reasonToAskAgain(_ result: StepResult, _ isChecked: Bool) throws(CommandError) -> String? {
    if case .failure(let reason)? = result.exchange?.answer { return "no answer (\(reason))" }
    return isChecked ? try verdicts(on: result).first { !$0.isMet }.map { "\($0.path) is not as expected" } : nil
  }

  /// What became of the step's expectations.
  private func verdicts(on result: StepResult) throws(CommandError) -> [Expectation.Verdict] {
    let expectations = result.step.expectations
    if expectations.isEmpty { return [] }
    guard let verdicts = expectations.verdicts(on: result.json, isInterrupted: environment.isInterrupted) else {
      throw .interrupted
    }
    return verdicts
  }
}
