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
        before.request(event: name), address: answerer.address(for: before), answer.content,
        answeredBy: answerer.identity(for: before))
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
    var completed = CompletedStep(at: at, endedAt: at, report: StepReport())
    let clock = phone.clock
    // An endpoint that is asked gets the time of the step, also where the step is the first with a time of its own.
    if step.operation.takesTime { phone.clock.begin(step.time) }
    do throws(StepError) { try perform(step, on: &phone, forResult, &completed) } catch {
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
    _ step: Step, on phone: inout Phone, _ forResult: Bool, _ completed: inout CompletedStep
  ) throws(StepError) {
    let at = completed.at
    switch step.operation {
    case .device(let profile):
      completed.report = StepReport(.set, .installed(profile))
      phone.install(Device(profile), at: step.time == nil ? nil : at)
    case .register(let error):
      completed.report = phone.device.register(at: at, frameworkError: error)
    case .session(let update):
      if update.forward == nil {
        try self.update(Device.sessionEventName, update, on: &phone, forResult, &completed)
      } else {
        try updateAndReport(Device.sessionEventName, .session, update, on: &phone, forResult, &completed)
      }
    case .event(let name, let update):
      if update.forward == nil {
        try self.update(name, update, on: &phone, forResult, &completed)
      } else {
        try updateAndReport(
          name, .event(name: name, update.forward?.revenue), update, on: &phone, forResult, &completed)
      }
      let warnings = Warning.about(eventName: name)
      if !warnings.isEmpty { completed.report.found = warnings + completed.report.found }
    case .revenue(let revenue):
      do throws(RevenueError) {
        completed.report = try phone.device.addRevenue(
          revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization, at: at)
      } catch {
        throw .revenue(error)
      }
    case .details, .include: completed.report = phone.device.readDetails()
    case .relaunch: completed.report = phone.device.relaunchedByUser()
    case .update(let ios, let appVersion, let snippet):
      completed.report = phone.device.update(ios: ios, appVersion: appVersion, snippet: snippet)
    case .forward(let subject, let options):
      completed = report(subject, options, of: &phone, at: at)
    case .postbacks: completed.report = phone.device.readPostbacks(phone: step.device, at: at)
    }
  }

  func update(
    _ name: String, _ update: Step.Update, on phone: inout Phone, _ forResult: Bool, _ completed: inout CompletedStep
  ) throws(StepError) {
    let at = completed.at
    switch phone.device.beginUpdate(at: at) {
    case .ended(let report):
      completed.report = report
      return
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
    completed.endedAt = arrival
    // A copy is made for a result only.
    if forResult { completed.answer = RecordedAnswer(answer) }
    var options = update.options
    options.recordsKeptInHandler = forResult
    switch (consume answer).content {
    case .reply(let reply):
      phone.device.finishUpdate(reply.members, at: arrival, options: options, &completed.report)
    case .response(let response):
      completed.report = phone.device.finishUpdate(
        SnippetAnswer(response, in: document), at: arrival, options: options)
    }
    if completed.report.outcome == .serverError { completed.report.explainRefusal(of: phone.device) }
    if update.answer == nil { answerer.annotate(&completed.report, of: phone) }
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
