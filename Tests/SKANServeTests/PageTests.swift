import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("The live page: who may read and change")
struct PageGuardTests {
  private static let own = RequestSite(host: "localhost:8787")
  /// Who asks, and whether that may read data and change something.
  private static let sites: [(name: String, site: RequestSite, reads: Bool, changes: Bool)] = [
    ("a program", own, true, false),
    ("the page", RequestSite(host: "localhost:8787", origin: "http://localhost:8787"), true, true),
    (
      "the page, as browsers say it",
      RequestSite(host: "localhost:8787", origin: "http://localhost:8787", fetchSite: "same-origin"), true, true
    ),
    ("the page, reading", RequestSite(host: "localhost:8787", fetchSite: "same-origin"), true, false),
    ("an address that was typed", RequestSite(host: "localhost:8787", fetchSite: "none"), true, false),
    ("the page by address", RequestSite(host: "127.0.0.1:8787", origin: "http://127.0.0.1:8787"), true, true),
    ("the page behind TLS", RequestSite(host: "localhost:8787", origin: "https://localhost:8787"), true, true),
    ("another port", RequestSite(host: "localhost:8787", origin: "http://localhost:3000"), false, false),
    (
      "another port that hides its origin", RequestSite(host: "localhost:8787", fetchSite: "same-site"), false, false
    ),
    (
      "another port, by its referrer", RequestSite(host: "localhost:8787", referer: "http://localhost:3000/a"), false,
      false
    ),
    ("the page by another name", RequestSite(host: "localhost:8787", origin: "http://127.0.0.1:8787"), false, false),
    ("another site", RequestSite(host: "localhost:8787", origin: "https://evil.example"), false, false),
    ("a sandboxed page", RequestSite(host: "localhost:8787", origin: "null"), false, false),
    ("a page of no site", RequestSite(host: "localhost:8787", referer: "about:blank"), false, false),
    ("another site, reading", RequestSite(host: "localhost:8787", fetchSite: "cross-site"), false, false),
    ("a name that a site points here", RequestSite(host: "evil.example", origin: "http://evil.example"), false, false),
  ]

