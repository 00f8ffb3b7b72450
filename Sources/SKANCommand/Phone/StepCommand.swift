import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// A command that runs steps on a device file: runs them, saves the file, shows the results, and returns the exit code.
struct StepCommand {
  let invocation: Invocation
  let options: StepOptions
  /// The key that identifies a revenue step. A repeated key adds no revenue.
  let idempotencyKey: String?
  private let isVerbose: Bool
  let execution: StepExecution
  let store: DeviceStore

  private var environment: Environment { invocation.environment }
  var output: Output { execution.output }

  /// - Parameter answering: the options that select the answerer; nil if no step makes a request.
  init(
    _ options: StepOptions, answering: AnswerOptions? = nil, idempotencyKey: String? = nil, _ invocation: Invocation
  ) throws(CommandError) {
    self.invocation = invocation
    self.options = options
    self.idempotencyKey = idempotencyKey
    isVerbose = answering?.wire.isVerbose ?? false
    execution = StepExecution(try StepSetup(answering, isQuiet: options.output.isQuiet, invocation))
    store = DeviceStore(options.device.state, lockSeconds: options.device.lockSeconds, invocation.environment)
  }

  /// Runs steps in order on the device file, and shows their results once the file is saved.
  ///
  /// - Parameter check: throws if the steps are invalid for the phone. Called before the first step.
  func run(
    _ steps: [Step], check: (Device) throws(CommandError) -> Void = { _ in }
  ) throws(CommandError) -> ExitCode {
    let results = try store.changingExisting { (file) throws(CommandError) in
      try check(file.phone.device)
      return try run(steps, on: &file)
    }
    return try show(results)
  }

  /// Runs steps on a device file in memory.
  func run(_ steps: [Step], on file: inout DeviceFile) throws(CommandError) -> [StepResult] {
    let runner = execution.runner(now: environment.now)
    var answerers = AnswererMemory(invocation)
    execution.hasShownStale = file.history.contains { $0.account?.warnings.contains(.detailsStale) ?? false }
    var results: [StepResult] = []
    let completion = file.phone.device.profile.settings.completion
    if completion != .inTurn, steps.contains(where: \.operation.asksEndpoint) {
      output.note(
        .remark(
          "completion \(completion.rawValue) has no effect on single commands: each ends when its update has ended; updates "
            + "overlap in a list ('skan replay')"))
    }
    for step in steps {
      if let result = alreadyCounted(step, in: file) {
        // A retry still takes the time of its call.
        file.phone.clock.record(step.time, beginning: result.at, end: result.endedAt)
        results.append(result)
        continue
      }
      switch try execution.run({ () throws(StepError) in try runner.run(step, on: &file.phone) }) {
      case .success(let result):
        file.phone.device.redact(by: execution.redactor)
        answerers.record(result, in: &file)
        file.record(result)
        countOnce(result, in: &file)
        execution.showTrace(result)
        results.append(result)
      case .failure(let error): throw invocation.usage(error.message)
      }
    }
    return results
  }

  /// Prints the results. Expectations apply to the last one.
  func show(_ results: [StepResult]) throws(CommandError) -> ExitCode {
    for (index, result) in results.enumerated() {
      if options.output.isJSON {
        let isLast = index == results.count - 1
        try output.result(isLast ? try jsonText(result) : JSONWriter.text(result))
      } else {
        for line in StepText.lines(result, hidesStale: execution.hasShownStale) { try output.line(line) }
        execution.hasShownStale = execution.hasShownStale || StepText.showsStale(result)
      }
    }
    let code = try verdict(results)
    if !options.output.isJSON, let finding = results.lazy.compactMap(\.report.firstFinding).first {
      output.note(ExplanationHint.line(finding.name))
    }
    return code
  }

  /// The result of the last step as a JSON object, with the verdicts on its expectations.
  func jsonText(_ result: StepResult) throws(CommandError) -> String {
    let shown = ShownResult(result)
    shown.verdicts = try verdicts(on: shown)
    return JSONWriter.text(shown)
  }

  /// The verdicts on the expectations of a result.
  func verdicts(on result: ShownResult) throws(CommandError) -> [Expectation.Verdict] {
    guard let verdicts = options.checks.expectations.verdicts(on: result, isInterrupted: environment.isInterrupted)
    else {
      throw .interrupted
    }
    return verdicts
  }

