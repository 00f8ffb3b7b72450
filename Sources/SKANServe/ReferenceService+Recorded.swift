import SKANDevice
import SKANHTTP
import SKANBase
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
    let sent = SentParameters(request.query ?? "")
    let query = sent.map { ConversionQuery($0, api: api, in: document) }
    var (reply, time) = reply(to: request, site) { (stated) throws(Refusal) in
      try answer(query, stated ?? now(), stated != nil)
    }
    if let inspection { reply.findings = inspection(request, sent, reply.response, time ?? now()) }
    if log != nil { reply.phone = query?.idfv }
    journal.append(JournalLine(request, query: sent, at: time ?? now(), reply).writeLine)
    return reply
  }

  /// Answers a report of an app's server and records it.
  ///
  /// - Parameter answer: gets the report as far as it can be read.
  func recorded(
    _ request: HTTPRequest, _ site: RequestSite, at endpoint: EndpointKind,
    _ answer: (ServerReport) throws(Refusal) -> ExplainedReply
  ) -> ExplainedReply {
    let (query, form) = (SentParameters(request.query ?? ""), request.form)
    var report = ServerReport(request: request, endpoint: endpoint, parameters: query ?? SentParameters(), time: now())
    var (reply, _) = reply(to: request, site) { (stated) throws(Refusal) in
      guard let query, let form else { throw Refusal(400, brokenParameter(of: request)) }
      report.parameters = query.joined(with: form)
      report.time = stated ?? report.statedTime ?? report.time
      return try answer(report)
    }
    if let inspection { reply.findings = inspection(request, query, reply.response, report.time) }
    if log != nil { reply.phone = report.phone }
    journal.append(JournalLine(report, query: query, form: form, reply).writeLine)
    return reply
  }

  /// Lets in, answers and counts a request.
  ///
  /// - Parameter answer: gets the phone's time, where the request states it.
  /// - Returns: the reply, and the time that the request states.
  private func reply(
    to request: HTTPRequest, _ site: RequestSite, _ answer: (Instant?) throws(Refusal) -> ExplainedReply
  ) -> (ExplainedReply, Instant?) {
    let isHead = request.method == "HEAD"
    var time: Instant?
    var reply: ExplainedReply
    if let refusal = refusal(of: request, site) {
      reply = refusal
    } else {
      do throws(Refusal) {
        time = try deviceTime(request)
        reply = try answer(time)
      } catch {
        reply = error.reply
      }
      reply.isCounted = !isHead
      if isHead { reply.explanation += " A HEAD request counts nothing.".utf8 }
      // It may quote what was sent.
      if let redacted = SecretParameter.redacted(utf8: reply.explanation) { reply.explanation = Array(redacted.utf8) }
    }
    return (reply, time)
  }

  /// Why a request is not let in; nil when it is.
  func refusal(of request: HTTPRequest, _ site: RequestSite) -> ExplainedReply? {
    // The guides' own samples name Singular's host: a foreign one matters only for what a phone does not ask.
    refusal(of: site, isGuarded: request.method == "DELETE" || request.headers[Fault.header] != nil)
  }

  private func deviceTime(_ request: HTTPRequest) throws(Refusal) -> Instant? {
    guard let text = request.headers[ReferenceEndpoint.deviceTimeHeader] else { return nil }
    // Whole seconds, as nearly all are, are read in a tenth of the time.
    let time = Int64(text).map { Instant(unixSeconds: $0) } ?? Double(text).flatMap { Instant(unixSeconds: $0) }
    guard let time else {
      throw Refusal(400, "\(ReferenceEndpoint.deviceTimeHeader) must be Unix seconds")
    }
    return time
  }

  /// Answers a phone, or the server of its app, by the script or by its route, with the fault that it asks for.
  func answer(_ request: HTTPRequest, by answer: () -> PhoneAnswer) throws(Refusal) -> ExplainedReply {
    let name = request.headers[Fault.header]
    let fault = try name.map { (name) throws(Refusal) in try Self.fault(name) }
    let scripted = script.first
    if request.method != "HEAD" { script = script.dropFirst() }
    var reply: ExplainedReply
    switch scripted {
    case .response(let status, let body)?:
      reply = ExplainedReply(status, body, explanation: "From the script of answers.")
    case .failure?:
      reply = ExplainedReply(200, [], explanation: "From the script of answers: the connection is closed.")
      reply.fault = .close
      return reply
    case nil:
      let answer = answer()
      let status = if case .status(let status)? = fault { status } else { 200 }
      reply = ExplainedReply(status, fault?.applied(to: answer.body) ?? answer.body)
      reply.explanation = answer.explanation
      if let name { reply.explanation += " Fault on demand: \(name).".utf8 }
    }
    reply.fault = fault?.fault(of: reply.response.body)
    return reply
  }

  static func fault(_ name: String) throws(Refusal) -> Fault {
    if let known = Fault(name) { return known }
    let names = Fault.named.map(\.name).joined(separator: ", ")
    throw Refusal(400, "no fault \(JSONWriter.quoted(name)); known: \(names), status-NNN")
  }

  /// Names the parameter that cannot be read, in a query of which that is known. Its value may be the key and is not shown.
  func brokenParameter(of request: HTTPRequest) -> String {
    let problem = "has a broken percent escape or is not UTF-8"
    let items = (request.query ?? "").split(separator: "&")
    let broken = items.first { SentParameters(String($0)) == nil }
    let name = broken?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    return name.isEmpty || name.contains("%")
      ? "the query \(problem)"
      : "the parameter \(JSONWriter.quoted(SecretParameter.redacted(text: String(name.prefix(100))))) \(problem)"
  }
}
