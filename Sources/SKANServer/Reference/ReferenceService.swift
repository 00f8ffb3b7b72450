import SKANDevice
import SKANEndpoint
import SKANJSON

/// The reference endpoint as a service: paths, phones, journal and faults, but no sockets.
package final class ReferenceService {
  /// How many phones are remembered.
  package static let phoneLimit = 100_000

  /// What of a request counts here.
  package struct Request {
    package var method: String
    package var path: String
    /// Without its question mark, still encoded.
    package var query: String
    /// The address that it came from.
    package var peer: String
    package var deviceTime: String?
    package var fault: String?

    package init(method: String, path: String, query: String, peer: String, deviceTime: String?, fault: String?) {
      self.method = method
      self.path = path
      self.query = query
      self.peer = peer
      self.deviceTime = deviceTime
      self.fault = fault
    }
  }

  package struct Reply: Equatable {
    package var status: Int
    package var contentType = "application/json"
    package var body: [UInt8]
    /// How the bytes go wrong on their way, if they do.
    package var fault: Fault?
    /// The methods that the path has, for a 405.
    package var allow: String?

    init(_ status: Int, _ body: String, contentType: String = "application/json", fault: Fault? = nil) {
      self.init(status, Array(body.utf8), contentType: contentType, fault: fault)
    }

    init(_ status: Int, _ body: [UInt8], contentType: String = "application/json", fault: Fault? = nil) {
      self.status = status
      self.body = body
      self.contentType = contentType
      self.fault = fault
    }
  }

  private let endpoint: ReferenceEndpoint
  private let now: () -> Instant
  private let tell: (String) -> Void
  /// For reading queries.
  private let document = JSONDocument()
  private var journal: Journal
  private var phones = PhoneMemory<InstallMemory>(limit: phoneLimit)
  private var testPhones = PhoneMemory<TestEndpoint>(limit: phoneLimit)
  /// Answers that come first, in order, before the model's.
  private var script: ArraySlice<EndpointAnswer>

  /// - Parameters:
  ///   - now: the server's own clock, for phones that do not tell theirs.
  ///   - keep: takes lines of the journal with their ends, at each ``flush()``.
  ///   - tell: takes what the person at the server must hear.
  package init(
    endpoint: ReferenceEndpoint, script: [EndpointAnswer] = [], now: @escaping () -> Instant,
    keep: @escaping ([UInt8]) -> Void = { _ in }, tell: @escaping (String) -> Void = { _ in }
  ) {
    self.endpoint = endpoint
    self.script = script[...]
    self.now = now
    self.tell = tell
    journal = Journal(keep: keep)
  }

  /// Puts on record what was answered since the last time; belongs before the answers go out.
  package func flush() { journal.flush() }

  /// Answers a request.
  package func reply(to request: Request) -> Reply {
    switch request.path {
    case "/api/v2/conversion_value": conversion(request, .v2)
    case "/api/v1/conversion_value": conversion(request, .v1)
    case "/testing/api/v1/conversion_value": testing(request)
    case "/healthz": only("GET", request) { Reply(200, "{\"phones\":\(phones.count),\"status\":\"ok\"}") }
    case "/journal":
      request.method == "DELETE"
        ? clearJournal() : only("GET, DELETE", request) { Reply(200, journal.text, contentType: "application/jsonl") }
    default:
      Reply(
        404,
        error(
          "no such path; there are /api/v1/conversion_value, /api/v2/conversion_value, "
            + "/testing/api/v1/conversion_value, /healthz and /journal"))
    }
  }

  private func only(_ allowed: String, _ request: Request, _ reply: () -> Reply) -> Reply {
    if request.method == "GET" || request.method == "HEAD" { return reply() }
    var refusal = Reply(405, error("\(request.path) takes \(allowed)"))
    refusal.allow = allowed
    return refusal
  }

  private func clearJournal() -> Reply {
    journal.clear()
    return Reply(204, "")
  }

  private func error(_ words: String) -> String {
    JSONWriter.text(.object([("reason", .string(words)), ("status", .string("error"))]))
  }

  private func conversion(_ request: Request, _ api: EndpointAPI) -> Reply {
    only("GET", request) {
      answer(request, api) { query, time in
        let before = phones.forgotten
        let reply = phones.with(query.install, new: .none) { endpoint.reply(to: query, at: time, memory: &$0) }
        sayForgotten(phones.forgotten - before)
        return (Array(reply.body.utf8), reply.explanation(event: query.eventName))
      }
    }
  }

  private func testing(_ request: Request) -> Reply {
    only("GET", request) {
      answer(request, .v1) { query, _ in
        let before = testPhones.forgotten
        let phone = query.idfv.map { "idfv \($0)" } ?? "address \(request.peer)"
        let (body, calls) = testPhones.with(phone, new: TestEndpoint()) { ($0.body(), $0.calls) }
        sayForgotten(testPhones.forgotten - before)
        return (body, "Call \(calls) of the test endpoint for \(phone).")
      }
    }
  }

  private func sayForgotten(_ count: Int) {
    if count > 0 { tell("forgot the phone not heard of for longest: \(Self.phoneLimit) are remembered") }
  }

  /// Reads the request, answers it by script, fault or `reply`, and writes it down.
  private func answer(
    _ request: Request, _ api: EndpointAPI,
    _ reply: (ConversionQuery, Instant) -> (body: [UInt8], explanation: String)
  ) -> Reply {
    guard let query = ConversionQuery(request.query, api: api, in: document) else {
      return Reply(400, error("the query has a broken percent escape or is not UTF-8"))
    }
    var time = now()
    if let text = request.deviceTime {
      guard let seconds = Double(text), let told = Instant(unixSeconds: seconds) else {
        return Reply(400, error("\(ReferenceEndpoint.deviceTimeHeader) must be Unix seconds"))
      }
      time = told
    }
    var fault: Fault?
    if let name = request.fault {
      guard let known = Fault(name) else {
        let names = Fault.named.map(\.name).joined(separator: ", ")
        return Reply(400, error("no fault \(JSONWriter.quoted(name)); known: \(names), status-NNN"))
      }
      fault = known
    }
    let result: Reply
    let explanation: String
    switch script.popFirst() {
    case .response(let status, let body)?:
      result = Reply(status, body, fault: fault)
      explanation = "From the script of answers."
    case .failure?:
      result = Reply(200, "", fault: .close)
      explanation = "From the script of answers: the connection is closed."
    case nil:
      let reply = reply(query, time)
      let status = if case .status(let status)? = fault { status } else { 200 }
      result = Reply(status, fault.map { Array($0.applied(to: reply.body)) } ?? reply.body, fault: fault)
      explanation = reply.explanation + (request.fault.map { " Fault on demand: \($0)." } ?? "")
    }
    write(request, query, time, result, explanation)
    return result
  }

  private func write(
    _ request: Request, _ query: ConversionQuery, _ time: Instant, _ reply: Reply, _ explanation: String
  ) {
    // By hand, keys sorted: this is written for every request.
    var line = ByteText()
    line.append("{\"answer\":")
    reply.body.withUnsafeBufferPointer { line.appendQuoted($0) }
    line.append(",\"at\":")
    line.append(time.json)
    line.append(",\"explanation\":")
    line.appendQuoted(explanation)
    line.append(",\"path\":")
    line.appendQuoted(request.path)
    line.append(",\"query\":")
    query.writeRedacted(to: &line)
    line.append(",\"status\":")
    line.append(String(reply.status))
    line.append("}\n")
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    journal.append(bytes)
  }
}
