import SKANHTTP

extension ReferenceService {
  /// A received postback without an answer.
  struct UnsettledPostback {
    let request: HTTPRequest
    let peer: String
    let site: RequestSite
    let result: Result<(receipt: () -> PostbackReceipt, fault: (name: String, fault: Fault)?), Refusal>
    let reply: HTTPLateReply
  }

  /// Receives a postback, which is answered at the next ``flush()``.
  func receive(_ request: HTTPRequest, from peer: String, _ site: RequestSite, _ keeper: PostbackKeeper) -> HTTPReply {
    let late = HTTPLateReply()
    let isWelcome = refusal(of: request, site) == nil
    let result: Result<(receipt: () -> PostbackReceipt, fault: (name: String, fault: Fault)?), Refusal>
    do throws(Refusal) {
      let fault = isWelcome ? try postbackFault(of: request) : nil
      result = .success((isWelcome ? keeper.receive(request.body, peer) : { .notKept(cause: "") }, fault))
    } catch {
      result = .failure(error)
    }
    unsettled.append(UnsettledPostback(request: request, peer: peer, site: site, result: result, reply: late))
    var reply = HTTPReply(late)
    reply.isCounted = isWelcome
    reply.delay = latency
    return reply
  }

  /// Commits the postbacks received since the last call, and settles their answers.
  func settlePostbacks() {
    if unsettled.isEmpty { return }
    postbacks?.commit()
    for postback in unsettled {
      let reply = recorded(postback.request, postback.site, .v1) { (_, _, _) throws(Refusal) in
        let (receipt, fault) = try postback.result.get()
        return PostbackHandler.answer(receipt(), fault, retryStatus: PostbackHandler.retryStatus(of: postback.request))
      }
      log?.append(postback.request, peer: postback.peer, reply)
      postback.reply.settle(reply.finished(allowing: sites.allowedOrigin(postback.site)))
    }
    unsettled.removeAll(keepingCapacity: true)
  }

  /// The fault that a postback asks for. Faults that alter a member of the answer are only for phones.
  private func postbackFault(of request: HTTPRequest) throws(Refusal) -> (name: String, fault: Fault)? {
    guard let name = request.headers[Fault.header] else { return nil }
    let fault = try Self.fault(name)
    if case .field = fault {
      let names = Fault.named.filter { if case .field = $0.fault { false } else { true } }.map(\.name)
      throw Refusal(
        400,
        "the fault \(name) alters a value, and the answer to a postback has none; for postbacks there are: "
          + "\(names.joined(separator: ", ")), status-NNN")
    }
    return (name, fault)
  }
}

/// Answers postbacks: Apple's copies for the developer, and those that ad networks forward.
struct PostbackHandler {
  /// The paths of Apple's copies: the one that Apple calls, and the one in many configurations.
  static let developerPaths = [
    "/.well-known/skadnetwork/report-attribution/", "/.well-known/skadnetwork/report-attribution",
  ]
  /// The path of forwarded postbacks.
  static let forwardedPath = "/postbacks"

  /// The path for Apple's copies of AdAttributionKit's postbacks, likewise.
  static let adAttributionKitPaths = [
    "/.well-known/appattribution/report-attribution/", "/.well-known/appattribution/report-attribution",
  ]

  static var routes: [HTTPRoute<ServiceHandler>] {
    let paths = developerPaths + adAttributionKitPaths
    let post = (paths + [forwardedPath]).map { HTTPRoute("POST", $0, ServiceHandler.postback) }
    return post + paths.map { HTTPRoute("GET", $0, ServiceHandler.open { _ in ready }) }
  }

  /// The status that makes the sender send a postback again that could not be kept. Of AdAttributionKit Apple documents
  /// 500 alone.
  static func retryStatus(of request: HTTPRequest) -> Int {
    adAttributionKitPaths.contains(request.target.path) ? 500 : 503
  }

  /// The reply to a browser that checks the path.
  private static var ready: ExplainedReply { ExplainedReply(200, Array(#"{"status":"ready"}"#.utf8)) }

  /// - Parameter fault: the fault that the request asks for; the postback is kept regardless.
  static func answer(
    _ receipt: PostbackReceipt, _ fault: (name: String, fault: Fault)?, retryStatus: Int
  ) -> ExplainedReply {
    var reply: ExplainedReply
    switch receipt {
    case .kept(let verdict):
      reply = ExplainedReply(200, Array(#"{"status":"ok"}"#.utf8), explanation: "The postback is kept: \(verdict).")
    case .refused(let status, let reason): reply = .refusal(status, reason)
    case .notKept(let cause):
      reply = .refusal(retryStatus, "the postback cannot be kept; send it again")
      reply.explanation = Array("The postback is not kept: \(cause)".utf8)
    }
    reply.isExplanationSent = false
    reply.apply(fault)
    return reply
  }
}

/// Keeps postbacks, and writes those received since the last ``commit`` to the disk together.
///
/// Flushing to the disk takes longer than checking many postbacks, so all postbacks that await an answer share one
/// flush.
package struct PostbackKeeper {
  /// Receives the body of a request from an address. After the next ``commit``, the returned closure gives the receipt.
  let receive: (_ body: [UInt8], _ address: String) -> () -> PostbackReceipt
  /// Writes the received postbacks to the disk, either all or none.
  let commit: () -> Void
  /// What the live page shows of them; nil for nothing.
  let page: PagePostbacks?

  package init(
    receive: @escaping (_ body: [UInt8], _ address: String) -> () -> PostbackReceipt, commit: @escaping () -> Void,
    page: PagePostbacks? = nil
  ) {
    self.page = page
    self.receive = receive
    self.commit = commit
  }
}

/// The result for a posted postback.
package enum PostbackReceipt: Sendable, Equatable {
  /// It is on the disk. The verdict is for the journal only; the sender does not receive it.
  case kept(verdict: String)
  /// It is not a postback (status 400), or too large (413).
  case refused(Int, reason: String)
  /// It could not be kept, and must be sent again. The cause is for the journal only.
  case notKept(cause: String)
}
