import SKANHTTP

/// Answers postbacks: Apple's copies for the developer, and those that ad networks forward.
struct PostbackHandler {
  /// The path of Apple's copies, as Apple calls it and as it stands in many configurations.
  static let developerPaths = [
    "/.well-known/skadnetwork/report-attribution/", "/.well-known/skadnetwork/report-attribution",
  ]
  /// The path of forwarded ones.
  static let forwardedPath = "/postbacks"

  static var routes: [HTTPRoute<ServiceHandler>] {
    let post = (developerPaths + [forwardedPath]).map { HTTPRoute("POST", $0, ServiceHandler.postback) }
    return post + developerPaths.map { HTTPRoute("GET", $0, ServiceHandler.open { _ in ready }) }
  }

  /// What a browser sees that asks whether the path is the right one.
  private static var ready: ExplainedReply { ExplainedReply(200, Array(#"{"status":"ready"}"#.utf8)) }

  /// - Parameter fault: what the request asks for; the postback is kept all the same.
  static func answer(_ receipt: PostbackReceipt, _ fault: (name: String, fault: Fault)?) -> ExplainedReply {
    var reply: ExplainedReply
    switch receipt {
    case .kept(let verdict):
      reply = ExplainedReply(200, Array(#"{"status":"ok"}"#.utf8), explanation: "The postback is kept: \(verdict).")
    case .refused(let status, let reason): reply = .refusal(status, reason)
    case .notKept(let cause):
      reply = .refusal(503, "the postback cannot be kept; send it again")
      reply.explanation = Array("The postback is not kept: \(cause)".utf8)
    }
    reply.isExplanationSent = false
    if let (name, fault) = fault {
      reply.apply(fault)
      reply.explanation += " Fault on demand: \(name).".utf8
    }
    return reply
  }
}

extension ExplainedReply {
  fileprivate mutating func apply(_ fault: Fault) {
    if case .status(let status) = fault { response.status = status }
    response.body = fault.applied(to: response.body)
    self.fault = fault.fault(of: response.body)
  }
}
