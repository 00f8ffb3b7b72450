import SKANHTTP

/// Answers postbacks: Apple's copies for the developer, and those that ad networks forward.
struct PostbackHandler {
  /// Keeps the body of a request from an address.
  let receive: (_ body: [UInt8], _ address: String) -> PostbackReceipt

  /// The path of Apple's copies, as Apple calls it and as it stands in many configurations.
  static let developerPaths = [
    "/.well-known/skadnetwork/report-attribution/", "/.well-known/skadnetwork/report-attribution",
  ]
  /// The path of forwarded ones.
  static let forwardedPath = "/postbacks"

  var routes: [HTTPRoute<ServiceHandler>] {
    let post = (Self.developerPaths + [Self.forwardedPath]).map { path in
      HTTPRoute("POST", path, ServiceHandler.postback { self.answer($0, from: $1) })
    }
    return post + Self.developerPaths.map { HTTPRoute("GET", $0, ServiceHandler.open { _ in Self.ready }) }
  }

  /// What a browser sees that asks whether the path is the right one.
  private static var ready: ExplainedReply { ExplainedReply(200, Array(#"{"status":"ready"}"#.utf8)) }

  func answer(_ request: HTTPRequest, from peer: String) -> ExplainedReply {
    var reply: ExplainedReply
    switch receive(request.body, peer) {
    case .kept(let verdict):
      reply = ExplainedReply(200, Array(#"{"status":"ok"}"#.utf8), explanation: "The postback is kept: \(verdict).")
    case .refused(let status, let reason): reply = .refusal(status, reason)
    case .notKept(let cause):
      reply = .refusal(503, "the postback cannot be kept; send it again")
      reply.explanation = "The postback is not kept: \(cause)"
    }
    reply.isExplanationSent = false
    return reply
  }
}
