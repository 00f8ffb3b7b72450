import SKANDevice
import SKANBase

/// Runs a step on a phone. Single commands and lists of millions of steps all use it.
package struct StepRunner {
  /// Answers the updates that contain no answer.
  let answerer: any Answerer
  /// The real time, or the start of a list.
  let now: () -> Instant
  /// The memory in which all answers are parsed.
  private let document = JSONDocument()

  package init(
    _ answerer: any Answerer = TestEndpointAnswerer(), now: @escaping () -> Instant = { .listStart }
  ) {
    self.answerer = answerer
    self.now = now
  }

  /// Runs a step and returns everything that can be shown of it.
  ///
  /// - Throws: ``StepError``; the phone then only records that the app was started.
  package func run(_ step: Step, on phone: inout Phone) throws(StepError) -> StepResult {
    // As the step begins; used only if it sends a request.
    let request = step.operation.eventName.map { phone.device.request(event: $0) }
    let parts = ResultParts()
    var report = StepReport()
    let (at, endedAt) = try complete(step, on: &phone, parts, &report)
    let result = StepResult(step: step, at: at, endedAt: endedAt, report: report, device: phone.device)
    if let answer = parts.answer, let request {
      result.exchange = exchange(request, answer, of: step.operation)
    }
    result.forwarded = parts.forwarded
    return result
  }

  /// Runs a step and returns only its report.
  ///
  /// - Parameter report: receives the step's report; `inout` because a report is large.
  /// - Returns: when the step began.
  /// - Throws: ``StepError``; the phone then only records that the app was started.
  package func complete(
    _ step: Step, on phone: inout Phone, _ report: inout StepReport
  ) throws(StepError) -> Instant {
    try complete(step, on: &phone, nil, &report).at
  }

  /// Runs a step.
  ///
  /// - Parameters:
  ///   - parts: receives the parts that only a result has; nil where none is made.
  ///   - report: receives the step's report.
  /// - Returns: when the step began and ended.
  private func complete(
    _ step: Step, on phone: inout Phone, _ parts: ResultParts?, _ report: inout StepReport
  ) throws(StepError) -> (at: Instant, endedAt: Instant) {
    guard let at = phone.clock.beginning(step.time, now: now()) else { throw .timeOutOfRange }
    let decides = step.operation.runsApp && phone.device.launched(at: at)
    var end = at
    let clock = phone.clock
    // An endpoint that is asked needs the time of the step, even if the step is the first that has a time.
    if step.operation.takesTime { phone.clock.begin(step.time) }
    do throws(StepError) { try perform(step, at, on: &phone, parts, &end, &report) } catch {
      phone.clock = clock
      throw error
    }
    report.note(clock.earlyBeginning(at))
    if decides { report.found += phone.device.impressions?.race?.warnings ?? [] }
    // An install without a time leaves the clock to the first step that follows.
    if step.operation.takesTime {
      phone.clock.record(step.time, beginning: at, end: end)
    } else if let time = step.time {
      // The time of the install is the beginning of the new phone's clock, in whatever form it is given.
      phone.clock.record(time == .now ? .now : .at(at), beginning: at, end: end)
    }
    return (at, end)
  }

  @inline(__always)
  private func perform(
    _ step: Step, _ at: Instant, on phone: inout Phone, _ parts: ResultParts?, _ end: inout Instant,
    _ report: inout StepReport
  ) throws(StepError) {
    switch step.operation {
    case .device(let profile):
      report = StepReport(.set, .installed(profile), profile.warnings)
      var fresh = Device(profile)
      do throws(ImpressionError) { try phone.device.passImpressions(to: &fresh) } catch { throw .impression(error) }
      phone.install(fresh, at: step.time == nil ? nil : at)
      if step.time != nil { report.found += phone.device.installed(at: at) }
    case .register(let error):
      report = phone.device.register(at: at, frameworkError: error)
    case .session(let update):
      if update.forward == nil {
        try self.update(Device.sessionEventName, update, at, on: &phone, parts, &end, &report)
      } else {
        try updateAndReport(Device.sessionEventName, .session, update, at, on: &phone, parts, &end, &report)
      }
    case .event(let name, let update):
      if update.forward == nil {
        try self.update(name, update, at, on: &phone, parts, &end, &report)
      } else {
        try updateAndReport(
          name, .event(name: name, update.forward?.revenue), update, at, on: &phone, parts, &end, &report)
      }
      ended(name, on: &phone, &report)
    case .revenue(let revenue):
      do throws(RevenueError) {
        report = try phone.device.addRevenue(
          revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization, at: at)
      } catch {
        throw .revenue(error)
      }
    case .details, .include: report = phone.device.readDetails()
    case .relaunch: report = phone.device.relaunchedByUser()
    case .update(let ios, let appVersion, let snippet):
      report = phone.device.update(ios: ios, appVersion: appVersion, snippet: snippet)
    case .forward(let subject, let options):
      let call: ForwardedCall?
      (report, call) = self.report(subject, options, of: &phone, at: at)
      end = call?.endedAt ?? at
      parts?.forwarded = call
    case .postbacks: report = phone.device.readPostbacks(phone: step.device, at: at)
    case .adAttributionKit(let update): report = phone.device.updateAdAttributionKit(update, at: at)
    case .reEngagement(let opened):
      do throws(ReEngagementError) { report = try phone.device.open(by: opened, at: at) } catch {
        throw .reEngagement(error)
      }
    case .development(let chosen, let tag, let country):
      do throws(ReEngagementError) {
        report = try phone.device.makeDevelopmentPostbacks(chosen, tag: tag, country: country, at: at)
      } catch {
        throw .reEngagement(error)
      }
    case .impression(let ad, let seconds):
      do throws(ImpressionError) { report = try phone.device.see(ad, seconds: seconds, at: at) } catch {
        throw .impression(error)
      }
    case .download(let isRedownload): report = phone.download(isRedownload: isRedownload, at: at)
    }
  }

  /// Records that the update of an event has ended.
  @inline(__always)
  func ended(_ name: String, on phone: inout Phone, _ report: inout StepReport) {
    phone.device.note(event: name, report.outcome)
    let warnings = Warning.about(eventName: name)
    if !warnings.isEmpty { report.found = warnings + report.found }
  }

  func update(
    _ name: String, _ update: Step.Update, _ at: Instant, on phone: inout Phone, _ parts: ResultParts?,
    _ endedAt: inout Instant, _ report: inout StepReport
  ) throws(StepError) {
    if update.completionTook != nil { throw .completionTookUnused }
    switch phone.device.beginUpdate(at: at) {
    case .ended(let ended):
      report = ended
      return
    case .request: break
    }
    // Checked before anything is sent or counted.
    var end: Instant?
    if let took = update.took {
      end = at.advanced(by: took)
      if end == nil { throw .timeOutOfRange }
    }
    let answer = answer(to: name, update, at: at, of: &phone)
    let arrival = end ?? answer.arrival.map { max(at, $0) } ?? at
    endedAt = arrival
    // Copied only for a result.
    parts?.answer = answer
    var options = update.options
    options.recordsKeptInHandler = parts != nil
    switch (consume answer).content {
    case .reply(let reply):
      phone.device.finishUpdate(reply.members, at: arrival, options: options, &report)
    case .response(let response):
      report = phone.device.finishUpdate(
        SnippetAnswer(response, in: document), at: arrival, options: options)
      compare(response, of: update, &report)
    }
    annotate(&report, after: update, of: &phone)
  }

  /// Asks for the answer to an update.
  @inline(__always)
  func answer(to name: String, _ update: Step.Update, at: Instant, of phone: inout Phone) -> Answer {
    let request = UpdateRequest(event: name, at: at)
    return if let given = update.answer {
      ScriptedAnswerer(response: given).answer(request, of: &phone)
    } else {
      answerer.answer(request, of: &phone)
    }
  }

  /// Takes the answer of an update that is under way, up to the call of Apple's framework.
  func receive(
    _ answer: Answer.Content, of update: Step.Update, at now: Instant, on phone: inout Phone, options: UpdateOptions,
    _ report: inout StepReport
  ) -> UpdateCompletion? {
    switch answer {
    case .reply(let reply):
      return phone.device.receive(reply.members, at: now, options: options, &report)
    case .response(let response):
      return phone.device.receive(SnippetAnswer(response, in: document), at: now, options: options, &report)
    }
  }

  /// Compares an answer with the reference.
  func compare(_ response: EndpointAnswer, of update: Step.Update, _ report: inout StepReport) {
    guard let giver = update.answer == nil ? answerer.contractGiver : .script else { return }
    let breaches = ContractBreach.all(in: response)
    if !breaches.isEmpty { report.found += breaches.map { .contractBroken($0, $0.level(by: giver)) } }
  }

  /// Adds to the report of an update what its answerer knows.
  @inline(__always)
  func annotate(_ report: inout StepReport, after update: Step.Update, of phone: inout Phone) {
    if report.outcome == .serverError { report.explainRefusal(of: phone.device) }
    if update.answer == nil { answerer.annotate(&report, of: &phone) }
  }

  /// The exchange of a step that sent a request.
  func exchange(_ request: ConversionRequest, _ answer: Answer, of operation: Step.Operation) -> StepResult.Exchange {
    let answerer = self.answerer(of: operation)
    return StepResult.Exchange(
      request, address: answerer.address(for: request.device), answer,
      answeredBy: answerer.identity(for: request.device))
  }

  private func answerer(of operation: Step.Operation) -> any Answerer {
    operation.answer.map(ScriptedAnswerer.init) ?? answerer
  }
}