  @Test(arguments: sites.map(\.name)) func `Only the page reads, and only with its origin it changes`(name: String)
    throws
  {
    let (_, site, reads, changes) = try #require(Self.sites.first { $0.name == name })
    let service = try TestService(hasPage: true)
    for path in ["/events", "/page/setup", "/page/trouble", "/page/list", "/journal"] {
      let reply = try service.ask(path, site: site)
      #expect(reply.status == (reads ? 200 : 403), "\(path)")
      if !reads { continue }
      #expect(reply.response.headers["X-Content-Type-Options"] == "nosniff", "\(path)")
      #expect(reply.response.headers["Cross-Origin-Resource-Policy"] == "same-origin", "\(path)")
    }
    let reply = try service.ask("/page/trouble", method: "POST", site: site, body: #"{"fault":"empty"}"#)
    #expect(reply.status == (changes ? 200 : 403), "\(reply.text)")
    #expect(try service.askV2().text.isEmpty == changes)
    #expect(reply.allowedOrigin == nil)
  }

  @Test func `A site that may ask as phones do still gets nothing of the page`() throws {
    let service = try TestService(sites: SiteGuard(origins: ["https://tools.example"]), hasPage: true)
    let site = RequestSite(host: "localhost:8787", origin: "https://tools.example")
    #expect(try service.askV2(site: site).status == 200)
    #expect(try service.ask("/page/setup", site: site).status == 403)
  }

  @Test func `The document is framed by nobody and runs nothing but its script`() throws {
    let reply = try TestService(hasPage: true).ask("/")
    let policy = try #require(reply.response.headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe") && !policy.contains("http"))
    #expect(!reply.text.contains("style=") && !reply.text.contains("<style") && !reply.text.contains("onclick"))
  }

  @Test func `Without it there is no path of it; with it, none is in the journal, in the log, or late`() throws {
    let (without, with) = (try TestService(), try TestService(hasPage: true, latency: 5))
    for path in OpenAPI.pagePaths.map(\.key) {
      #expect(try without.ask(path).status == 404, "\(path)")
      #expect(try with.ask(path).delay == 0, "\(path)")
    }
    #expect(with.logged.isEmpty || !with.logged.contains(" 200"))
    #expect(try with.journal().isEmpty)
  }

  @Test func `Every answer is late but those of the page, and trouble makes it later`() throws {
    let keeper = PostbackKeeper(receive: { _, _ in { .kept(verdict: "") } }, commit: {})
    let service = try TestService(postbacks: keeper, hasPage: true, latency: 5)
    let paths = try #require(OpenAPI.document(withPostbacks: true, withPage: true).member("paths")?.members)
    let page = RequestSite(host: "localhost", origin: "http://localhost")
    var late = 0
    for (path, methods) in paths {
      let isOfPage = OpenAPI.pagePaths.contains { $0.key == path }
      for method in methods.members?.map(\.key) ?? [] {
        let reply = try service.ask(path, method: method.uppercased(), site: page, body: "{}", flushes: false)
        #expect(reply.delay == (isOfPage ? 0 : 5), "\(method) \(path)")
        if !isOfPage { late += 1 }
      }
    }
    #expect(late > 12)
    for path in ["/none", "/postbacks"] { #expect(try service.ask(path, method: "PUT").delay == 5) }
    _ = try service.ask("/page/trouble", method: "POST", site: page, body: #"{"delay":1.5}"#)
    #expect(try service.askV2().delay == 6.5)
  }

  @Test func `An address of the page takes no other method`() throws {
    let service = try TestService(hasPage: true)
    #expect(try service.ask("/events", method: "POST").status == 405)
    #expect(try service.ask("/", method: "HEAD").status == 200)
    #expect(try service.ask("/events", method: "HEAD").stream == nil)
  }
}

@Suite("The live page: trouble on demand")
struct TroubleTests {
  private static let page = RequestSite(host: "localhost", origin: "http://localhost")
  private static let phone = #"{"app":"com.example.app","kind":"idfv","id":"IDFV-1"}"#
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  @discardableResult
  private func ask(_ body: String, method: String = "POST", _ query: String = "") throws -> HTTPReply {
    try service.ask("/page/trouble", query, method: method, site: Self.page, body: body)
  }

  private func conversion(_ idfv: String, method: String = "GET") throws -> HTTPReply {
    try service.ask(
      "/api/v2/conversion_value", TestService.v2.replacing("IDFV-1", with: idfv), method: method)
  }

  @Test func `It reaches the next answer to its phone and no other`() throws {
    try ask(#"{"fault":"illegal-values","phone":\#(Self.phone)}"#)
    #expect(try conversion("IDFV-2").text.contains(#""conversion_value":1"#))
    #expect(try conversion("IDFV-1", method: "HEAD").text.contains(#""conversion_value":1"#))
    let reply = try conversion("IDFV-1")
    #expect(
      reply.text.contains(#""conversion_value":64"#) && reply.explanation.contains("Fault on demand: illegal-values."))
    #expect(try !conversion("IDFV-1").text.contains("64"))
    #expect(try ask("", method: "GET").text == "[]")
  }

  @Test func `For no phone it reaches the next that asks; a delay is its own`() throws {
    try ask(#"{"delay":1.5}"#)
    #expect(try service.ask("/api/v1/launch", "a=K").delay == 0)
    #expect(try conversion("IDFV-2").delay == 1.5)
    #expect(try conversion("IDFV-2").delay == 0)
  }

  @Test func `What is pending is answered in order, and can be taken back once`() throws {
    try ask(#"{"fault":"empty"}"#)
    let reply = try ask(#"{"fault":"status-503"}"#)
    #expect(
      reply.text
        == #"[{"delay":0,"fault":"empty","id":1,"phone":null},{"delay":0,"fault":"status-503","id":2,"phone":null}]"#)
    #expect(try ask("", method: "DELETE", "id=1").status == 200)
    #expect(try ask("", method: "DELETE", "id=1").status == 404)
    #expect(try conversion("IDFV-1").status == 503)
  }

  @Test func `It precedes a scripted answer's content, too`() throws {
    let service = try TestService(script: [.response(status: 200, body: Array("{}".utf8))], hasPage: true)
    _ = try service.ask("/page/trouble", method: "POST", site: Self.page, body: #"{"fault":"array"}"#)
    #expect(try service.askV2().text == "[]")
  }

  @Test(
    arguments: [
      ("", "JSON"), ("[]", "must be an object"), (#"{"fault":"ilegal-values"}"#, "did you mean illegal-values?"),
      (#"{"fault":"status-99"}"#, "no fault"), (#"{"fault":"status-600"}"#, "no fault"), (#"{"fault":5}"#, "fault"),
      (#"{}"#, "asks for nothing"), (#"{"delay":0}"#, "asks for nothing"), (#"{"delay":-1}"#, "0 to 600"),
      (#"{"delay":600.5}"#, "0 to 600"), (#"{"delay":"1"}"#, "delay"), (#"{"fault":"empty","fone":null}"#, "fone"),
      (#"{"fault":"empty","phone":"a"}"#, "phone"),
      (#"{"fault":"empty","phone":{"app":"a","kind":"imei","id":"b"}}"#, "kind"),
      (#"{"fault":"empty","phone":{"app":"a","kind":"idfv"}}"#, "id"),
    ])
  func `What is wrong is refused, with a reason`(body: String, reason: String) throws {
    let reply = try ask(body)
    #expect(reply.status == 400 && reply.text.contains(reason), "\(reply.text)")
    #expect(try ask("", method: "GET").text == "[]")
  }

}

@Suite("The live page: its events")
struct PageEventTests {
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  private func open(after last: String? = nil) throws -> Int {
    try #require(service.ask("/events", lastEvent: last).stream)
  }

  private func identifiers(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `A page gets what is kept, then each request as it comes`() throws {
    _ = try service.askV2()
    let stream = try open()
    let first = service.part(stream)
    #expect(
      first.hasPrefix("event: reset\n") && first.contains("event: line\n") && first.contains("event: trouble\ndata: []")
    )
    #expect(service.part(stream) == "")
    _ = try service.askV2()
    let next = service.part(stream)
    #expect(next.components(separatedBy: "event: ").count == 2 && next.hasSuffix("\n\n"))
    let data = try #require(next.split(separator: "\n").first { $0.hasPrefix("data: ") }).dropFirst(6)
    let event = try JSONReader.read(Array(data.utf8)).value
    #expect(event["n"] == "2" && event["phone"] == #"{"app":"com.example.app","id":"IDFV-1","kind":"idfv"}"#)
    #expect(event.member("line") == (try service.journal().last))
  }

  @Test func `The key is in none of it`() throws {
    _ = try service.askV2()
    _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-1")
    let stream = try open()
    var all = service.part(stream)
    let phone = "app=com.example.app&kind=idfv&id=IDFV-1"
    for path in ["/page/phone", "/page/list", "/page/svg", "/page/report"] { all += try service.ask(path, phone).text }
    #expect(all.contains("REDACTED") && !all.contains("SECRET"))
  }

  @Test(arguments: ["other-1", "RUN-99", "RUN-", "RUN", ""])
  func `An identifier of another run, or of what is not kept, gets all that is`(last: String) throws {
    _ = try service.askV2()
    let run = try #require(identifiers(service.part(try open())).first?.split(separator: "-").first)
    let text = service.part(try open(after: last.replacing("RUN", with: run)))
    #expect(text.hasPrefix("event: reset") && identifiers(text) == ["\(run)-0", "\(run)-1"])
  }

  @Test("A request that comes before earlier ones of its phone are answered names them, by the server's clock")
  func together() throws {
    let service = try TestService(hasPage: true, latency: 2)
    // The server's time, the phone, and the numbers of its requests that are still under way.
    let asked: [(at: Double, phone: String, together: [Int])] = [
      (0, "A", []), (1, "B", []), (1.999_999, "A", [1]), (2, "A", [3]), (2.5, "A", [3, 4]), (2.6, "B", [2]),
      (4.5, "A", []), (4.6, "report of A", [7]), (20, "A", []),
    ]
    for (index, request) in asked.enumerated() {
      service.seconds = request.at
      let time = "\(TestService.start + Int64(index) * 3600)"
      if request.phone.hasPrefix("report") {
        _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-A", time: time)
      } else {
        let query = TestService.v2.replacing("IDFV-1", with: "IDFV-\(request.phone)")
        _ = try service.ask("/api/v2/conversion_value", query, time: time)
      }
    }
    // One answer is late on demand, besides the latency.
    let phone = #"{"app":"com.example.app","id":"IDFV-C","kind":"idfv"}"#
    _ = try service.ask(
      "/page/trouble", method: "POST", site: RequestSite(host: "localhost", origin: "http://localhost"),
      body: #"{"delay":7,"phone":\#(phone)}"#,
      type: "application/json")
    let late = TestService.v2.replacing("IDFV-1", with: "IDFV-C")
    for at in [30, 38.9, 39, 41.0] {
      service.seconds = at
      _ = try service.ask("/api/v2/conversion_value", late)
    }
    let stream = try #require(service.ask("/events").stream)
    let data = service.part(stream).split(separator: "\n").filter { $0.contains(#""line":"#) }
    let found: [String?] = try data.map { try JSONReader.read(Array($0.dropFirst(6).utf8)).value["together"] }
    let wanted: [String?] = (asked.map(\.together) + [[], [10], [11], []]).map { numbers in
      "[\(numbers.map { "\($0)" }.joined(separator: ","))]"
    }
    #expect(found == wanted)
  }

  @Test func `More pages than are served at a time`() throws {
    let streams = try (0..<PageStreams.most).map { _ in try open() }
    #expect(try service.ask("/events").status == 503)
    service.close(streams[0])
    _ = try open()
  }

  @Test func `A finding comes with the request that reveals it, and names the one that it is about`() throws {
    _ = try service.ask("/api/v2/conversion_value", TestService.v2.replacing("__SESSION__", with: "é"))
    let text = service.part(try open())
    #expect(text.contains(#""n":1,"parameters":["n"],"rule":"parameter-form""#), "\(text)")
  }
}

@Suite("The live page: its data")
struct PageDataTests {
  private static let phone = "app=com.example.app&kind=idfv&id=IDFV-1"
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  @Test func `A phone's life is its drawing and the list of its steps`() throws {
    _ = try service.askV2(time: "\(TestService.start + 60)")
    let life = try JSONReader.read(service.ask("/page/phone", Self.phone).body).value
    #expect(life["svg"]?.hasPrefix("<svg") == true && life["svg"]?.contains("<style") == false)
    let steps = try #require(life.member("steps")?.items)
    #expect(steps.map { $0["n"] } == ["null", "null", "1"])
    #expect(steps.last?["line"]?.contains(#""op":"session""#) == true)
  }

  @Test(arguments: [("v=17.4", nil), ("v=eighteen", "drawn as 17.4"), ("x=", "drawn as 17.4")] as [(String, String?)])
  func `A drawing says what the requests do not tell`(version: String, note: String?) throws {
    _ = try service.ask("/api/v2/conversion_value", TestService.v2.replacing("v=17.4", with: version))
    let life = try JSONReader.read(service.ask("/page/phone", Self.phone).body).value
    #expect(life["note"]?.contains(note ?? "drawn as") == (note != nil), "\(life["note"] ?? "")")
  }

  @Test(
    arguments: [
      ("/page/phone", "", 400, "name a phone"), ("/page/svg", "", 400, "name a phone"),
      ("/page/phone", "id=%zz", 400, "broken"), ("/page/phone", "kind=imei&id=a", 400, "idfv, idfa or sdid"),
      ("/page/phone", "app=com.example.app&id=IDFV-2", 404, "no request"), ("/page/list", "id=a", 404, "no request"),
      ("/page/request", "", 400, "name a request"), ("/page/request", "n=a", 400, "name a request"),
      ("/page/request", "n=%zz", 400, "name a request"), ("/page/request", "n=0", 404, "no request 0"),
      ("/page/request", "n=2", 404, "no request 2"), ("/page/request", "n=-9223372036854775808", 404, "no request"),
      ("/page/request", "n=9223372036854775807", 404, "no request"), ("/page/request", "n=1e3", 400, "name a request"),
      ("/page/list", "", 200, "\"op\":"), ("/page/report", "", 200, "<!DOCTYPE html>"),
      ("/page/postbacks", "", 404, "--postbacks FILE"),
    ])
  func `Phones that there are not`(path: String, query: String, status: Int, text: String) throws {
    _ = try service.askV2()
    let reply = try service.ask(path, query)
    #expect(reply.status == status && reply.text.contains(text), "\(reply.text)")
  }

  @Test(arguments: ["close", "truncated", "not-http"])
  func `An answer that broke off is no answer in the phone's list`(fault: String) throws {
    _ = try service.askV2(time: "\(TestService.start + 60)", fault: fault)
    let names = ["close": "closed", "truncated": "truncated", "not-http": "not-http"]
    #expect(try service.journal()[0]["fault"] == names[fault])
    #expect(
      try service.ask("/page/list", Self.phone).text.contains(#""answer":{"error":"the answer broke off on demand"#))
  }

  @Test func `Files are named by what they are and their date`() throws {
    _ = try service.askV2()
    for (path, name) in [
      ("/page/list", "skan-phone-2026-01-01.jsonl"), ("/page/svg", "skan-phone-2026-01-01.svg"),
      ("/page/report", "skan-report-2026-01-01.html"),
    ] {
      let reply = try service.ask(path, path == "/page/report" ? "" : Self.phone)
      #expect(reply.response.headers["Content-Disposition"] == #"attachment; filename="\#(name)""#)
    }
  }

  @Test func `Every parameter has a meaning and what is expected, and every fault an effect`() throws {
    for parameter in PageParameter.all { #expect(!parameter.meaning.isEmpty && !parameter.expected.isEmpty) }
    #expect(Set(PageParameter.all.map(\.name)).count == PageParameter.all.count)
    #expect(Set(Fault.named.map(\.fault.effect)).count == Fault.named.count)
  }

  @Test func `Texts of phones are no markup in the report and in the drawing`() throws {
    let name = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
    let query = TestService.v2.replacing("n=__SESSION__", with: "n=\(name)").replacing("com.example.app", with: "a%1Bb")
    _ = try service.ask("/api/v2/conversion_value", query)
    let phone = "app=a%1Bb&kind=idfv&id=IDFV-1"
    for path in ["/page/report", "/page/svg"] {
      let text = try service.ask(path, phone).text
      #expect(!text.contains("<img") && !text.contains("\u{1B}"))
    }
  }
}
