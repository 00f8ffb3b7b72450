import SKANBase

/// What an answer of launch or evt means to its sender: the body decides, since errors come with status 200.
///
/// Source: support.singular.net, article 31542603988379; that an unreadable body is a failure to try again is inferred.
package enum ForwardedReply: Equatable, Sendable {
  /// Taken; with an active model there may be a value that the client has to apply.
  case ok(conversionValue: Int64?)
  /// Refused for good: the same request is refused again.
  case refused(ForwardedRefusal)
  /// Not taken, and to be tried again; the text says why.
  case failed(String)

  /// Reads an answer.
  package init(status: Int, body: [UInt8]) {
    if status == 429 || status >= 500 {
      self = .failed("status \(status)")
      return
    }
    guard let answer = (try? JSONReader.read(body))?.value, case .string(let outcome)? = answer["status"] else {
      self = .failed(status == 200 ? "the body has no status" : "status \(status), and the body has none")
      return
    }
    if outcome == "ok" {
      self = .ok(conversionValue: answer["conversion_value"]?.wholeNumber)
      return
    }
    let reason = answer["reason"]?.text
    if let refusal = reason.flatMap(ForwardedRefusal.init(reason:)) {
      self = .refused(refusal)
    } else {
      self = .failed(reason ?? "an error without a reason")
    }
  }

  /// Whether the sender has to try again.
  package var isRetryable: Bool { if case .failed = self { true } else { false } }

  /// The reason of an error; nil for success.
  package var reason: String? {
    switch self {
    case .ok: nil
    case .refused(let refusal): refusal.reason
    case .failed(let reason): reason
    }
  }
}

extension JSON {
  /// A whole number, however it is written; nil for everything else.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
