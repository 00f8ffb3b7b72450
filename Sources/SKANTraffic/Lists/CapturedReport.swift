import SKANDevice
import SKANModel
import SKANRun

/// A report of the app's server with its answer, of which the client applies a value.
struct CapturedReport {
  let request: CheckedRequest
  let answer: EndpointAnswer
  /// Among the requests of the device.
  let index: Int
  /// The time of the step that it reports.
  let earliest: Instant?

  /// - Parameter redact: takes secrets out of a text.
  /// - Returns: nil without a report, and where the capture does not have its answer.
  init?(_ moment: CapturedMoment, after earliest: Instant?, _ redact: (String, [String]) -> String) {
    guard let report = moment.report, let index = moment.reportIndex,
      let answer = moment.reportAnswer?.endpointAnswer(redact: { redact($0, report.captured.secrets) })
    else { return nil }
    (request, self.answer, self.index, self.earliest) = (report, answer, index, earliest)
  }

  /// The value in the answer; nil for an answer without, and for one that is no success.
  var value: Int64? {
    guard case .response(let status, let body) = answer,
      case .ok(let value) = ForwardedReply(status: status, body: body)
    else { return nil }
    return value
  }
}

extension PhoneList {
  /// Adds what the server sent, as a step of its own: what it forwarded stands at the step before, and what the next
  /// request shows must come after the value of the answer.
  ///
  /// - Parameter next: shows whether the app applied the value, and when.
  mutating func add(_ report: CapturedReport, before next: CheckedRequest?) {
    let request = report.request
    var at = request.seconds.flatMap { Instant(unixSeconds: $0 + skew) }
    if let earliest = report.earliest { at = at.map { max($0, earliest) } }
    var reapplies = false
    if let value = report.value, let call = next?.details.integer(.lastCall), let before = phone.device.kept.lastCall,
      call > before
    {
      at = Instant(unixSeconds: call) ?? at
      reapplies = value == phone.device.keptValue ?? 0
    }
    let options = ForwardOptions(
      api: request.kind == .event(.v2) ? .v2 : .v1, isPost: request.kind != .event(.v2) && request.isPost,
      revenue: PaidAmount(request).map {
        ForwardedRevenue(amount: $0.amount, currency: $0.currency, isAdMonetization: $0.isAdMonetization)
      }, answer: report.answer, reapplies: reapplies)
    let name = redact(request.eventName, request.captured.secrets)
    let subject: ForwardedRequest.Subject =
      request.kind == .launch ? .session : .event(name: name, options.revenue)
    add(ListedStep(.forward(subject, options), at: at, label: request.label))
  }
}

extension CheckedRequest {
  fileprivate var isPost: Bool { captured.request.method == "POST" }
}
