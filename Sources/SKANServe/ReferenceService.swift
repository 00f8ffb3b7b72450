import SKANDevice
import SKANHTTP
import SKANJSON
import SKANModel

/// The reference endpoint as a service: paths, phones, journal and faults, but no sockets.
package final class ReferenceService {
  /// How many phones are remembered.
  package static let phoneLimit = 100_000

  private var endpoint: ReferenceEndpoint
  private let now: () -> Instant
  private let tell: (String) -> Void
  /// For reading queries.
  private let document = JSONDocument()
  private var journal: Journal
  private var phones = PhoneMemory<Remembered<InstallMemory>>(limit: phoneLimit)
  private var testPhones = PhoneMemory<TestEndpoint>(limit: phoneLimit)
  /// Answers that come first, in order, before the model's.
  private var script: ArraySlice<EndpointAnswer>
  private let sites: SiteGuard

  /// - Parameters:
  ///   - sites: which pages of a browser may ask.
  ///   - now: the server's own clock, for phones that do not tell theirs.
  ///   - keep: takes lines of the journal with their ends, at each ``flush()``.
  ///   - tell: takes what the person at the server must hear.
  package init(
    endpoint: ReferenceEndpoint, script: [EndpointAnswer] = [], sites: SiteGuard = SiteGuard(),
    now: @escaping () -> Instant, keep: @escaping ([UInt8]) -> Void = { _ in },
    tell: @escaping (String) -> Void = { _ in }
  ) {
    self.endpoint = endpoint
    self.script = script[...]
    self.sites = sites
    self.now = now
    self.tell = tell
    journal = Journal(keep: keep)
  }

  /// Answers by another endpoint's models from now on; what is remembered of phones stays.
  package func use(_ endpoint: ReferenceEndpoint) { self.endpoint = endpoint }

  /// Puts on record what was answered since the last time; belongs before the answers go out.
  package func flush() { journal.flush() }

  /// Puts on record what was no HTTP, and was answered so.
  package func record(_ failure: HTTPFailure) { journal.append(JournalLine.bytes(failure, at: now())) }

  /// Answers a request.
  package func reply(to request: Request) -> Reply {
    var reply: Reply
    switch request.path {
    case "/healthz": reply = only("GET", request) { Reply(200, "{\"phones\":\(phones.count),\"status\":\"ok\"}") }
    case "/journal": reply = foreign(request) ?? journalReply(to: request)
    default: reply = recorded(request)
    }
    reply.allowedOrigin = sites.allowedOrigin(request.site)
    return reply
  }

  /// The refusal of a page of another site, or of a name that is not this machine's where that matters.
  private func foreign(_ request: Request) -> Reply? {
    // The guides' own samples name Singular's host.
    let isGuarded = request.path == "/journal" || request.fault != nil || request.method == "DELETE"
    return (sites.refusal(ofPage: request.site) ?? (isGuarded ? sites.refusal(ofHost: request.site) : nil)).map {
      .refusal(403, $0)
    }
  }

  private func only(_ allowed: String, _ request: Request, _ reply: () -> Reply) -> Reply {
    if request.method == "GET" || request.isHead { return reply() }
    return methodRefusal(allowed, request)
  }

  private func methodRefusal(_ allowed: String, _ request: Request) -> Reply {
    if request.method == "OPTIONS", sites.allowedOrigin(request.site) != nil { return .permission(allowed) }
    var refusal = Reply.refusal(405, "\(request.path) takes \(allowed)")
    refusal.allow = allowed
    return refusal
  }

  private func journalReply(to request: Request) -> Reply {
    if request.method == "DELETE" {
      journal.clear()
      return Reply(204, "")
    }
    return only("GET, DELETE", request) { Reply(200, journal.text, contentType: "application/jsonl") }
  }

  /// Answers the requests that the journal records.
  private func recorded(_ request: Request) -> Reply {
    let api: EndpointAPI = request.path == "/api/v2/conversion_value" ? .v2 : .v1
    let query = ConversionQuery(request.query, api: api, in: document)
    var time = now()
    var reply: Reply
    if let refusal = foreign(request) {
      reply = refusal
    } else {
      do throws(Refusal) {
        if let told = try deviceTime(request) { time = told }
        reply = try answer(request, query, at: time)
      } catch {
        reply = error.reply
      }
      reply.isCounted = !request.isHead
      if request.isHead { reply.explanation += " A HEAD request counts nothing." }
    }
    journal.append(JournalLine.bytes(request, query: query, at: time, reply))
    return reply
  }

  /// Why a request gets no answer of the endpoint's.
  private struct Refusal: Error {
    let reply: Reply
    init(_ reply: Reply) { self.reply = reply }
    init(_ status: Int, _ reason: String) { reply = .refusal(status, reason) }
  }

  private func deviceTime(_ request: Request) throws(Refusal) -> Instant? {
    guard let text = request.deviceTime else { return nil }
    guard let seconds = Double(text), let time = Instant(unixSeconds: seconds) else {
      throw Refusal(400, "\(ReferenceEndpoint.deviceTimeHeader) must be Unix seconds")
    }
    return time
  }

  private func fault(_ request: Request) throws(Refusal) -> Fault? {
    guard let name = request.fault else { return nil }
    if let known = Fault(name) { return known }
    let names = Fault.named.map(\.name).joined(separator: ", ")
    throw Refusal(400, "no fault \(JSONWriter.quoted(name)); known: \(names), status-NNN")
  }

  /// Answers by script, fault or endpoint. A HEAD request is answered as a GET would be, and changes nothing.
  private func answer(_ request: Request, _ query: ConversionQuery?, at time: Instant) throws(Refusal) -> Reply {
    let paths = ["/api/v1/conversion_value", "/api/v2/conversion_value", "/testing/api/v1/conversion_value"]
    guard paths.contains(request.path) else {
      throw Refusal(404, "no such path; there are \(paths.joined(separator: ", ")), /healthz and /journal")
    }
    guard request.method == "GET" || request.isHead else { throw Refusal(methodRefusal("GET", request)) }
    guard let query else { throw Refusal(400, request.brokenParameter(in: document)) }
    let fault = try fault(request)
    let scripted = script.first
    if !request.isHead { script = script.dropFirst() }
    var reply: Reply
    switch scripted {
    case .response(let status, let body)?:
      reply = Reply(status, body, fault: fault)
      reply.explanation = "From the script of answers."
    case .failure?:
      reply = Reply(200, "", fault: .close)
      reply.explanation = "From the script of answers: the connection is closed."
    case nil:
      let answer = request.path == paths[2] ? testing(request, query) : conversion(request, query, at: time)
      let status = if case .status(let status)? = fault { status } else { 200 }
      reply = Reply(status, fault.map { Array($0.applied(to: answer.body)) } ?? answer.body, fault: fault)
      reply.explanation = answer.explanation + (request.fault.map { " Fault on demand: \($0)." } ?? "")
    }
    return reply
  }

  private func conversion(
    _ request: Request, _ query: ConversionQuery, at time: Instant
  ) -> (body: [UInt8], explanation: String) {
    var isRepeated = false
    let reply: ReferenceReply
    if request.isHead {
      var memory = phones.known(query.install)?.value ?? .none
      reply = endpoint.reply(to: query, at: time, memory: &memory)
    } else {
      let before = phones.forgotten
      reply = phones.with(query.install, new: Remembered(.none)) {
        isRepeated = $0.repeats(request.digest)
        return endpoint.reply(to: query, at: time, memory: &$0.value)
      }
      sayForgotten(since: before, phones.forgotten)
    }
    var explanation = reply.explanation(event: query.eventName)
    if request.deviceTime == nil, let hint = reply.clockHint(query, at: time) { explanation += " \(hint)" }
    if case .error(.noCurrentValue) = reply { explanation += " [\(WarningCode.currentValueMissing.rawValue)]" }
    if isRepeated { explanation += " The request before was the same: a retry counts as another event." }
    return (Array(reply.body.utf8), explanation)
  }

  private func testing(_ request: Request, _ query: ConversionQuery) -> (body: [UInt8], explanation: String) {
    let phone = query.idfv.map { "idfv \($0)" } ?? "address \(request.peer)"
    if request.isHead {
      var phone = testPhones.known(phone) ?? TestEndpoint()
      return (phone.body(), "The test endpoint's next answer.")
    }
    let before = testPhones.forgotten
    let (body, calls) = testPhones.with(phone, new: TestEndpoint()) { ($0.body(), $0.calls) }
    sayForgotten(since: before, testPhones.forgotten)
    return (body, "Call \(calls) of the test endpoint for \(phone).")
  }

  /// Says it for the 1st, the 10th, the 100th phone and so on.
  private func sayForgotten(since before: Int, _ count: Int) {
    guard count > before, String(count).reversed().drop(while: { $0 == "0" }).elementsEqual("1") else { return }
    tell(
      count == 1
        ? "forgot the phone not heard of for longest: \(Self.phoneLimit) are remembered"
        : "forgot \(count) phones so far: \(Self.phoneLimit) are remembered")
  }
}
