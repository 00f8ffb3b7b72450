import SKANDevice
import SKANBase

/// Drives a phone through one step: the only way, for a single command as for a list of millions.
package struct StepRunner {
  /// Answers the updates that bring no answer.
  let answerer: any Answerer
  /// What the clock shows that runs by itself: the real one, or a list's beginning.
  private let now: () -> Instant
  /// Answers are read in the same memory.
  private let document = JSONDocument()

  package init(
    _ answerer: any Answerer = TestEndpointAnswerer(), now: @escaping () -> Instant = { .listStart }
  ) {
    self.answerer = answerer
    self.now = now
  }

  /// Runs a step, and gives everything that can be shown of it.
  ///
  /// - Throws: ``StepError``; that the app was started is all that the phone keeps then.
  package func run(_ step: Step, on phone: inout Phone) throws(StepError) -> StepResult {
    let before = phone.device
    let completed = try complete(step, on: &phone, forResult: true)
    let result = StepResult(
      step: step, at: completed.at, endedAt: completed.endedAt, report: completed.report, device: phone.device)
    if let answer = completed.answer?.answer, let name = step.operation.eventName {
      let answerer = self.answerer(of: step.operation)
      result.exchange = StepResult.Exchange(
        request: before.request(event: name), address: answerer.address(for: before), answer: answer.response,
        answeredBy: answerer.identity(for: before), endpointExplanation: answer.endpointExplanation(event: name))
    }
    result.forwarded = completed.forwarded
    return result
  }

  /// Runs a step.
  ///
  /// - Parameter forResult: whether to record what only a result shows: the answer, and what the handler finds.
  /// - Throws: ``StepError``; that the app was started is all that the phone keeps then.
  package func complete(
    _ step: Step, on phone: inout Phone, forResult: Bool = false
  ) throws(StepError) -> CompletedStep {
    guard let at = phone.clock.beginning(step.time, now: now()) else { throw .timeOutOfRange }
    if step.operation.runsApp { phone.device.framework.launched(at: at) }
    var completed: CompletedStep
    let clock = phone.clock
    // An endpoint that is asked gets the time of the step, also where the step is the first with a time of its own.
    if step.operation.takesTime { phone.clock.begin(step.time) }
    do throws(StepError) { completed = try perform(step, at: at, on: &phone, forResult) } catch {
      phone.clock = clock
      throw error
    }
    completed.report.wentBack = clock.wentBack(to: at)
    // An install without a time of its own leaves the clock to the first step that follows.
    if step.operation.takesTime {
      phone.clock.record(step.time, beginning: at, end: completed.endedAt)
    } else if let time = step.time {
      // The new install's own beginning, in whatever form its time is given.
      phone.clock.record(time == .now ? .now : .at(at), beginning: at, end: completed.endedAt)
    }
    return completed
  }

  @inline(__always)
  private func perform(
    _ step: Step, at: Instant, on phone: inout Phone, _ forResult: Bool
  ) throws(StepError) -> CompletedStep {
    var completed: CompletedStep
    switch step.operation {
    case .device(let profile):
      completed = CompletedStep(at: at, endedAt: at, report: StepReport(.set, .installed(profile)))
      phone.install(Device(profile), at: step.time == nil ? nil : at)
    case .register(let error):
      completed = CompletedStep(at: at, endedAt: at, report: phone.device.register(at: at, frameworkError: error))
    case .session(let update):
      completed =
        update.forward == nil
        ? try self.update(Device.sessionEventName, update, at: at, on: &phone, forResult)
        : try updateAndReport(Device.sessionEventName, .session, update, at: at, on: &phone, forResult)
    case .event(let name, let update):
      completed =
        update.forward == nil
        ? try self.update(name, update, at: at, on: &phone, forResult)
        : try updateAndReport(
          name, .event(name: name, update.forward?.revenue), update, at: at, on: &phone, forResult)
      let warnings = Warning.about(eventName: name)
      if !warnings.isEmpty { completed.report.found = warnings + completed.report.found }
    case .revenue(let revenue):
      do throws(RevenueError) {
        let report = try phone.device.addRevenue(
          revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization, at: at)
        completed = CompletedStep(at: at, endedAt: at, report: report)
      } catch {
        throw .revenue(error)
      }
    case .details, .include: completed = CompletedStep(at: at, endedAt: at, report: phone.device.readDetails())
    case .relaunch: completed = CompletedStep(at: at, endedAt: at, report: phone.device.relaunchedByUser())
    case .update(let ios, let appVersion, let snippet):
      let report = phone.device.update(ios: ios, appVersion: appVersion, snippet: snippet)
      completed = CompletedStep(at: at, endedAt: at, report: report)
    case .forward(let subject, let options):
      completed = report(subject, options, of: &phone, at: at)
    case .postbacks:
      completed = CompletedStep(
        at: at, endedAt: at, report: phone.device.readPostbacks(phone: step.device, at: at))
    }
    return completed
  }

  func update(
    _ name: String, _ update: Step.Update, at: Instant, on phone: inout Phone, _ forResult: Bool
  ) throws(StepError) -> CompletedStep {
    switch phone.device.beginUpdate(at: at) {
    case .ended(let report): return CompletedStep(at: at, endedAt: at, report: report)
    case .request: break
    }
    // Before anything is sent or counted.
    var end: Instant?
    if let took = update.took {
      end = at.advanced(by: took)
      if end == nil { throw .timeOutOfRange }
    }
    let request = UpdateRequest(event: name, at: at)
    let answer =
      if let given = update.answer {
        ScriptedAnswerer(response: given).answer(request, of: &phone)
      } else {
        answerer.answer(request, of: &phone)
      }
    let arrival = end ?? answer.arrival.map { max(at, $0) } ?? at
    // A copy is made for a result only.
    let recorded = forResult ? RecordedAnswer(answer) : nil
    var options = update.options
    options.recordsKeptInHandler = forResult
    var report: StepReport
    switch (consume answer).content {
    case .reply(let reply): report = phone.device.finishUpdate(reply.members, at: arrival, options: options)
    case .response(let response):
      report = phone.device.finishUpdate(SnippetAnswer(response, in: document), at: arrival, options: options)
    }
    if report.outcome == .serverError { report.explainRefusal(of: phone.device) }
    if update.answer == nil { answerer.annotate(&report, of: phone) }
    return CompletedStep(at: at, endedAt: arrival, report: report, answer: recorded)
  }

  private func answerer(of operation: Step.Operation) -> any Answerer {
    operation.answer.map(ScriptedAnswerer.init) ?? answerer
  }
}

/// Why a step cannot run.
package enum StepError: Error, Sendable, Equatable {
  case revenue(RevenueError)
  /// The step's time leaves the years 1 to 9999.
  case timeOutOfRange

  /// The problem in words, and what to do.
  package var message: String {
    switch self {
    case .timeOutOfRange: "the step's time leaves the years 1 to 9999"
    case .revenue(.amountNotFinite): "the amount is not a finite number; on the phone it would make every request crash"
    case .revenue(.sumTooLarge(let entry)):
      "the sum in \(entry) would be beyond a single-precision number (3.4e38); on the phone it would make every "
        + "later request crash"
    }
  }
}
