import SKANDevice
import SKANJSON
import SKANModel

/// Drives a phone through one step: the only way, for a single command as for a list of millions.
package struct StepRunner {
  package let endpoint: Endpoint
  /// Takes the place of the embedded test endpoint.
  package let model: ReferenceEndpoint?
  /// The file of the model that answers an app, for results.
  package let modelFile: (_ bundleID: String) -> String?
  /// Nil sends the documents' placeholder.
  package let sdkKey: String?
  /// Sends a GET to a remote endpoint; called with the whole address, the key in it, and the phone's time where the
  /// endpoint may be told (``Endpoint/takesDeviceTime``) and cannot know it.
  package let send: (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer
  /// What the clock shows that runs by itself: the real one, or a list's beginning.
  package let now: () -> Instant
  private let isEmbedded: Bool
  /// Answers are read in the same memory.
  private let document = JSONDocument()

  package init(
    endpoint: Endpoint = .embedded, model: ReferenceEndpoint? = nil,
    modelFile: @escaping (_ bundleID: String) -> String? = { _ in nil }, sdkKey: String? = nil,
    send: @escaping (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer = { _, _ in .failure("no transport") },
    now: @escaping () -> Instant = { .listStart }
  ) {
    self.endpoint = endpoint
    self.model = model
    self.modelFile = modelFile
    self.sdkKey = sdkKey
    self.send = send
    self.now = now
    isEmbedded = endpoint == .embedded
  }

  /// Lives a step, and gives everything that can be shown of it.
  ///
  /// - Throws: ``StepError``; that the app was started is all that the phone keeps then.
  package func run(_ step: Step, on phone: inout Phone) throws(StepError) -> StepResult {
    let before = phone.device
    let lived = try live(step, on: &phone)
    let result = StepResult(
      step: step, at: lived.at, endedAt: lived.endedAt, report: lived.report, device: phone.device)
    if let answerer = lived.answerer, let name = step.operation.eventName {
      result.exchange = StepResult.Exchange(
        request: before.request(event: name), address: answerer.address(for: before.snippet), answer: answerer.answer,
        answeredBy: answerer.answeredBy(endpoint, modelFile: modelFile(before.profile.bundleID)))
      if case .model(let reply) = answerer { result.exchange?.endpointExplanation = reply.explanation(event: name) }
    }
    return result
  }

  /// Lives a step.
  ///
  /// - Throws: ``StepError``; that the app was started is all that the phone keeps then.
  package func live(_ step: Step, on phone: inout Phone) throws(StepError) -> LivedStep {
    let now = now()
    guard let at = phone.clock.beginning(step.time, now: now) else { throw .timeOutOfRange }
    if step.operation.runsApp { phone.device.framework.launched(at: at) }
    var lived: LivedStep
    switch step.operation {
    case .device(let profile):
      lived = LivedStep(at: at, endedAt: at, report: StepReport(.set, .installed(profile)))
      phone.device = Device(profile)
      if step.time != nil { phone.device.framework.installed(at: at) }
      phone.testEndpoint = TestEndpoint()
      phone.memory = .none
      phone.isKnownToModel = false
      phone.clock.startAnew()
    case .register(let error):
      lived = LivedStep(at: at, endedAt: at, report: phone.device.register(at: at, frameworkError: error))
    case .session(let update): lived = try self.update(Device.sessionEventName, update, at: at, on: &phone)
    case .event(let name, let update):
      lived = try self.update(name, update, at: at, on: &phone)
      let warnings = Warning.about(eventName: name)
      if !warnings.isEmpty { lived.report.found = warnings + lived.report.found }
    case .revenue(let revenue):
      do throws(RevenueError) {
        let report = try phone.device.addRevenue(
          revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization, at: at)
        phone.isKnownToModel = phone.isKnownToModel && phone.device.kept.isPlain
        lived = LivedStep(at: at, endedAt: at, report: report)
      } catch {
        throw .revenue(error)
      }
    case .details, .include: lived = LivedStep(at: at, endedAt: at, report: phone.device.readDetails())
    case .relaunch: lived = LivedStep(at: at, endedAt: at, report: phone.device.relaunchedByUser())
    case .update(let ios, let appVersion, let snippet):
      let report = phone.device.update(ios: ios, appVersion: appVersion, snippet: snippet)
      phone.isKnownToModel = false
      lived = LivedStep(at: at, endedAt: at, report: report)
    case .postbacks:
      lived = LivedStep(at: at, endedAt: at, report: phone.device.readPostbacks(phone: step.device, at: at))
    }
    lived.report.wentBack = phone.clock.wentBack(to: at)
    // An install without a time of its own leaves the clock to the first step that follows.
    if step.operation.takesTime {
      phone.clock.record(step.time, beginning: at, end: lived.endedAt, now: now)
    } else if let time = step.time {
      // The new install's own beginning, however its time was told.
      phone.clock.record(time == .now ? .now : .at(at), beginning: at, end: lived.endedAt, now: now)
    }
    return lived
  }

  private func update(
    _ name: String, _ update: Step.Update, at: Instant, on phone: inout Phone
  ) throws(StepError) -> LivedStep {
    switch phone.device.beginUpdate(at: at) {
    case .ended(let report): return LivedStep(at: at, endedAt: at, report: report)
    case .request: break
    }
    // Before anything is sent or counted.
    var end = at
    if let took = update.took {
      guard let later = at.advanced(by: took) else { throw .timeOutOfRange }
      end = later
    }
    let answerer: LivedStep.Answerer
    let answer: EndpointAnswer
    if let given = update.answer {
      answerer = .step(given)
      answer = given
    } else if !isEmbedded {
      let (reply, address) = remoteAnswer(to: name, at: at, of: phone)
      answerer = .remote(reply, address: address)
      answer = reply
      // By a virtual clock an answer takes no time unless the step says so; by the real one it takes what it took.
      if update.took == nil, !phone.clock.isVirtual { end = max(at, now()) }
    } else if let model {
      let reply = model.reply(
        to: phone.device, event: name, isKnown: phone.isKnownToModel, at: at, memory: &phone.memory)
      if case .values = reply { phone.isKnownToModel = true }
      let report = phone.device.finishUpdate(reply.members, at: end, options: update.options)
      if report.outcome == .serverError { report.explainRefusal(of: phone.device) }
      return LivedStep(at: at, endedAt: end, report: report, answerer: .model(reply))
    } else {
      answer = phone.testEndpoint.answer()
      answerer = .testEndpoint(answer)
    }
    phone.isKnownToModel = false
    let report = phone.device.finishUpdate(SnippetAnswer(answer, in: document), at: end, options: update.options)
    if report.outcome == .serverError { report.explainRefusal(of: phone.device) }
    if case .testEndpoint = answerer, phone.testEndpoint.isExhausted { report.explanation = .testEndpointExhausted }
    return LivedStep(at: at, endedAt: end, report: report, answerer: answerer)
  }

  private func remoteAnswer(to name: String, at: Instant, of phone: Phone) -> (EndpointAnswer, address: String) {
    let address = endpoint.address(for: phone.device.snippet)
    let key = endpoint.takesSDKKey ? sdkKey : nil
    let items = phone.device.request(event: name).queryItems(sdkKey: key ?? ConversionRequest.placeholderKey)
    let time = phone.clock.isVirtual && endpoint.takesDeviceTime ? at : nil
    return (send("\(address)?\(items.percentEncoded)", time), address)
  }
}

/// Why a step cannot be lived.
package enum StepError: Error, Sendable, Equatable {
  case revenue(RevenueError)
  /// The step's time leaves the years 1 to 9999.
  case timeOutOfRange

  /// The problem in words, and what to do.
  package var words: String {
    switch self {
    case .timeOutOfRange: "the step's time leaves the years 1 to 9999"
    case .revenue(.amountNotFinite): "the amount is no finite number; on the phone it would make every request crash"
    case .revenue(.sumTooLarge(let entry)):
      "the sum in \(entry) would be beyond a single-precision number (3.4e38); on the phone it would make every "
        + "later request crash"
    }
  }
}
