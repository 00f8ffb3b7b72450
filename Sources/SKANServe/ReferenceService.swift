import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANSystem

/// The reference endpoint without sockets: routes, phones, journal and faults.
package final class ReferenceService {
  /// The most phones that are remembered.
  package static let phoneLimit = 100_000
  /// The path of the test endpoint.
  static let testingPath = "/testing\(EndpointKind.conversionValue(.v1).path)"

  let now: () -> Instant
  /// The memory in which queries are parsed.
  let document = JSONDocument()
  let journal: Journal
  /// Nil where requests are not logged.
  let log: RequestLog?
  /// Answers that precede the model's, in order.
  var script: ArraySlice<EndpointAnswer>
  let routes: HTTPRouteTable<ServiceHandler>
  private let conversion: ConversionHandler
  let sites: SiteGuard
  /// Nil where postbacks are not accepted.
  let postbacks: PostbackKeeper?
  /// The postbacks received since the last ``flush()``.
  var unsettled: [UnsettledPostback] = []
  /// Inspects the requests of phones and of their apps' servers; nil for no inspection.
  let inspection: Inspection?
  /// The live page; nil where there is none.
  let page: LivePage?
  /// The seconds by which every answer is delayed, those of the live page apart.
  let latency: Double

  /// - Parameters:
  ///   - phoneLimit: the most phones that are remembered.
  ///   - journalLimit: the most lines that the journal keeps for the page and for `GET /journal`.
  ///   - script: answers that precede those of the routes for phones, one for each request.
  ///   - sites: the sites whose pages may send requests.
  ///   - postbacks: keeps posted postbacks; nil closes the paths for them.
  ///   - now: the server's clock, for phones that do not state their time.
  ///   - redactor: removes a known key from a line of the journal, and from the models and postbacks that the live page
  ///     shows; keys that are recognized by name are never in a line.
  ///   - keep: receives the journal's new lines, with line ends, at each ``flush()``.
  ///   - report: receives lines for the person at the server.
  ///   - log: writes every request as a line for the person at the server.
  ///   - inspection: inspects each request that the journal records, before its answer is sent.
  ///   - hasPage: whether there is the live page.
  ///   - client: the sender of conversion_value requests, for the page's findings; nil to tell it from the requests.
  ///   - latency: the seconds by which every answer is delayed.
  package init(
    endpoint: ReferenceEndpoint, phoneLimit: Int = ReferenceService.phoneLimit, journalLimit: Int = Journal.limit,
    script: [EndpointAnswer] = [],
    sites: SiteGuard = SiteGuard(), postbacks: PostbackKeeper? = nil,
    now: @escaping () -> Instant, redactor: Redactor,
    keep: (([UInt8]) -> Void)? = nil,
    report: @escaping (String) -> Void = { _ in }, log: RequestLog? = nil, inspection: Inspection? = nil,
    hasPage: Bool = false, client: ConversionClient? = nil, latency: Double = 0
  ) {
    let forgotten = ForgottenPhones(limit: phoneLimit, report: report)
    let conversion = ConversionHandler(endpoint, forgotten)
    let journal = Journal(limit: journalLimit, redactor: redactor, keep: keep)
    self.conversion = conversion
    self.journal = journal
    self.log = log
    self.script = ArraySlice(script)
    self.sites = sites
    self.postbacks = postbacks
    self.inspection = inspection
    self.now = now
    self.latency = latency
    page =
      hasPage
      ? LivePage(journal, postbacks?.page, client, now: now, redactor: redactor) { conversion.endpoint } : nil
    routes = Self.routes(
      conversion, TestEndpointHandler(forgotten), ReportHandler(conversion, forgotten), journal, page,
      takesPostbacks: postbacks != nil)
  }

  /// The routes of the service, in the order in which messages list their paths.
  private static func routes(
    _ conversion: ConversionHandler, _ testing: TestEndpointHandler, _ reports: ReportHandler, _ journal: Journal,
    _ page: LivePage?, takesPostbacks: Bool
  ) -> HTTPRouteTable<ServiceHandler> {
    let phones: [HTTPRoute<ServiceHandler>] = [
      HTTPRoute("GET", EndpointKind.conversionValue(.v1).path, .phone(.v1, conversion.answer)),
      HTTPRoute("GET", EndpointKind.conversionValue(.v2).path, .phone(.v2, conversion.answer)),
      HTTPRoute("GET", Self.testingPath, .phone(.v1, testing.answer)),
    ]
    let reported = EndpointKind.reports.flatMap { endpoint in
      ["GET", "POST"].map { HTTPRoute($0, endpoint.path, ServiceHandler.report(endpoint, reports.answer)) }
    }
    let description = OpenAPI.document(withPostbacks: takesPostbacks, withPage: page != nil)
    let own: [HTTPRoute<ServiceHandler>] = [
      HTTPRoute(
        "GET", "/healthz",
        .open { _ in ExplainedReply(200, Array("{\"phones\":\(conversion.phoneCount),\"status\":\"ok\"}".utf8)) }),
      HTTPRoute("GET", "/openapi.json", .open { _ in ExplainedReply(200, Array(JSONWriter.text(description).utf8)) }),
      HTTPRoute(
        "GET", "/journal", .guarded { _ in ExplainedReply(200, journal.text, contentType: "application/jsonl") }),
      HTTPRoute(
        "DELETE", "/journal",
        .guarded { _ in
          journal.clear()
          return ExplainedReply(204, [])
        }),
    ]
    return HTTPRouteTable(
      phones + reported + (takesPostbacks ? PostbackHandler.routes : []) + own + (page?.routes ?? []))
  }

  /// Replaces the endpoint and its models; what is remembered of phones stays.
  package func use(_ endpoint: ReferenceEndpoint) { conversion.endpoint = endpoint }

  /// Writes out the journal and the log, settles postbacks' replies, and starts what the page waits for; called before
  /// answers are sent.
  package func flush() {
    settlePostbacks()
    journal.flush()
    log?.flush()
    page?.beginTurn()
  }

  /// The next part of a stream of the live page; empty for none yet.
  package func part(ofStream id: Int) -> [UInt8] { page?.part(ofStream: id) ?? [] }

  package func closeStream(_ id: Int) { page?.closeStream(id) }

  /// Records input that was not HTTP, and its answer.
  package func record(_ failure: HTTPFailure, from peer: String) {
    journal.append(JournalLine(failure, at: now()).writeLine)
    log?.append(failure, peer: peer)
  }

  /// Answers a request.
  ///
  /// - Parameter peer: the client's address, which identifies phones without an identifier.
  package func reply(to request: HTTPRequest, from peer: String) -> HTTPReply {
    let site = RequestSite(request.headers)
    if let postbacks, case .handler(.postback) = routes.match(method: request.method, path: request.path) {
      return receive(request, from: peer, site, postbacks)
    }
    let reply = answer(request, from: peer, site)
    if !reply.isForPage { log?.append(request, peer: peer, reply) }
    let delay = reply.isForPage ? 0 : latency + reply.delay
    var finished = reply.finished(allowing: sites.allowedOrigin(site))
    finished.delay = delay
    return finished
  }

  private func answer(_ request: HTTPRequest, from peer: String, _ site: RequestSite) -> ExplainedReply {
    switch routes.match(method: request.method, path: request.path) {
    case .handler(.phone(let api, let answer)):
      recorded(request, site, api) { (query, time, statesTime) throws(Refusal) in
        guard let query else { throw Refusal(400, brokenParameter(of: request)) }
        let phone = PhoneRequest(request: request, query: query, time: time, statesTime: statesTime, peer: peer)
        let trouble = request.method == "HEAD" ? nil : page?.troubles.take(for: query.sent)
        return try self.answer(request, trouble) { answer(phone) }
      }
    case .handler(.report(let endpoint, let answer)):
      recorded(request, site, at: endpoint) { (report) throws(Refusal) in
        try self.answer(request) { answer(report) }
      }
    case .handler(.open(let answer)): answer(request)
    case .handler(.page(let isChange, let answer)):
      sites.refusal(ofOtherThanPage: site, isChange: isChange).map { .refusal(403, $0) }
        ?? answer(request).forPage
    case .handler(.guarded(let answer)): guarded(site) { answer(request) }
    case .otherMethod(let allowed, .phone(let api, _)):
      recorded(request, site, api) { (_, _, _) throws(Refusal) in
        throw Refusal(refusal(of: request, site, allowed: allowed))
      }
    case .otherMethod(let allowed, .report(let endpoint, _)):
      recorded(request, site, at: endpoint) { (_) throws(Refusal) in
        throw Refusal(refusal(of: request, site, allowed: allowed))
      }
    case .otherMethod(let allowed, .postback):
      recorded(request, site, .v1) { (_, _, _) throws(Refusal) in
        throw Refusal(refusal(of: request, site, allowed: allowed))
      }
    case .otherMethod(let allowed, .open): refusal(of: request, site, allowed: allowed)
    case .otherMethod(let allowed, .guarded), .otherMethod(let allowed, .page):
      refusal(of: site, isGuarded: true) ?? refusal(of: request, site, allowed: allowed)
    // Accepted postbacks are answered elsewhere.
    case .handler(.postback), .noPath:
      recorded(request, site, .v1) { (_, _, _) throws(Refusal) in
        throw Refusal(404, "no such path; there are \(listedPaths.listed())")
      }
    }
  }

  /// The paths for programs, as messages list them.
  private var listedPaths: [String] {
    let ofPage = page == nil ? [] : OpenAPI.pagePaths.map(\.key)
    return routes.paths.filter { !ofPage.contains($0) }
  }

  /// The refusal of a page of another site, or of an unknown host name if the request is guarded.
  func refusal(of site: RequestSite, isGuarded: Bool) -> ExplainedReply? {
    (sites.refusal(ofPage: site) ?? (isGuarded ? sites.refusal(ofHost: site) : nil)).map { .refusal(403, $0) }
  }

  /// The answer to a request for what phones have sent, which only programs and the server's own page may have.
  private func guarded(_ site: RequestSite, _ answer: () -> ExplainedReply) -> ExplainedReply {
    if let refusal = sites.refusal(ofOtherThanPage: site, isChange: false) { return .refusal(403, refusal) }
    var reply = answer()
    reply.protect()
    return reply
  }

  /// The answer to a method that a path does not support.
  private func refusal(of request: HTTPRequest, _ site: RequestSite, allowed: String) -> ExplainedReply {
    if request.method == "OPTIONS", sites.allowedOrigin(site) != nil { return .permission(allowed) }
    var refusal = ExplainedReply.refusal(405, "\(request.path) takes \(allowed)")
    refusal.allowed = allowed
    return refusal
  }
}

