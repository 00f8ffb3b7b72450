import SKANHTTP

extension ReferenceService {
  /// A postback that was received and has no answer yet.
  struct UnsettledPostback {
    let request: HTTPRequest
    let peer: String
    let site: RequestSite
    let result: Result<(receipt: () -> PostbackReceipt, fault: (name: String, fault: Fault)?), Refusal>
    let reply: HTTPLateReply
  }

  /// Takes a postback; its answer is known at the next ``flush()``.
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
    return reply
  }

  /// Commits the postbacks that were received since the last time, and settles their answers.
  func settlePostbacks() {
    if unsettled.isEmpty { return }
    postbacks?.commit()
    for postback in unsettled {
      let reply = recorded(postback.request, postback.site, .v1) { (_, _, _) throws(Refusal) in
        let (receipt, fault) = try postback.result.get()
        return PostbackHandler.answer(receipt(), fault)
      }
      log?.append(postback.request, peer: postback.peer, reply)
      postback.reply.settle(reply.finished(allowing: sites.allowedOrigin(postback.site)))
    }
    unsettled.removeAll(keepingCapacity: true)
  }

  /// The fault that a postback asks for. Those that alter a value of an answer are for phones.
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
