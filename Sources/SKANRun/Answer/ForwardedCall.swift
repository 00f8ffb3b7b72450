import SKANDevice
import SKANModel

/// A report of the app's server, and what became of it.
///
/// A class, as it is large and most steps have none.
package final class ForwardedCall {
  package let request: ForwardedRequest
  /// The URL without its query.
  package let address: String
  /// The answer to the last attempt.
  package var answer = EndpointAnswer.failure("")
  /// Of that answer, where it came by HTTP and named one.
  package var contentType: String?
  package var answeredBy: AnsweredBy
  /// How often it was sent, 1 to ``attemptLimit``.
  package var attempts = 0
  /// When the last attempt was over.
  package var endedAt: Instant
  /// The parameters that the guides' sample would have sent otherwise, with its values; nil for one that it leaves out.
  package let stale: [QueryItem]
  /// The snippet's use of a `conversion_value` of the answer; nil when there was none to apply.
  package var applied: StepReport?

  /// A report that is still to be sent.
  init(
    _ request: ForwardedRequest, to address: String, answeredBy: AnsweredBy, at start: Instant, stale: [QueryItem]
  ) {
    self.request = request
    self.address = address
    self.answeredBy = answeredBy
    self.stale = stale
    endedAt = start
  }

  /// How often a request is sent at most (support.singular.net, article 31542603988379: 3 to 5 attempts).
  package static let attemptLimit = 5

  /// The wait after an attempt, by the same article: 1, 2, 4, 8 seconds.
  package static func wait(afterAttempt number: Int) -> TimeSpan { TimeSpan(seconds: 1 << Int64(number - 1)) }

  /// The meaning of the answer for the sender; nil when none came.
  package var reply: ForwardedReply? {
    guard case .response(let status, let body) = answer else { return nil }
    return ForwardedReply(status: status, body: body)
  }

  /// The parameters as they went out, the SDK key redacted.
  package var parameters: [QueryItem] { request.queryItems(sdkKey: ConversionRequest.redactedKey) }

  /// The URL as it went out, the SDK key redacted; a POST has no query.
  package var url: String { request.isPost ? address : "\(address)?\(parameters.strictlyEncoded)" }

  /// How it ended.
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
  /// Its outcome, one or more sentences for a person.
  package var explanation: String {
    ([result] + [appliedSentence, staleSentence].compactMap(\.self)).joined(separator: " ")
  }

  private var result: String {
    let name = if case .session = request.subject { "launch" } else { "evt" }
    let count = attempts == 1 ? "" : " after \(attempts) attempts"
    switch reply {
    case .ok(nil)?: return "\(name) is taken\(count)."
    case .ok(let value?)?: return "\(name) is taken\(count); its conversion_value is \(value)."
    case .refused(let refusal)?:
      return "\(name) is refused for good (\(refusal.reason)): the same request is refused again, and its data is lost."
    case .failed(let reason)?: return "\(name) is not taken\(count) (\(reason)): its data is lost."
    case nil:
      guard case .failure(let error) = answer else { return "" }
      return "\(name) has no answer\(count) (\(error)): whether its data arrived is not known."
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
  /// Runs op `s2s`: the server reports the phone as it is.
  ///
  /// - Returns: the call is nil where the app does not get as far as to ask its server.
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

  /// Runs an update, and then the server reports it. Apart from an update alone, so that this one has no room for it.
  @inline(never)
  func updateAndReport(
    _ name: String, _ subject: ForwardedRequest.Subject, _ update: Step.Update, _ at: Instant, on phone: inout Phone,
    _ parts: ResultParts?, _ end: inout Instant, _ report: inout StepReport
  ) throws(StepError) {
    let before = phone.device.kept
    try self.update(name, update, at, on: &phone, parts, &end, &report)
    if let options = update.forward { addReport(subject, options, before, at, of: &phone, parts, &end, &report) }
  }

  /// The server reports a session or an event that the app has just had.
  private func addReport(
    _ subject: ForwardedRequest.Subject, _ options: ForwardOptions, _ before: KeptState, _ at: Instant,
    of phone: inout Phone, _ parts: ResultParts?, _ end: inout Instant, _ report: inout StepReport
  ) {
    // The sample reads and reports before the answer comes, of which the app may die.
    let readsInTime = options.isStale && report.outcome != .crashed
    if report.crash != nil, !readsInTime { return }
    let start = options.isStale ? at : end
    let call = forward(subject, options, before: before, of: &phone, at: start)
    parts?.forwarded = call
    end = max(end, call.endedAt)
    if call.outcome != .ok { report.found.append(.notForwarded(call.explanation)) }
    report.found += call.applied?.warnings ?? []
  }

  /// Reports a step as the app's server does: at once, and again after an error that may pass. Then the snippet applies a
  /// `conversion_value` of the answer that the phone does not have.
  ///
  /// - Parameters:
  ///   - before: what the app kept before the answer to the step; nil when that is what it keeps now.
  ///   - start: by the phone's clock.
  func forward(
    _ subject: ForwardedRequest.Subject, _ options: ForwardOptions, before: KeptState?, of phone: inout Phone,
    at start: Instant
  ) -> ForwardedCall {
    let snippet = phone.device.snippet
    // Nil when reading it crashes the app.
    let metadata = try? phone.device.kept.metadata(of: snippet)
    let stale = if let before { try? before.metadata(of: snippet) } else { metadata }
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
      call.answer = answerer.forward(call.request, of: &phone, at: call.endedAt)
    } while call.attempts < ForwardedCall.attemptLimit && call.reply?.isRetryable ?? true
    if case .ok(let value)? = call.reply {
      if case .session = subject { phone.forwarding.hasSession = true }
      if let value, options.reapplies || phone.device.keptValue ?? 0 != value {
        call.applied = apply(call.answer, to: &phone, at: call.endedAt)
      }
    }
    return call
  }

  /// Lets the snippet take the value of an answer.
  ///
  /// The guides ask that the client applies the value, and do not say how: that it goes the way of an answer to the snippet
  /// itself, and that a value which the phone has is left alone unless a list says otherwise, is ours.
  private func apply(_ answer: EndpointAnswer, to phone: inout Phone, at now: Instant) -> StepReport {
    switch phone.device.beginUpdate(at: now) {
    case .ended(let report): report
    case .request: phone.device.finishUpdate(SnippetAnswer(answer), at: now)
    }
  }
}

extension ForwardedRequest {
  /// The parameters that another request has otherwise, as this one has them; nil for what this one leaves out.
  fileprivate func differences(from other: ForwardedRequest) -> [QueryItem] {
    guard self != other else { return [] }
    let mine = Dictionary(parameters.map { ($0.name, $0.value) }) { $1 }
    let theirs = Dictionary(other.parameters.map { ($0.name, $0.value) }) { $1 }
    let changed = parameters.filter { theirs[$0.name] != .some($0.value) }
    return changed + other.parameters.filter { mine[$0.name] == nil }.map { QueryItem($0.name, nil) }
  }
}