/// The requests that the journal records.
extension ReferenceService {
  /// The reason why a request is not answered by its route.
  struct Refusal: Error {
    let reply: ExplainedReply
    init(_ reply: ExplainedReply) { self.reply = reply }
    init(_ status: Int, _ reason: String) { reply = .refusal(status, reason) }
  }

  /// Answers a request and records it.
  ///
  /// - Parameters:
  ///   - api: the version as which the query is read.
  ///   - answer: receives the query, nil if it cannot be read; the phone's time, or else the server's; and whether it
  ///     is the phone's.
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
    journal.append(during: span(of: reply), JournalLine(request, query: sent, at: time ?? now(), reply).writeLine)
    return reply
  }

  /// Answers a report of an app's server and records it.
  ///
  /// - Parameter answer: receives the report as far as it can be read.
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
    journal.append(during: span(of: reply), JournalLine(report, query: query, form: form, reply).writeLine)
    return reply
  }

  /// When a request that came now is under way; nil without a page, which alone asks for it.
  private func span(of reply: ExplainedReply) -> ServedSpan? {
    page.map { _ in ServedSpan(from: now(), delay: min(latency + reply.delay, Troubles.longestDelay)) }
  }

  /// Checks, answers and counts a request.
  ///
  /// - Parameter answer: receives the phone's time, where the request states it.
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
      // The explanation may quote the request.
      if let redacted = SecretParameter.redacted(utf8: reply.explanation) { reply.explanation = Array(redacted.utf8) }
    }
    return (reply, time)
  }

  /// The reply that refuses a request; nil when it is accepted.
  func refusal(of request: HTTPRequest, _ site: RequestSite) -> ExplainedReply? {
    // The guides' samples use Singular's host, so a foreign host is refused only for requests that phones do not make.
    refusal(of: site, isGuarded: request.method == "DELETE" || request.headers[Fault.header] != nil)
  }

  private func deviceTime(_ request: HTTPRequest) throws(Refusal) -> Instant? {
    guard let text = request.headers[ReferenceEndpoint.deviceTimeHeader] else { return nil }
    // Nearly all times are whole seconds, which are parsed in a tenth of the time.
    let time = Int64(text).map { Instant(unixSeconds: $0) } ?? Double(text).flatMap { Instant(unixSeconds: $0) }
    guard let time else {
      throw Refusal(400, "\(ReferenceEndpoint.deviceTimeHeader) must be Unix seconds")
    }
    return time
  }

  /// Answers a phone, or its app's server, by the script or by the route, and applies the fault that it requests.
  ///
  /// - Parameter trouble: the trouble that the live page asks for; nil for none.
  func answer(
    _ request: HTTPRequest, _ trouble: Trouble? = nil, by answer: () -> ExplainedReply
  ) throws(Refusal) -> ExplainedReply {
    let asked = try request.headers[Fault.header].map { (name) throws(Refusal) in (name, try Self.fault(name)) }
    let fault = trouble?.fault ?? asked
    let scripted = script.first
    if request.method != "HEAD" { script = script.dropFirst() }
    var reply: ExplainedReply
    switch scripted {
    case .response(let status, let body)?:
      reply = ExplainedReply(status, body, explanation: "From the script of answers.")
      reply.fault = fault?.1.fault(of: body)
      reply.apply(trouble?.fault)
    case .failure?:
      reply = ExplainedReply(200, [], explanation: "From the script of answers: the connection is closed.")
      reply.fault = .close
    case nil:
      reply = answer()
      reply.apply(fault)
    }
    reply.delay = trouble?.delay ?? 0
    return reply
  }

  static func fault(_ name: String) throws(Refusal) -> Fault {
    if let known = Fault(name) { return known }
    let names = Fault.named.map(\.name).joined(separator: ", ")
    throw Refusal(400, "no fault \(JSONWriter.quoted(name)); known: \(names), status-NNN")
  }

  /// Names the parameter that cannot be read, if it can be found. Its value may be the key, and is not shown.
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
