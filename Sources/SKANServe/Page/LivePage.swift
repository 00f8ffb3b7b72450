import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANTimeline
import SKANTraffic

/// The live page of `skan serve`: its document, and the data that it shows.
///
/// While no page is open it costs nothing: it reads the journal when one asks.
package final class LivePage {
  /// What the document may load and run: its own script and style, and data of this server.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  private let journal: Journal
  private let now: () -> Instant
  /// Nil where postbacks are not accepted.
  private let postbacks: PagePostbacks?
  private let endpoint: () -> ReferenceEndpoint
  private let redactor: Redactor
  private let feed: PageFeed
  private let streams: PageStreams
  private let jobs: PageJobs
  let troubles = Troubles()

  /// - Parameter redactor: removes a known key from the texts that do not come from the journal.
  init(
    _ journal: Journal, _ postbacks: PagePostbacks?, _ client: ConversionClient?, now: @escaping () -> Instant,
    redactor: Redactor,
    endpoint: @escaping () -> ReferenceEndpoint
  ) {
    self.journal = journal
    self.now = now
    self.postbacks = postbacks
    self.endpoint = endpoint
    self.redactor = redactor
    feed = PageFeed(journal) { TrafficContext(client: client, endpoint: endpoint()) }
    jobs = PageJobs(journal, feed)
    streams = PageStreams(
      run: String(now().microseconds, radix: 36), journal, feed, troubles, postbackRevision: { postbacks?.count ?? 0 })
  }

  /// The next part of a stream.
  package func part(ofStream id: Int) -> [UInt8] { streams.part(of: id) }

  package func closeStream(_ id: Int) { streams.close(id) }

  /// Identifies this run of the server in the identifiers of events.
  var run: String { streams.run }

  /// The number of things that it remembers, for tests of the limit.
  var size: Int { feed.size }

  /// Begins a turn of the server, and starts an answer that waits to be made.
  func beginTurn() {
    feed.beginTurn()
    jobs.advance()
  }

  /// The routes of the page, whose paths are those of ``OpenAPI/pagePaths``.
  var routes: [HTTPRoute<ServiceHandler>] {
    let files: [(path: String, type: String, bytes: [UInt8])] = [
      ("/", "text/html; charset=utf-8", PackageResources.page_html),
      ("/page.css", "text/css; charset=utf-8", PackageResources.page_css + Array(TimelineSVG.style(in: ".life").utf8)),
      ("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    ]
    return files.map { file in
      HTTPRoute("GET", file.path, .open { _ in .page(file.bytes, file.type, policy: Self.policy) })
    } + [
      // Browsers ask for it, and the journal is about phones.
      HTTPRoute(
        "GET", "/favicon.ico",
        .open { _ in ExplainedReply(204, []).forPage }),
      data("/events", events),
      data("/page/setup") { [self] _ in .page(setup) },
      data("/page/phone") { [self] in life(of: $0) },
      data("/page/request") { [self] in details(of: $0) },
      data("/page/list") { [self] in list(of: $0) },
      data("/page/svg") { [self] in svg(of: $0) },
      data("/page/report") { [self] _ in report() },
      data("/page/postbacks") { [self] _ in
        postbacks.map { .page($0.shown(redactedBy: redactor)) }
          ?? .refusal(404, "postbacks are not taken: start the server with --postbacks FILE")
      },
      data("/page/trouble") { [self] _ in .page(troubles.pending) },
      HTTPRoute("POST", "/page/trouble", .page(isChange: true) { [self] in addTrouble($0) }),
      HTTPRoute("DELETE", "/page/trouble", .page(isChange: true) { [self] in removeTrouble($0) }),
    ]
  }

  private func data(_ path: String, _ answer: @escaping (HTTPRequest) -> ExplainedReply) -> HTTPRoute<ServiceHandler> {
    HTTPRoute("GET", path, .page(isChange: false, answer))
  }

  private var setup: PageSetup {
    PageSetup(
      run: streams.run, takesPostbacks: postbacks != nil,
      models: endpoint().allModels.map { PageModel(app: $0.app, model: $0.model, redactor: redactor) })
  }

  private func events(_ request: HTTPRequest) -> ExplainedReply {
    var reply = ExplainedReply.page([], "text/event-stream")
    if request.method == "HEAD" { return reply }
    guard let id = streams.open(after: request.headers["Last-Event-ID"]) else {
      return .refusal(503, "\(PageStreams.most) pages are open already: close one")
    }
    reply.stream = id
    return reply
  }

  // MARK: One phone

  /// The phone in the query of a request: `app`, `kind` and `id`; nil for all phones.
  private func phone(in request: HTTPRequest) -> Result<TrafficDevice?, PageProblem> {
    guard let sent = SentParameters(request.query ?? "") else { return .failure(PageProblem("the query is broken")) }
    guard let id = sent["id"] else { return .success(nil) }
    guard let kind = TrafficDevice.Kind(rawValue: sent["kind"] ?? "idfv") else {
      let names = TrafficDevice.Kind.allCases.map(\.rawValue).listed("or")
      return .failure(PageProblem("\"kind\" must be \(names)"))
    }
    return .success(TrafficDevice(app: sent["app"] ?? "", kind: kind, id: id))
  }

  /// Answers with what the requests of a phone, or of all phones, make; on another thread.
  private func later(
    _ request: HTTPRequest, needsPhone: Bool, _ make: @escaping @Sendable ([CapturedRequest]) -> ExplainedReply
  ) -> ExplainedReply {
    switch phone(in: request) {
    case .failure(let problem): return .refusal(400, problem.text)
    case .success(nil) where needsPhone:
      return .refusal(400, "name a phone: ?app=com.example.app&kind=idfv&id=ID")
    case .success(let phone):
      return jobs.add { kept in
        let requests = kept.requests(of: phone)
        if let phone, requests.isEmpty { return .refusal(404, "the journal keeps no request of \(phone)") }
        return make(requests)
      }
    }
  }

  private func life(of request: HTTPRequest) -> ExplainedReply {
    later(request, needsPhone: true) { .page(PageLife($0, id: "life")) }
  }

  /// Answers with the texts of one request: `n` is its number, and `origin` where the page sees the server.
  private func details(of request: HTTPRequest) -> ExplainedReply {
    let sent = SentParameters(request.query ?? "")
    guard let number = sent?["n"].flatMap({ Int($0) }) else { return .refusal(400, "name a request: ?n=1") }
    let origin = sent?["origin"] ?? "http://\(request.headers["Host"] ?? "localhost")"
    guard (journal.firstNumber..<journal.endNumber).contains(number),
      let details = PageRequest(journal.lines[number], origin: origin)
    else { return .refusal(404, "the journal keeps no request \(number)") }
    return .page(details)
  }

  private func list(of request: HTTPRequest) -> ExplainedReply {
    let names = (one: fileName("phone", "jsonl"), all: fileName("phones", "jsonl"))
    let isOne = (SentParameters(request.query ?? "")?["id"]) != nil
    return later(request, needsPhone: false) { requests in
      let list = CapturedList(requests)
      return .download(Array(list.text.utf8), "application/jsonl", name: isOne ? names.one : names.all)
    }
  }

  private func svg(of request: HTTPRequest) -> ExplainedReply {
    let name = fileName("phone", "svg")
    return later(request, needsPhone: true) { requests in
      guard requests.count <= PageLife.mostRequests, let drawing = PageLife.drawing(of: requests) else {
        return .refusal(404, "there is no drawing of this phone")
      }
      return .download(Array(TimelineSVG(drawing).text.utf8), "image/svg+xml", name: name)
    }
  }

  private func report() -> ExplainedReply {
    let (name, now) = (fileName("report", "html"), now())
    return jobs.add { kept in
      .download(Array(PageReport(kept: kept, at: now).html.utf8), "text/html; charset=utf-8", name: name)
    }
  }

  /// A name with the date, such as `skan-phone-2026-01-31.jsonl`.
  private func fileName(_ what: String, _ ending: String) -> String {
    "skan-\(what)-\("\(now())".prefix(10)).\(ending)"
  }

  // MARK: Trouble on demand

  private func addTrouble(_ request: HTTPRequest) -> ExplainedReply {
    do throws(PageProblem) { try troubles.add(request.body) } catch { return .refusal(400, error.text) }
    return .page(troubles.pending)
  }

  private func removeTrouble(_ request: HTTPRequest) -> ExplainedReply {
    guard let id = SentParameters(request.query ?? "")?["id"].flatMap({ Int($0) }) else {
      return .refusal(400, "name what to take back: ?id=1")
    }
    guard troubles.remove(id) else { return .refusal(404, "nothing with this id is pending: a phone may have had it") }
    return .page(troubles.pending)
  }
}

/// Why a request of the page cannot be answered.
struct PageProblem: Error {
  /// A text without a full stop.
  let text: String

  init(_ text: String) { self.text = text }

  init(_ problems: SourceProblems) { text = problems.problems.map(\.message).joined(separator: "; ") }
}

extension ExplainedReply {
  /// The reply as one that is neither delayed nor logged.
  var forPage: ExplainedReply {
    var reply = self
    reply.isForPage = true
    return reply
  }

  /// A reply for the page alone.
  ///
  /// - Parameter policy: what a document may load and run.
  static func page(_ body: [UInt8], _ type: String, policy: String? = nil) -> ExplainedReply {
    var reply = ExplainedReply(200, body, contentType: type).forPage
    reply.protect()
    if let policy { reply.response.headers.append("Content-Security-Policy", policy) }
    return reply
  }

  static func page(_ value: some JSONWritable) -> ExplainedReply {
    var bytes: [UInt8] = []
    JSONWriter.write(value, into: &bytes)
    return page(bytes, "application/json")
  }

  /// A file that the browser saves.
  static func download(_ body: [UInt8], _ type: String, name: String) -> ExplainedReply {
    var reply = page(body, type)
    reply.response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
    return reply
  }
}