  /// Prints the failed expectations, and returns the exit code.
  ///
  /// - Parameter shown: the form in which the last result is shown, if it has more than the result itself.
  func verdict(_ results: [StepResult], shown: ShownResult? = nil) throws(CommandError) -> ExitCode {
    guard let last = results.last else { return .ok }
    let verdicts = try verdicts(on: shown ?? ShownResult(last))
    for verdict in verdicts where !verdict.isMet {
      output.error(StepText.failure(verdict, of: last, at: nil))
    }
    if verdicts.contains(where: { !$0.isMet }) {
      output.error(StepText.exchanges(StepRecord.Exchange.all(of: last, execution.redactor)))
    } else if !options.output.isJSON {
      for (index, result) in results.enumerated() {
        guard result.endpointFault(index == results.count - 1 ? verdicts : []) != nil else { continue }
        StepText.exchanges(StepRecord.Exchange.all(of: result, execution.redactor)).forEach(output.note)
      }
    }
    if verdicts.contains(where: { !$0.isMet }) { return .expectationFailed }
    // Details say themselves why there are none.
    let areDetails = if case .details = last.step.operation { true } else { false }
    let isShown = isVerbose || !options.output.isJSON && (!options.output.isQuiet || areDetails)
    if options.checks.isStrict,
      let finding = results.lazy.flatMap(\.report.warnings).first(where: { $0.level == .finding })
    {
      if !isShown { output.error([.remark("\(finding.message) [\(finding.kind.name)]", .failure)]) }
      return .expectationFailed
    }
    if let failed = results.first(where: { $0.endpointFailure != nil }), let failure = failed.endpointFailure {
      let reason = failed.endpointFault([])?.reason ?? "\(failed.report.outcome.name): \(failed.report.explanation)"
      if !isShown { output.error([.remark(reason, .failure)]) }
      return failure.exitCode
    }
    if execution.isRemote, last.lacksRequest, !options.checks.expectations.contains(where: { $0.path == "outcome" }) {
      output.error([.remark("no request was sent: \(last.report.explanation)", .failure)])
      return .badAnswer
    }
    return .ok
  }

  /// The result of a revenue step whose idempotency key was already used; nil for any other step.
  private func alreadyCounted(_ step: Step, in file: DeviceFile) -> StepResult? {
    guard case .revenue = step.operation, let key = idempotencyKey, file.hasSeen(key) else { return nil }
    let at = file.phone.clock.beginning(step.time, now: environment.now()) ?? environment.now()
    return StepResult(
      step: step, at: at, endedAt: at, report: StepReport(.ignored, .alreadyCounted(key: key)),
      device: file.phone.device)
  }

  /// Records the idempotency key of a step that added revenue. An ignored step may be retried.
  private func countOnce(_ result: StepResult, in file: inout DeviceFile) {
    guard case .revenue = result.step.operation, result.report.outcome == .added, let key = idempotencyKey else {
      return
    }
    file.idempotencyKeys.append(key)
  }
}

extension DeviceFile {
  /// Whether a revenue step with this idempotency key was counted.
  func hasSeen(_ key: String) -> Bool { idempotencyKeys.contains { $0.isLiterally(key) } }
}

extension EndpointFailure {
  /// The exit code of a command after this failure.
  var exitCode: ExitCode {
    switch self {
    case .noAnswer: .unavailable
    case .badAnswer: .badAnswer
    }
  }
}

/// Records who answers a phone's steps in its device file, and warns when that changes.
struct AnswererMemory {
  private let invocation: Invocation
  /// The hashes of models by file. Each file is read once per run.
  private var hashes: [String: String] = [:]

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Records the answerer of a step. The embedded test endpoint does not replace an earlier answerer, so that every
  /// step run without its option gets the warning.
  mutating func record(_ result: StepResult, in file: inout DeviceFile) {
    guard let exchange = result.exchange, exchange.answeredBy != .list else { return }
    let by = exchange.answeredBy
    // There was no answer.
    if case .failure = exchange.answer { return }
    let known = file.answerer
    if by != .embedded { file.answerer = KnownAnswerer(name: by.name, hash: hash(of: by)) }
    guard let known else { return }
    if known.name != by.name {
      result.report.found.append(
        .answererChanged(from: known.name, to: by.displayText, option: by == .embedded ? option(of: known.name) : nil))
    } else if case .model(let path?) = by, known.hash != file.answerer?.hash {
      result.report.found.append(.modelChanged(path))
    }
  }

  private func option(of name: String) -> String {
    let option: OptionRow = name.hasPrefix("model") ? .model : .endpoint
    return option.flag
  }

  /// The hash of a model's file: 64-bit FNV-1a as 16 hexadecimal digits; nil for any other answerer.
  private mutating func hash(of by: AnsweredBy) -> String? {
    guard case .model(let name?) = by else { return nil }
    if let known = hashes[name] { return known }
    guard let path = try? invocation.modelPath(name).path, let bytes = try? invocation.environment.files.read(path)
    else { return nil }
    let text = fnv1a(bytes).hexText
    hashes[name] = text
    return text
  }
}
