import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

/// The reference endpoint as a service: routes, phones, journal and faults, but no sockets.
package final class ReferenceService {
  /// How many phones are remembered.
  package static let phoneLimit = 100_000
  /// The path of the test endpoint.
  static let testingPath = "/testing\(EndpointKind.conversionValue(.v1).path)"

  let now: () -> Instant
  /// For reading queries.
  let document = JSONDocument()
  let journal: Journal
  /// Nil where requests are not logged.
  let log: RequestLog?
  /// Answers that come first, in order, before the model's.
  var script: ArraySlice<EndpointAnswer>
  let routes: HTTPRouteTable<ServiceHandler>
  private let conversion: ConversionHandler
  let sites: SiteGuard
  /// Nil where no postbacks are taken.
  let postbacks: PostbackKeeper?
  /// Those that were received since the last ``flush()``.
  var unsettled: [UnsettledPostback] = []
  /// Inspects the requests of phones and of their apps' servers; nil where nothing inspects them.
  let inspection: Inspection?

  /// - Parameters:
  ///   - script: answers that come before those of the routes for phones, one for each request.
  ///   - sites: which pages of a browser may ask.
  ///   - postbacks: keeps the postbacks that are posted; the paths for postbacks are open when it is given.
  ///   - now: the server's own clock, for phones that do not state theirs.
  ///   - redact: takes a known key out of a line of the journal; what is a key by its name is never in one.
  ///   - keep: takes lines of the journal with their ends, at each ``flush()``.
  ///   - report: takes a line for the person at the server.
  ///   - log: gets every request as a line for the person at the server.
  ///   - inspection: gets each request that the journal records, before it is answered.
  package init(
    endpoint: ReferenceEndpoint, script: [EndpointAnswer] = [], sites: SiteGuard = SiteGuard(),
    postbacks: PostbackKeeper? = nil,
    now: @escaping () -> Instant, redact: (([UInt8]) -> [UInt8])? = nil,
    keep: (([UInt8]) -> Void)? = nil,
    report: @escaping (String) -> Void = { _ in }, log: RequestLog? = nil, inspection: Inspection? = nil
  ) {
    let forgotten = ForgottenPhones(limit: Self.phoneLimit, report: report)
    let conversion = ConversionHandler(endpoint, forgotten)
    let journal = Journal(redact: redact, keep: keep)
    self.conversion = conversion
    self.journal = journal
    self.log = log
    self.script = ArraySlice(script)
    self.sites = sites
    self.postbacks = postbacks
    self.inspection = inspection
    self.now = now
    routes = Self.routes(
      conversion, TestEndpointHandler(forgotten), ReportHandler(conversion, forgotten), journal,
      takesPostbacks: postbacks != nil)
  }

  /// The paths of the service; a message that lists them has this order.
  private static func routes(
    _ conversion: ConversionHandler, _ testing: TestEndpointHandler, _ reports: ReportHandler, _ journal: Journal,
    takesPostbacks: Bool
  ) -> HTTPRouteTable<ServiceHandler> {
    let phones: [HTTPRoute<ServiceHandler>] = [
      HTTPRoute("GET", EndpointKind.conversionValue(.v1).path, .phone(.v1, conversion.answer)),
      HTTPRoute("GET", EndpointKind.conversionValue(.v2).path, .phone(.v2, conversion.answer)),
      HTTPRoute("GET", Self.testingPath, .phone(.v1, testing.answer)),
    ]
    let reported = EndpointKind.reports.flatMap { endpoint in
      ["GET", "POST"].map { HTTPRoute($0, endpoint.path, ServiceHandler.report(endpoint, reports.answer)) }
    }
    let description = OpenAPI.document(withPostbacks: takesPostbacks)
    let own: [HTTPRoute<ServiceHandler>] = [
      HTTPRoute("GET", "/healthz", .open { _ in .health(phones: conversion.phoneCount) }),
      HTTPRoute("GET", "/openapi.json", .open { _ in OpenAPI.reply(description) }),
      HTTPRoute("GET", "/journal", .guarded { _ in journal.lines() }),
      HTTPRoute("DELETE", "/journal", .guarded { _ in journal.delete() }),
    ]
    return HTTPRouteTable(phones + reported + (takesPostbacks ? PostbackHandler.routes : []) + own)
  }

  /// Answers by another endpoint's models from now on; what is remembered of phones stays.
  package func use(_ endpoint: ReferenceEndpoint) { conversion.endpoint = endpoint }

  /// Puts on record what was answered since the last time, and settles late replies; belongs before the answers go out.
  package func flush() {
    settlePostbacks()
    journal.flush()
    log?.flush()
  }

  /// Puts on record what was not HTTP, and was answered so.
  package func record(_ failure: HTTPFailure, from peer: String) {
    journal.append(JournalLine(failure, at: now()).writeLine)
    log?.append(failure, peer: peer)
  }

  /// Answers a request.
  ///
  /// - Parameter peer: the client's address, for phones without an identifier of their own.
  package func reply(to request: HTTPRequest, from peer: String) -> HTTPReply {
    let site = RequestSite(request.headers)
    if let postbacks, case .handler(.postback) = routes.match(method: request.method, path: request.path) {
      return receive(request, from: peer, site, postbacks)
    }
    let reply = answer(request, from: peer, site)
    log?.append(request, peer: peer, reply)
    return reply.finished(allowing: sites.allowedOrigin(site))
  }

  private func answer(_ request: HTTPRequest, from peer: String, _ site: RequestSite) -> ExplainedReply {
    switch routes.match(method: request.method, path: request.path) {
    case .handler(.phone(let api, let answer)):
      recorded(request, site, api) { (query, time, statesTime) throws(Refusal) in
        guard let query else { throw Refusal(400, brokenParameter(of: request)) }
        let phone = PhoneRequest(request: request, query: query, time: time, statesTime: statesTime, peer: peer)
        return try self.answer(request) { answer(phone) }
      }
    case .handler(.report(let endpoint, let answer)):
      recorded(request, site, at: endpoint) { (report) throws(Refusal) in
        try self.answer(request) { answer(report) }
      }
    case .handler(.open(let answer)): answer(request)
    case .handler(.guarded(let answer)): refusal(of: site, isGuarded: true) ?? answer(request)
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
    case .otherMethod(let allowed, .guarded):
      refusal(of: site, isGuarded: true) ?? refusal(of: request, site, allowed: allowed)
    // Those that are taken have their answer elsewhere.
    case .handler(.postback), .noPath:
      recorded(request, site, .v1) { (_, _, _) throws(Refusal) in
        throw Refusal(404, "no such path; there are \(routes.paths.listed())")
      }
    }
  }

  /// The refusal of a page of another site, or of a name that is not this machine's where that matters.
  func refusal(of site: RequestSite, isGuarded: Bool) -> ExplainedReply? {
    (sites.refusal(ofPage: site) ?? (isGuarded ? sites.refusal(ofHost: site) : nil)).map { .refusal(403, $0) }
  }

  /// The answer to a method that a path does not have.
  private func refusal(of request: HTTPRequest, _ site: RequestSite, allowed: String) -> ExplainedReply {
    if request.method == "OPTIONS", sites.allowedOrigin(site) != nil { return .permission(allowed) }
    var refusal = ExplainedReply.refusal(405, "\(request.path) takes \(allowed)")
    refusal.allowed = allowed
    return refusal
  }
}
