import SKANDevice
import SKANEndpoint

/// Drives a phone through one step: the only way, for a single command as for a list of millions.
package struct StepRunner {
  package var endpoint: Endpoint
  /// Takes the place of the embedded test endpoint.
  package var model: ReferenceEndpoint?
  /// Nil sends the documents' placeholder.
  package var sdkKey: String?
  /// Sends a GET to a remote endpoint; called with the whole address, the key in it, and the phone's time where the
  /// endpoint may be told (``Endpoint/takesDeviceTime``) and cannot know it.
  package var send: (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer
  /// What the clock shows that runs by itself: the real one, or a list's beginning.
  package var now: () -> Instant

  package init(
    endpoint: Endpoint = .embedded, model: ReferenceEndpoint? = nil, sdkKey: String? = nil,
    send: @escaping (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer = { _, _ in .failure("no transport") },
    now: @escaping () -> Instant = { .listStart }
  ) {
    self.endpoint = endpoint
    self.model = model
    self.sdkKey = sdkKey
    self.send = send
    self.now = now
  }

  /// Runs a step.
  ///
  /// - Throws: ``StepError``; the phone is unchanged then.
  package func run(_ step: Step, on phone: inout Phone) throws(StepError) -> StepResult {
    let now = now()
    guard let at = phone.clock.beginning(step.time, now: now) else { throw .timeOutOfRange }
    var run = Run(at: at, phone: phone)
    switch step.operation {
    case .device(let profile):
      run.report = StepReport(.set, .installed(profile))
      run.phone.device = Device(profile)
      run.phone.testEndpoint = TestEndpoint()
      run.phone.eventCounts = .none
      run.phone.clock.startAnew()
    case .register(let error): run.report = run.phone.device.register(at: at, frameworkError: error)
    case .session(let update): try self.update(Device.sessionEventName, update, &run)
    case .event(let name, let update):
      try self.update(name, update, &run)
      run.report.warnings = Warning.about(eventName: name) + run.report.warnings
    case .revenue(let revenue):
      do throws(RevenueError) {
        run.report = try run.phone.device.addRevenue(
          revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization, at: at)
      } catch {
        throw .revenue(error)
      }
    case .details: run.report = run.phone.device.readDetails()
    case .relaunch: run.report = run.phone.device.relaunchedByUser()
    case .update(let ios, let appVersion, let snippet):
      run.report = run.phone.device.update(ios: ios, appVersion: appVersion, snippet: snippet)
    }
    if let span = run.phone.clock.wentBack(to: at) { run.report.warnings.append(.clockWentBack(span)) }
    // An install without a time of its own leaves the clock to the first step that follows.
    if step.operation.takesTime {
      run.phone.clock.record(step.time, beginning: at, end: run.end, now: now)
    } else if let time = step.time {
      // The new install's own beginning, however its time was told.
      run.phone.clock.record(time == .now ? .now : .at(at), beginning: at, end: run.end, now: now)
    }
    phone = run.phone
    return StepResult(
      step: step, at: at, endedAt: run.end, report: run.report, device: phone.device, endpointURL: run.url)
  }

  /// One step under way.
  private struct Run {
    let at: Instant
    var end: Instant
    var phone: Phone
    var report = StepReport(.set, .amountIsZero)
    var url: String?

    init(at: Instant, phone: Phone) {
      self.at = at
      end = at
      self.phone = phone
    }
  }

  private func update(_ name: String, _ update: Step.Update, _ run: inout Run) throws(StepError) {
    switch run.phone.device.beginUpdate(event: name, at: run.at) {
    case .ended(let report): run.report = report
    case .request(let request):
      let answer = answer(to: request, update, &run)
      if let took = update.took {
        guard let end = run.at.advanced(by: took) else { throw .timeOutOfRange }
        run.end = end
      }
      run.report = run.phone.device.finishUpdate(request, answer: answer, at: run.end, options: update.options)
      if update.answer == nil, endpoint == .embedded, model == nil, run.phone.testEndpoint.isExhausted {
        run.report.explanation = .testEndpointExhausted
      }
    }
  }

  private func answer(to request: ConversionRequest, _ update: Step.Update, _ run: inout Run) -> EndpointAnswer {
    if let answer = update.answer {
      run.url = Endpoint.productionAddress(for: request.profile.snippet)
      return answer
    }
    if endpoint == .embedded { return embeddedAnswer(to: request, &run) }
    let address = endpoint.address(for: request.profile.snippet)
    run.url = address
    let time = run.phone.clock.isVirtual && endpoint.takesDeviceTime ? run.at : nil
    let answer = send("\(address)?\(query(of: request))", time)
    // By a virtual clock an answer takes no time unless the step says so; by the real one it takes what it took.
    if !run.phone.clock.isVirtual { run.end = max(run.at, now()) }
    return answer
  }

  /// The model's answer, or without one the test endpoint's: no network.
  private func embeddedAnswer(to request: ConversionRequest, _ run: inout Run) -> EndpointAnswer {
    guard let model else {
      run.url = endpoint.address(for: request.profile.snippet)
      return run.phone.testEndpoint.answer()
    }
    run.url = Endpoint.productionAddress(for: request.profile.snippet)
    // Through the text of the query, so that a server would read just the same.
    let api: EndpointAPI = request.profile.snippet.isSKAN4 ? .v2 : .v1
    guard let query = ConversionQuery(query(of: request), api: api) else { return .failure("unreadable query") }
    let reply = model.reply(to: query, at: run.at, counts: &run.phone.eventCounts)
    return .response(status: 200, body: Array(reply.body.utf8))
  }

  /// The query as it goes out, the key in it.
  package func query(of request: ConversionRequest) -> String {
    let key = endpoint.takesSDKKey ? sdkKey : nil
    return request.queryItems(sdkKey: key ?? ConversionRequest.placeholderKey).percentEncoded
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
