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
  /// What the snippet did with a `conversion_value` of the answer; nil when there was none to apply.
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

  /// What the answer means to the sender; nil when none came.
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
