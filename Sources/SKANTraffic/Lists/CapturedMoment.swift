import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// What the app and its server sent of one thing that happened: the snippet's request, the server's, or both.
struct CapturedMoment {
  /// The snippet's request for the next value.
  var ask: CheckedRequest?
  /// The report of the app's server.
  var report: CheckedRequest?
  /// The answer to the report, that to the last attempt.
  var reportAnswer: CapturedAnswer?
  /// The index of the report among the requests.
  var reportIndex: Int?
  /// The index of the request by which it is named.
  let index: Int

  /// The request by which it is named: the snippet's, else the server's.
  var request: CheckedRequest? { ask ?? report }

  /// How much later than a report its request may stand in a capture, in seconds.
  private static let slack: Int64 = 2

  /// Pairs the requests of a device.
  ///
  /// A report belongs to the last request of its name before it that no other report belongs to.
  ///
  /// - Parameter requests: in order of time.
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
  /// Whether it is the same report, sent again.
  fileprivate func isRetry(of other: CheckedRequest?) -> Bool {
    guard let other, other.kind == kind, other.pairingName == pairingName else { return false }
    return other.captured.request.target == captured.request.target
      && other.captured.request.body == captured.request.body
  }

  /// Where it is in its capture, for the label of a step.
  var label: String { "\(captured.location.file) entry \(captured.location.entry)" }

  /// `n` as the app passed it: the snippet writes a space as `%20`, so that a bare `+` is one.
  var writtenName: String {
    guard let raw = sent.raw("n"), raw.hasPlus else { return eventName }
    return SentParameters("n=\(raw.replacing("+", with: "%2B"))")?["n"] ?? eventName
  }

  /// The value of the answer, which the client applies; nil without one.
  var appliedValue: Int64? {
    switch captured.answer {
    case .response(let status, let body) where kind.isReport:
      if case .ok(let value) = ForwardedReply(status: status, body: body) { value } else { nil }
    case .response(_, let body):
      if case .integer(let value)? = (try? JSONReader.read(body))?.value["conversion_value"] { value } else { nil }
    case .notCaptured, .status, .failure: nil
    }
  }

  /// Whether an answer came.
  var isAnswered: Bool { if case .response = captured.answer { true } else { false } }
}

extension CapturedAnswer {
  /// The answer in the form of a step; nil where the capture does not have it.
  ///
  /// - Parameter redact: takes secrets out of its text.
  func endpointAnswer(redact: (String) -> String) -> EndpointAnswer? {
    switch self {
    case .notCaptured, .status: nil
    case .response(let status, let body):
      if let text = String(validating: body, as: UTF8.self) {
        .response(status: status, body: Array(redact(text).utf8))
      } else {
        .response(status: status, body: body)
      }
    case .failure(let text): .failure(text.isEmpty ? "no answer" : redact(text))
    }
  }
}

extension Step.Operation {
  /// Whether it can change what the app keeps, or shows it.
  var keepsValues: Bool {
    switch self {
    case .register, .session, .event, .revenue: true
    default: false
    }
  }

  var isRevenue: Bool { if case .revenue = self { true } else { false } }
}

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

/// Reports of the app's server without a request of the snippet.
extension PhoneList {
  mutating func add(_ report: CheckedRequest) {
    let at = report.seconds.flatMap { Instant(unixSeconds: $0 + skew) }
    let isSession = report.kind == .launch
    if isRegistered, report.metadata.hasSKAN4Names {
      addRevenue(to: report.details, report, sums: SnippetVersion.skan4.rules.sums, at: at)
    }
    if isSession, isRegistered, !hasAsked {
      // The first launch: the app registers and forwards what it then has.
      var step = ListedStep(.details, at: at, label: report.label)
      step.forwarded = report.metadata.isEmpty ? nil : report.details
      add(step)
      return
    }
    let name = redact(report.eventName, report.captured.secrets)
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
