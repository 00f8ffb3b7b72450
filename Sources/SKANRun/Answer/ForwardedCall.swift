import SKANBase
import SKANDevice
import SKANModel

/// A report of the app's server and its result.
///
/// A class, because most steps have none and it is large.
package final class ForwardedCall {
  package let request: ForwardedRequest
  /// The URL without its query.
  package let address: String
  /// The answer to the last attempt.
  package var answer = EndpointAnswer.failure("")
  /// The messages of the last attempt, where they went over the network.
  package internal(set) var sent: SentRequest?
  /// The content type of ``answer``, where it came by HTTP and named one.
  package var contentType: String?
  package var answeredBy: AnsweredBy
  /// How often the report was sent, 1 to ``attemptLimit``.
  package var attempts = 0
  /// When the last attempt ended.
  package var endedAt: Instant
  /// The parameters that the guides' sample would have sent with other values, with those values; nil for one that it
  /// leaves out.
  package let stale: [QueryItem]
  /// How the snippet applied the answer's `conversion_value`; nil when there was none to apply.
  package var applied: StepReport?

  /// A report that has not been sent yet.
  init(
    _ request: ForwardedRequest, to address: String, answeredBy: AnsweredBy, at start: Instant, stale: [QueryItem]
  ) {
    self.request = request
    self.address = address
    self.answeredBy = answeredBy
    self.stale = stale
    endedAt = start
  }

  /// The most attempts for a request (support.singular.net, article 31542603988379: 3 to 5 attempts).
  package static let attemptLimit = 5

  /// The wait after an attempt: 1, 2, 4, 8 seconds (the same article).
  package static func wait(afterAttempt number: Int) -> TimeSpan { TimeSpan(seconds: 1 << Int64(number - 1)) }

  /// How the sender interprets the answer; nil when none came.
  package var reply: ForwardedReply? {
    guard case .response(let status, let body) = answer else { return nil }
    return ForwardedReply(status: status, body: body)
  }

  /// The parameters as sent, the SDK key redacted.
  package var parameters: [QueryItem] { request.queryItems(sdkKey: ConversionRequest.redactedKey) }

  /// The URL as sent, the SDK key redacted; a POST has no query.
  package var url: String { request.isPost ? address : "\(address)?\(parameters.strictlyEncoded)" }

  /// The result for the sender.
  package enum Outcome: String, CaseIterable, Sendable {
    case ok, error
    case noAnswer = "no-answer"
  }

  package var outcome: Outcome {
    switch reply {
    case .ok?: .ok
    case .refused?, .failed?: .error
    case nil: .noAnswer
    }
  }
}

extension ForwardedCall {
  /// The result in one or more sentences for a person.
  package var explanation: String {
    ([result] + [appliedSentence, staleSentence].compactMap(\.self)).joined(separator: " ")
  }

  private var result: String {
    let name = if case .session = request.subject { "launch" } else { "evt" }
    let count = attempts == 1 ? "" : " after \(attempts) attempts"
    switch reply {
    case .ok(nil)?: return "\(name) is accepted\(count)."
    case .ok(let value?)?: return "\(name) is accepted\(count); its conversion_value is \(value)."
    case .refused(let refusal)?:
      return "\(name) is permanently refused (\(refusal.reason)): the same request is refused again, and its data is "
        + "lost."
    case .failed(let reason)?: return "\(name) is not accepted\(count) (\(reason)): its data is lost."
    case nil:
      guard case .failure(let error) = answer else { return "" }
      return "\(name) has no answer\(count) (\(error)): it is not known whether its data arrived."
    }
  }

  private var appliedSentence: String? {
    guard let applied else { return nil }
    return "The snippet applies it: \(applied.explanation)"
  }

  private var staleSentence: String? {
    guard !stale.isEmpty else { return nil }
    let parts = stale.map { item in item.value.map { "\(item.name)=\($0)" } ?? "no \(item.name)" }
    return "The guide's sample, which reads before the answer, would have sent \(parts.joined(separator: ", "))."
  }
}

extension StepRunner {
  /// Runs op `s2s`: the server reports the phone's current state.
  ///
  /// - Returns: the report, and the call; no call where the app crashes before it asks its server.
  func report(
    _ subject: ForwardedRequest.Subject, _ options: ForwardOptions, of phone: inout Phone, at start: Instant
  ) -> (report: StepReport, call: ForwardedCall?) {
    let reading = phone.device.readDetails()
    guard reading.crash == nil else { return (reading, nil) }
    let call = forward(subject, options, before: phone.device.keptBeforeAnswer, of: &phone, at: start)
    let outcome: Outcome =
      switch call.outcome {
      case .ok: .forwarded
      case .error: .serverError
      case .noAnswer: .transportError
      }
    var report = StepReport(outcome, .forwarded(call.explanation))
    report.found = call.applied?.warnings ?? []
    return (report, call)
  }

