import SKANDevice
import SKANHTTP
import SKANJSON
import SKANModel

/// The requests that the journal records.
extension ReferenceService {
  /// Why a request is not answered by its route.
  struct Refusal: Error {
    let reply: ExplainedReply
    init(_ reply: ExplainedReply) { self.reply = reply }
    init(_ status: Int, _ reason: String) { reply = .refusal(status, reason) }
  }

  /// Answers a request and records it.
  ///
  /// - Parameters:
  ///   - api: the version that the query is read for.
  ///   - answer: gets the query, nil when it cannot be read, the phone's time, or else the server's, and whether it is the
  ///     phone's.
  func recorded(
    _ request: HTTPRequest, _ site: RequestSite, _ api: EndpointAPI,
    _ answer: (ConversionQuery?, Instant, _ statesTime: Bool) throws(Refusal) -> ExplainedReply
  ) -> ExplainedReply {
    let query = ConversionQuery(request.query ?? "", api: api, in: document)
    let isHead = request.method == "HEAD"
    // The guides' own samples name Singular's host: a foreign one matters only for what a phone does not ask.
    let isGuarded = request.method == "DELETE" || request.headers[Fault.header] != nil
    var time = now()
    var reply: ExplainedReply
    if let refusal = refusal(of: site, isGuarded: isGuarded) {
      reply = refusal
    } else {
      do throws(Refusal) {
        let stated = try deviceTime(request)
        if let stated { time = stated }
        reply = try answer(query, time, stated != nil)
      } catch {
        reply = error.reply
      }
      reply.isCounted = !isHead
      if isHead { reply.explanation += " A HEAD request counts nothing." }
    }
    journal.append(JournalLine.bytes(request, query: query, at: time, reply))
    return reply
  }

  private func deviceTime(_ request: HTTPRequest) throws(Refusal) -> Instant? {
    guard let text = request.headers[ReferenceEndpoint.deviceTimeHeader] else { return nil }
    guard let seconds = Double(text), let time = Instant(unixSeconds: seconds) else {
      throw Refusal(400, "\(ReferenceEndpoint.deviceTimeHeader) must be Unix seconds")
    }
    return time
  }

  /// Answers a phone by the script or by its route, with the fault that it asks for.
  func answer(
    _ request: PhoneRequest, by answer: (PhoneRequest) -> PhoneAnswer
  ) throws(Refusal) -> ExplainedReply {
    let name = request.request.headers[Fault.header]
    let fault = try name.map { (name) throws(Refusal) in try Self.fault(name) }
    let scripted = script.first
    if !request.isHead { script = script.dropFirst() }
    var reply: ExplainedReply
    switch scripted {
    case .response(let status, let body)?:
      reply = ExplainedReply(status, body, explanation: "From the script of answers.")
    case .failure?:
      reply = ExplainedReply(200, [], explanation: "From the script of answers: the connection is closed.")
      reply.fault = .close
      return reply
    case nil:
      let answer = answer(request)
      let status = if case .status(let status)? = fault { status } else { 200 }
      reply = ExplainedReply(
        status, fault?.applied(to: answer.body) ?? answer.body,
        explanation: name.map { "\(answer.explanation) Fault on demand: \($0)." } ?? answer.explanation)
    }
    reply.fault = fault?.fault(of: reply.response.body)
    return reply
  }

  private static func fault(_ name: String) throws(Refusal) -> Fault {
    if let known = Fault(name) { return known }
    let names = Fault.named.map(\.name).joined(separator: ", ")
    throw Refusal(400, "no fault \(JSONWriter.quoted(name)); known: \(names), status-NNN")
  }

  /// Names the parameter that cannot be read, in a query of which that is known. Its value may be the key and is not shown.
  func brokenParameter(of request: HTTPRequest) -> String {
    let problem = "has a broken percent escape or is not UTF-8"
    let items = (request.query ?? "").split(separator: "&")
    let broken = items.first { ConversionQuery(String($0), api: .v2, in: document) == nil }
    let name = broken?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    return name.isEmpty || name.contains("%")
      ? "the query \(problem)" : "the parameter \(JSONWriter.quoted(String(name.prefix(100)))) \(problem)"
  }
}
