import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// The requests about one session or event: the snippet's, the app server's, or both.
struct CapturedMoment {
  /// The snippet's request for the next value.
  var ask: CheckedRequest?
  /// The report of the app's server.
  var report: CheckedRequest?
  /// The answer to the last attempt of the report.
  var reportAnswer: CapturedAnswer?
  /// The index of the report among the requests.
  var reportIndex: Int?
  /// The index of ``request``.
  let index: Int

  /// The request that represents the moment: the snippet's, or else the server's.
  var request: CheckedRequest? { ask ?? report }

  /// The seconds by which a request may follow its report in a capture.
  private static let slack: Int64 = 2

  /// Pairs the requests of a device.
  ///
  /// A report belongs to the last request of its name before it that does not have a report yet.
  ///
  /// - Parameter requests: the requests in order of time.
  static func all(_ requests: [CheckedRequest]) -> [CapturedMoment] {
    var moments: [CapturedMoment] = []
    for (index, request) in requests.enumerated() {
      if case .conversionValue = request.kind {
        moments.append(CapturedMoment(ask: request, index: index))
        continue
      }
      let answer = request.captured.answer
      if request.isRetry(of: moments.last?.report) {
        moments[moments.count - 1].reportAnswer = answer
        continue
      }
      let partner = moments.lastIndex { moment in
        guard let ask = moment.ask, moment.report == nil, ask.pairingName == request.pairingName else { return false }
        guard let asked = ask.seconds, let reported = request.seconds else { return true }
        return asked <= reported + slack
      }
      if let partner {
        moments[partner].report = request
        moments[partner].reportAnswer = answer
        moments[partner].reportIndex = index
      } else {
        moments.append(CapturedMoment(report: request, reportAnswer: answer, reportIndex: index, index: index))
      }
    }
    return moments
  }
}

extension CheckedRequest {
  /// Whether it repeats the same report.
  fileprivate func isRetry(of other: CheckedRequest?) -> Bool {
    guard let other, other.kind == kind, other.pairingName == pairingName else { return false }
    return other.captured.request.target == captured.request.target
      && other.captured.request.body == captured.request.body
  }

  /// The location in the capture, for the label of a step.
  var label: String { "\(captured.location.file) entry \(captured.location.entry)" }

  /// The event name as the app passed it: the snippet encodes a space as `%20`, so a bare `+` is a plus sign.
  var writtenName: String {
    guard let raw = sent.raw("n"), raw.hasPlus else { return eventName }
    return SentParameters("n=\(raw.replacing("+", with: "%2B"))")?["n"] ?? eventName
  }

  /// The value in the answer, which the client applies; nil without one.
  var appliedValue: Int64? {
    switch captured.answer {
    case .response(let status, let body) where kind.isReport:
      if case .ok(let value) = ForwardedReply(status: status, body: body) { value } else { nil }
    case .response(_, let body):
      if case .integer(let value)? = (try? JSONReader.read(body))?.value["conversion_value"] { value } else { nil }
    case .notCaptured, .status, .unreadable, .failure: nil
    }
  }

  /// Whether there was an answer.
  var isAnswered: Bool { if case .response = captured.answer { true } else { false } }
}

extension CapturedRequest {
  /// The answer in the form of a step, without the secrets of the request; nil where it is not captured.
  func endpointAnswer(of answer: CapturedAnswer) -> EndpointAnswer? {
    switch answer {
    case .notCaptured, .status, .unreadable: nil
    case .response(let status, let body):
      if let text = String(validating: body, as: UTF8.self) {
        .response(status: status, body: Array(withoutSecrets(text).utf8))
      } else {
        .response(status: status, body: body)
      }
    case .failure(let text): .failure(text.isEmpty ? "no answer" : withoutSecrets(text))
    }
  }
}

extension Step.Operation {
  /// Whether it may change or show what the app keeps.
  var keepsValues: Bool {
    switch self {
    case .register, .session, .event, .revenue: true
    default: false
    }
  }

  var isRevenue: Bool { if case .revenue = self { true } else { false } }
}

/// A report of the app's server and its answer, whose value the client applies.
struct CapturedReport {
  let request: CheckedRequest
  let answer: EndpointAnswer
  /// The index among the requests of the device.
  let index: Int
  /// The time of the reported step.
  let earliest: Instant?

  /// - Returns: nil without a report, and where its answer is not captured.
  init?(_ moment: CapturedMoment, after earliest: Instant?) {
    guard let report = moment.report, let index = moment.reportIndex,
      let answer = moment.reportAnswer.flatMap({ report.captured.endpointAnswer(of: $0) })
    else { return nil }
    (request, self.answer, self.index, self.earliest) = (report, answer, index, earliest)
  }

  /// The value in the answer; nil without one, and for an answer that is an error.
  var value: Int64? {
    guard case .response(let status, let body) = answer,
      case .ok(let value) = ForwardedReply(status: status, body: body)
    else { return nil }
    return value
  }
}

extension PhoneList {
  /// Adds a separate step for a report. The forwarded values are expected at the step before; the values in the next
  /// request are expected after this step has applied the answer's value.
  ///
  /// - Parameter next: the next request, which shows whether the app applied the value, and when.
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
    let name = request.captured.withoutSecrets(request.eventName)
    let subject: ForwardedRequest.Subject =
      request.kind == .launch ? .session : .event(name: name, options.revenue)
    add(ListedStep(.forward(subject, options), at: at, label: request.label))
  }
}

extension CheckedRequest {
  fileprivate var isPost: Bool { captured.request.method == "POST" }
}

/// Reports of the app's server without a request of the snippet.
extension PhoneList {
  mutating func add(_ report: CheckedRequest) {
    let at = report.seconds.flatMap { Instant(unixSeconds: $0 + skew) }
    let isSession = report.kind == .launch
    if isRegistered, report.metadata.hasSKAN4Names {
      addRevenue(to: report.details, report, sums: SnippetVersion.skan4.rules.sums, at: at)
    }
    if isSession, isRegistered, !hasAsked {
      // The first launch: the app registers and forwards its state at that time.
      var step = ListedStep(.details, at: at, label: report.label)
      step.forwarded = report.metadata.isEmpty ? nil : report.details
      add(step)
      return
    }
    let name = report.captured.withoutSecrets(report.eventName)
    var step = ListedStep(
      isSession ? .session(Step.Update()) : .event(name: name, Step.Update()), at: at,
      label: "\(report.label): no request of the snippet")
    step.forwarded = report.metadata.isEmpty ? nil : report.details
    if isRegistered {
      step.others.append(Expectation(path: "request", expected: .null))
    } else {
      step.others.append(Expectation(path: "outcome", expected: .string(Outcome.updated.name)))
    }
    add(step)
  }
}