  /// Runs an update and then reports it. A separate function, so that an update alone needs no stack space for it.
  @inline(never)
  func updateAndReport(
    _ name: String, _ subject: ForwardedRequest.Subject, _ update: Step.Update, _ at: Instant, on phone: inout Phone,
    _ parts: ResultParts?, _ end: inout Instant, _ report: inout StepReport
  ) throws(StepError) {
    let before = phone.device.kept
    try self.update(name, update, at, on: &phone, parts, &end, &report)
    if let options = update.forward { addReport(subject, options, before, at, of: &phone, parts, &end, &report) }
  }

  /// Lets the server report a session or an event that has just run.
  func addReport(
    _ subject: ForwardedRequest.Subject, _ options: ForwardOptions, _ before: KeptState, _ at: Instant,
    of phone: inout Phone, _ parts: ResultParts?, _ end: inout Instant, _ report: inout StepReport
  ) {
    // The sample reads and reports before the answer arrives, which may crash the app.
    let readsInTime = options.isStale && report.outcome != .crashed
    if report.crash != nil, !readsInTime { return }
    let start = options.isStale ? at : end
    let call = forward(subject, options, before: before, of: &phone, at: start)
    parts?.forwarded = call
    end = max(end, call.endedAt)
    if call.outcome != .ok { report.found.append(.notForwarded(call.explanation)) }
    report.found += call.applied?.warnings ?? []
  }

  /// Sends a report as the app's server does, and again after a temporary error. The snippet then applies the answer's
  /// `conversion_value` if the phone does not have it.
  ///
  /// - Parameters:
  ///   - before: the app's state before the answer to the step; nil when it is the current state.
  ///   - start: the phone's time.
  func forward(
    _ subject: ForwardedRequest.Subject, _ options: ForwardOptions, before: KeptState?, of phone: inout Phone,
    at start: Instant
  ) -> ForwardedCall {
    let snippet = phone.device.snippet
    // Nil when reading it crashes the app.
    let metadata = try? phone.device.kept.metadata(in: snippet.rules.api)
    let stale = if let before { try? before.metadata(in: snippet.rules.api) } else { metadata }
    func request(_ metadata: [QueryItem]?) -> ForwardedRequest {
      ForwardedRequest(
        subject, api: options.api, isPost: options.isPost, of: phone, metadata: metadata, at: start,
        changes: options.parameters)
    }
    let (fresh, sample) = (request(metadata), request(stale))
    let answerer: any Answerer = options.answer.map(ScriptedAnswerer.init) ?? self.answerer
    let call = ForwardedCall(
      options.isStale ? sample : fresh, to: answerer.forwardAddress(of: fresh),
      answeredBy: answerer.identity(for: phone.device), at: start,
      stale: options.isStale ? [] : sample.differences(from: fresh))
    repeat {
      if call.attempts > 0 {
        let wait = ForwardedCall.wait(afterAttempt: call.attempts)
        guard let next = call.endedAt.advanced(by: wait), answerer.wait(wait, for: phone) else { break }
        call.endedAt = next
      }
      call.attempts += 1
      let answer = answerer.forward(call.request, of: &phone, at: call.endedAt)
      (call.answer, call.sent) = (answer.content.response, answer.sent)
    } while call.attempts < ForwardedCall.attemptLimit && call.reply?.isRetryable ?? true
    if case .ok(let value)? = call.reply {
      if case .session = subject { phone.forwarding.hasSession = true }
      if let value, options.reapplies || phone.device.keptValue ?? 0 != value {
        call.applied = apply(call.answer, to: &phone, at: call.endedAt)
      }
    }
    return call
  }

  /// Lets the snippet apply the value of an answer.
  ///
  /// The guides ask the client to apply the value without saying how. We assume that it takes the path of an answer to
  /// the snippet, and that a value which the phone already has is left alone unless a list says otherwise.
  private func apply(_ answer: EndpointAnswer, to phone: inout Phone, at now: Instant) -> StepReport {
    switch phone.device.beginUpdate(at: now) {
    case .ended(let report): report
    case .request: phone.device.finishUpdate(SnippetAnswer(answer), at: now)
    }
  }
}

extension ForwardedRequest {
  /// The parameters in which this request differs from another, with this one's values; nil for those that this one
  /// leaves out.
  fileprivate func differences(from other: ForwardedRequest) -> [QueryItem] {
    guard self != other else { return [] }
    let mine = Dictionary(parameters.map { ($0.name, $0.value) }) { $1 }
    let theirs = Dictionary(other.parameters.map { ($0.name, $0.value) }) { $1 }
    let changed = parameters.filter { theirs[$0.name] != .some($0.value) }
    return changed + other.parameters.filter { mine[$0.name] == nil }.map { QueryItem($0.name, nil) }
  }
}
