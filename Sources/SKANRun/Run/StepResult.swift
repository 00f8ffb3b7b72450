import SKANBase
import SKANDevice

/// The outcome of a step and the state it left: the one value that every rendering shows.
///
/// A class, as it is large and handed on from one to the next; only who takes the SDK key out changes it. Its device
/// never changes, so that it is looked at in place.
package final class StepResult {
  package let step: Step
  package let at: Instant
  package let endedAt: Instant
  package var report: StepReport
  /// The device after the step.
  package let device: Device
  /// The request and the answer.
  package var exchange: Exchange?
  /// The report of the app's server, if there was one.
  package var forwarded: ForwardedCall?

  /// A request and its answer.
  package final class Exchange {
    package let request: ConversionRequest
    /// The address without its query.
    package let address: String
    /// The answer, in the form in which the answerer has it.
    let content: Answer.Content
    /// What is shown of it: perhaps another answer.
    private(set) var shown: Answer.Content
    /// Of the answer, where it came by HTTP and named one.
    package var contentType: String?
    package var answeredBy: AnsweredBy

    init(_ request: ConversionRequest, address: String, _ content: Answer.Content, answeredBy: AnsweredBy) {
      self.request = request
      self.address = address
      (self.content, shown) = (content, content)
      self.answeredBy = answeredBy
    }

    /// The answer.
    package var answer: EndpointAnswer {
      get { shown.response }
      set { shown = .response(newValue) }
    }

    /// Why the endpoint answered so, in a sentence; nil where it did not say.
    package var endpointExplanation: String? { content.reply?.explanation(event: request.eventName) }

    /// The whole address as it went out, the SDK key redacted.
    package var url: String { "\(address)?\(query)" }

    /// The query of ``url``.
    package var query: String {
      var writer = JSONWriter()
      request.writeQuery(to: &writer)
      return String(writer.string.dropFirst())
    }
  }

  /// What the step was to tell of: nil for every other operation.
  package var postbacks: [Postback]? {
    guard case .postbacks = step.operation else { return nil }
    return device.postbacks(phone: step.device, at: endedAt)
  }

  package init(
    step: Step, at: Instant, endedAt: Instant, report: StepReport, device: Device, exchange: Exchange? = nil
  ) {
    self.step = step
    self.at = at
    self.endedAt = endedAt
    self.report = report
    self.device = device
    self.exchange = exchange
  }

  /// The step, and another device after it.
  package func with(_ device: Device) -> StepResult {
    let result = StepResult(step: step, at: at, endedAt: endedAt, report: report, device: device, exchange: exchange)
    result.forwarded = forwarded
    return result
  }
}

extension StepResult {
  /// What stays of the step in the install's history, in order: nothing of a look at the phone and of a fresh install.
  package var lifeEvents: [LifeEvent] {
    let own = step.operation.spec.history(step.operation).map { event($0, report) }
    return [own, forwarded?.applied.map { event(.forward, $0) }].compactMap(\.self)
  }

  /// The same for a device file: with who answered, and the warnings. Pictures of a life need neither.
  package var recordedEvents: [LifeEvent] {
    var events = lifeEvents
    var warnings = report.warnings.map(\.kind)
    // What a value for the app's server brings about is among the step's warnings, too.
    let ofForwarded = events.count > 1 ? forwarded?.applied?.warnings.map(\.kind) ?? [] : []
    for code in ofForwarded { if let index = warnings.lastIndex(of: code) { warnings.remove(at: index) } }
    for index in events.indices {
      let isForwarded = events[index].kind == .forward
      events[index].account = LifeEvent.Account(
        answeredBy: isForwarded ? forwarded?.answeredBy.name : exchange?.answeredBy.name,
        warnings: isForwarded && events.count > 1 ? ofForwarded : warnings)
    }
    return events
  }

  private func event(_ kind: LifeEvent.Kind, _ report: StepReport) -> LifeEvent {
    LifeEvent(
      at: endedAt, kind, report.outcome, call: report.framework, fate: report.frameworkAnswer?.fate.kind,
      error: report.frameworkAnswer?.error)
  }
}