/// The parts of a step's result that its report lacks.
final class ResultParts {
  /// The answer, if a request was made.
  var answer: Answer?
  /// The report of the app's server, if there is one.
  var forwarded: ForwardedCall?
}

/// Why a step cannot run.
package enum StepError: Error, Sendable, Equatable {
  case revenue(RevenueError)
  case reEngagement(ReEngagementError)
  case impression(ImpressionError)
  /// The step's time leaves the years 1 to 9999.
  case timeOutOfRange
  /// The step says when Apple's completion comes, and its phone waits for it.
  case completionTookUnused

  /// A description of the problem, and how to solve it.
  package var message: String {
    switch self {
    case .timeOutOfRange: "the step's time leaves the years 1 to 9999"
    case .completionTookUnused:
      "completion_took needs a phone with \"settings\":{\"completion\":\"deferred\"}: Apple's completion has no time of its "
        + "own on this one"
    case .revenue(.amountNotFinite): "the amount is not a finite number; on the phone it would make every request crash"
    case .revenue(.sumTooLarge(let entry)):
      "the sum in \(entry) would be beyond a single-precision number (3.4e38); on the phone it would make every "
        + "later request crash"
    case .impression(let error): error.message
    case .reEngagement(.tagTaken(let tag)):
      "the conversion tag \(JSONWriter.quoted(tag)) names an earlier conversion of this phone, and a tag names one "
        + "conversion; give this one another tag"
    }
  }
}
