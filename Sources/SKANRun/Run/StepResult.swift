import SKANBase
import SKANDevice

/// The outcome of a step and the state after it, from which all output is made.
///
/// A class, because it is large and passed on often. Only the code that redacts the SDK key changes it. Its device
/// never changes, so it can be read in place.
package final class StepResult {
  package let step: Step
  package let at: Instant
  package let endedAt: Instant
  package var report: StepReport
  /// The device after the step.
  package let device: Device
  /// The window of the app and that of Apple when the step ended; nil if none is open. Kept, because a call of the
  /// device copies it.
  package let window, appleWindow: ConversionWindow?
  /// The request and the answer.
  package var exchange: Exchange?
  /// The report of the app's server, if there is one.
  package var forwarded: ForwardedCall?
  /// The moments of an update on a phone whose updates overlap; nil for any other step.
  package var course: LifeEvent.Course?
  /// The store right after the call of such an update; nil for any other step.
  package var keptAtCall: KeptState?

  /// The number of its end among those of a phone whose updates overlap, whose results come in the order of the list;
  /// nil for any other phone.
  package var endNumber: Int?

  /// A request and its answer.
  package final class Exchange {
    package let request: ConversionRequest
    /// The address without its query.
    package let address: String
    /// The answer, in the answerer's own form.
    let content: Answer.Content
    /// The answer to show, which may be a redacted one.
    private(set) var shown: Answer.Content
    /// The answer's content type, where it came by HTTP and named one.
    package var contentType: String?
    package var answeredBy: AnsweredBy
    /// The messages, where they went over the network.
    package let sent: SentRequest?

    init(_ request: ConversionRequest, address: String, _ answer: Answer, answeredBy: AnsweredBy) {
      self.request = request
      self.address = address
      (content, shown, sent) = (answer.content, answer.content, answer.sent)
      self.answeredBy = answeredBy
    }

    /// The answer to show.
    package var answer: EndpointAnswer {
      get { shown.response }
      set { shown = .response(newValue) }
    }

    /// The endpoint's reason for its answer, in a sentence; nil where it gave none.
    package var endpointExplanation: String? { content.reply?.explanation(event: request.eventName) }

    /// The whole URL as sent, the SDK key redacted.
    package var url: String { "\(address)?\(query)" }

    /// The query of ``url``.
    package var query: String {
      var writer = JSONWriter()
      request.writeQuery(to: &writer)
      return String(writer.string.dropFirst())
    }
  }

  /// The postbacks that a step of op `postbacks` lists; nil for other operations.
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
    window = device.window(at: endedAt)
    appleWindow = device.appleWindow(at: endedAt)
    self.exchange = exchange
  }

  /// Returns the result with another device.
  package func with(_ device: Device) -> StepResult {
    let result = StepResult(step: step, at: at, endedAt: endedAt, report: report, device: device, exchange: exchange)
    result.forwarded = forwarded
    (result.course, result.keptAtCall) = (course, keptAtCall)
    result.endNumber = endNumber
    return result
  }
}

extension StepResult {
  /// The entries of the step in the install's history, in order. Steps that only show the phone have none, and neither
  /// has an install.
  package var lifeEvents: [LifeEvent] {
    var own = step.operation.history.map { event($0, report) }
    own?.course = course
    return [own, forwarded?.applied.map { event(.forward, $0) }].compactMap(\.self)
  }

  /// The ``lifeEvents`` for a device file, with the answerer and the warnings, which drawings of a life do not need.
  package var recordedEvents: [LifeEvent] {
    var events = lifeEvents
    // A history keeps codes alone: a warning below the level of its code would be taken for a finding.
    var warnings = report.warnings.filter { $0.level == $0.kind.level }.map(\.kind)
    // The step's warnings include those of applying the app server's value.
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
