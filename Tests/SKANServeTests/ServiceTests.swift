import SKANBase
import SKANDevice
import Testing

@testable import SKANServe

@Suite("Journal, script, clock and faults of the reference service")
struct ServiceTests {
  @Test("The journal has every request and answer, the key redacted")
  func journal() throws {
    let service = try TestService()
    _ = try service.askV2()
    _ = try service.ask("/api/v1/conversion_value", "p=Android&%61=SECRET")
    _ = try service.ask("/testing/api/v1/conversion_value", "idfv=X&a=SECRET")
    let lines = try service.journal()
    #expect(
      lines.map { $0["path"] } == [
        "/api/v2/conversion_value", "/api/v1/conversion_value", "/testing/api/v1/conversion_value",
      ])
    #expect(lines.map { $0["status"] } == ["200", "200", "200"])
    #expect(lines.map { $0["at"] } == Array(repeating: "\(TestService.start)", count: 3))
    #expect(lines[1]["answer"] == #"{"reason":"Unknown platform error","status":"error"}"#)
    #expect(lines[1]["explanation"] == "p must be iOS, it is \"Android\".")
    #expect(lines[2]["explanation"] == "Call 1 of the test endpoint for idfv X.")
    let text = try service.ask("/journal").text
    #expect(!text.contains("SECRET"))
    #expect(lines.allSatisfy { $0["query"]?.contains(#""a":"REDACTED""#) == true })
    #expect(service.kept.joined() == text)
    #expect(service.kept.allSatisfy { $0.hasSuffix("\n") && $0.dropLast().allSatisfy { !$0.isNewline } })
    #expect(try service.ask("/journal").contentType == "application/jsonl")
  }

  @Test("DELETE empties the journal, not what was kept; a line break in a parameter is no new line")
  func clear() throws {
    let service = try TestService()
    _ = try service.ask("/api/v2/conversion_value", "n=a%0Ab&p=iOS")
    #expect(try service.journal().count == 1)
    #expect(try service.ask("/journal", method: "DELETE").status == 204)
    #expect(try service.ask("/journal").text == "")
    #expect(service.kept.count == 1)
    _ = try service.askV2()
    #expect(try service.journal().count == 1)
  }

  @Test("The script comes first, in order, then the model")
  func script() throws {
    let service = try TestService(script: [
      .response(status: 500, body: Array("one".utf8)), .failure("gone"), .response(status: 204, body: []),
    ])
    let first = try service.askV2()
    #expect(first.status == 500 && first.text == "one" && first.fault == nil)
    #expect(try service.askV2().fault == .close)
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=A").status == 204)
    #expect(try service.askV2().text.hasPrefix(#"{"conversion_value":1,"#))
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=A").text.contains(":0,"))
    #expect(
      try service.journal().map { $0["explanation"]?.prefix(24) } == [
        "From the script of answe", "From the script of answe", "From the script of answe", "__SESSION__ for the 1st ",
        "Call 1 of the test endpo",
      ])
  }

  @Test("Neither health nor the journal nor a refused request uses up the script")
  func scriptKept() throws {
    let service = try TestService(script: [.response(status: 200, body: Array("one".utf8))])
    for path in ["/healthz", "/journal", "/nowhere"] { _ = try service.ask(path) }
    _ = try service.ask("/api/v2/conversion_value", "n=%")
    _ = try service.ask("/api/v2/conversion_value", method: "POST")
    _ = try service.askV2(fault: "nothing")
    _ = try service.askV2(time: "noon")
    #expect(try service.askV2().text == "one")
  }

  @Test(
    "The device's own time goes before the server's",
    arguments: [
      (nil, "0"), ("\(TestService.start)", "0"), ("\(TestService.start + 172_799).999", "0"),
      ("\(TestService.start + 172_800)", "1"), ("\(TestService.start + 604_800)", "2"), ("0", "0"), ("-5", "0"),
    ])
  func time(text: String?, index: String) throws {
    let service = try TestService()
    let reply = try service.askV2(time: text)
    #expect(try JSONReader.read(reply.body).value["postback_sequence_index"] == index)
    #expect(try service.journal().first?["at"] == (text ?? "\(TestService.start)"))
  }

  @Test("After the last window by the device's own time")
  func closed() throws {
    let reply = try TestService().askV2(time: "\(TestService.start + 3_024_000)")
    let reason = "More than 24 hours since the last conversion update (0 hours), update window is closed"
    #expect(reply.text == #"{"reason":"\#(reason)","status":"error"}"#)
  }

  @Test("A time that is none", arguments: ["", "noon", "nan", "inf", "1e300", "2026-01-01", "999999999999"])
  func badTime(text: String) throws {
    let service = try TestService()
    let reply = try service.askV2(time: text)
    #expect(reply.status == 400)
    #expect(reply.text == #"{"reason":"X-SKAN-Device-Time must be Unix seconds","status":"error"}"#)
    #expect(try service.journal().map { $0["status"] } == ["400"])
  }

  @Test("Faults: the body, the status, the way; reported in the journal")
  func faults() throws {
    let service = try TestService()
    #expect(
      try service.askV2(fault: "illegal-values").text
        == #"{"conversion_value":64,"postback_sequence_index":0,"skan_updated_coarse_value":0,"status":"ok"}"#)
    let unavailable = try service.askV2(fault: "status-503")
    #expect(unavailable.status == 503 && unavailable.text.hasPrefix(#"{"conversion_value":2,"#))
    #expect(try service.askV2(fault: "close").fault == .close)
    let truncated = try service.askV2(fault: "truncated")
    #expect(truncated.fault == .truncated(truncated.body.count / 2))
    #expect(try service.askV2(fault: "not-http").fault == .raw(Array("This is no HTTP.\r\n".utf8)))
    #expect(try service.journal().allSatisfy { $0["explanation"]?.contains(" Fault on demand: ") == true })
    #expect(try service.journal().map { $0["status"] } == ["200", "503", "200", "200", "200"])
    // Every one was counted by the model.
    #expect(try service.askV2().text.hasPrefix(#"{"conversion_value":4,"#))
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=T", fault: "array").text == "[]")
  }

  @Test("A fault that is none is refused with the names that there are", arguments: ["", "x", "status-9", "LOCK"])
  func unknownFault(name: String) throws {
    let service = try TestService()
    let reply = try service.askV2(fault: name)
    #expect(reply.status == 400)
    #expect(
      reply.text.contains("no fault") && reply.text.contains("illegal-values, ") && reply.text.contains("status-NNN"))
    #expect(try service.journal().first?["explanation"]?.hasPrefix("no fault \"\(name)\"; known: ") == true)
  }

  @Test("The phone not heard of for longest is forgotten, and that is reported")
  func forgotten() throws {
    let limit = 3000
    let service = try TestService(hasModel: false, phoneLimit: limit)
    for number in 0...limit {
      _ = try service.ask("/testing/api/v1/conversion_value", "idfv=\(number)")
      if number == limit - 1 { #expect(service.reported == []) }
    }
    let first = "forgot the phone not heard of for longest: \(limit) are remembered"
    #expect(service.reported == [first])
    for number in 0..<1_500 { _ = try service.ask("/testing/api/v1/conversion_value", "idfv=again\(number)") }
    #expect(
      service.reported == [first] + [10, 100, 1000].map { "forgot \($0) phones so far: \(limit) are remembered" })
  }
}

@Suite("Pages of other sites, and names that are not this machine's")
struct SiteGuardTests {
  private static let local = "127.0.0.1:8787"

  private static let welcome: [RequestSite] = [
    RequestSite(), RequestSite(host: local), RequestSite(host: local, fetchSite: "none"),
    RequestSite(host: local, fetchSite: "same-origin"), RequestSite(host: local, fetchSite: "same-site"),
    RequestSite(host: local, origin: "http://127.0.0.1:8787"),
    RequestSite(host: local, origin: "http://localhost:3000"),
    RequestSite(host: "localhost:1", origin: "http://[::1]:2"),
    RequestSite(host: "[::1]", origin: "http://app.localhost"),
    RequestSite(host: "192.168.1.5:8787", origin: "http://192.168.1.5:3000"),
    RequestSite(host: "My-Mac.local:8787", origin: "http://my-mac.local"),
    RequestSite(host: local, referer: "http://127.0.0.1:8787/journal?x"),
    RequestSite(host: local, origin: "https://tools.example"),
    RequestSite(host: local, referer: "https://Tools.example/page", fetchSite: "cross-site"),
    RequestSite(host: "skan.test:8787"), RequestSite(host: "SKAN.test."),
  ]

  private static let foreignPages: [RequestSite] = [
    RequestSite(host: local, origin: "http://evil.example"), RequestSite(host: local, origin: "null"),
    RequestSite(host: local, origin: ""), RequestSite(host: local, origin: "http://127.0.0.1.evil.example"),
    RequestSite(host: local, origin: "http://localhost.evil.example:8787"),
    RequestSite(host: local, origin: "http://tools.example"),
    RequestSite(host: local, origin: "https://tools.example:81"),
    RequestSite(host: local, origin: "file://"), RequestSite(host: local, origin: "http://6.6.6.6"),
    RequestSite(host: local, referer: "http://evil.example/127.0.0.1"),
    RequestSite(host: local, referer: "about:blank"),
    RequestSite(host: local, fetchSite: "cross-site"),
    RequestSite(host: local, referer: "http://localhost/", fetchSite: "cross-site"),
    RequestSite(host: "192.168.1.5", origin: "http://localhost"),
  ]

  private static let foreignHosts = [
    "evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3", "1.2.3.256",
    "1.2.3.4.5", "[evil.example", "[::1", "evil", "",
  ]

  private let sites = SiteGuard(hosts: ["skan.test", "my-mac.local"], origins: ["https://tools.example"])

  @Test(
    "What is a site without a path",
    arguments: [
      ("http://a", true), ("https://tools.example", true), ("https://Tools.Example:8443", true),
      ("https://tools.example/", false), ("https://a?x", false), ("http://", false), ("https:///a", false),
      ("ftp://a", false), ("tools.example", false), ("null", false), ("", false),
    ])
  func origins(text: String, isOrigin: Bool) { #expect(SiteGuard.isOrigin(text) == isOrigin) }

  @Test("Who may", arguments: welcome)
  func own(site: RequestSite) {
    #expect(sites.refusal(ofPage: site) == nil)
    #expect(sites.refusal(ofHost: site) == nil)
  }

  /// A name with a letter more or less at its beginning and at its end.
  private static func near(_ name: String) -> [String] {
    ["x\(name)", "x.\(name)", "\(name)x", "\(name).x", "\(name)-x", "\(name.dropFirst())", "\(name.dropLast())"]
  }

  @Test func `What is nearly a trusted name, address or site is none`() {
    for name in ["skan.test", "my-mac.local"] {
      for other in Self.near(name) {
        #expect(sites.refusal(ofHost: RequestSite(host: "\(other):1")) != nil, "\(other)")
      }
    }
    for name in ["skan.test", "my-mac.local", "localhost", "127.0.0.1"] {
      for other in Self.near(name) where other != "x.localhost" {
        for site in [
          RequestSite(host: name, origin: "http://\(other)"), RequestSite(host: name, referer: "http://\(other)/"),
        ] { #expect(sites.refusal(ofPage: site) != nil, "\(site)") }
      }
    }
    let origins = Self.near("https://tools.example") + ["http://tools.example", "https://x.tools.example"]
    for origin in origins + ["https://xtools.example", "https://tools.example:444", "https://tools.example@x"] {
      #expect(sites.refusal(ofPage: RequestSite(host: Self.local, origin: origin)) != nil, "\(origin)")
    }
    let own = RequestSite(host: Self.local, origin: "http://\(Self.local)")
    #expect(sites.refusal(ofOtherThanPage: own, isChange: true) == nil)
    for origin in Self.near("http://\(Self.local)") + Self.near(Self.local).map({ "http://\($0)" }) {
      for isChange in [false, true] {
        let site = RequestSite(host: Self.local, origin: origin)
        #expect(sites.refusal(ofOtherThanPage: site, isChange: isChange) != nil, "\(origin)")
      }
    }
  }

  @Test("A page that may not changes nothing and reads nothing", arguments: foreignPages)
  func foreignPage(site: RequestSite) throws {
    let service = try TestService(script: [.response(status: 500, body: [])], sites: sites)
    for path in ["/journal", "/api/v1/conversion_value", "/testing/api/v1/conversion_value", "/nowhere"] {
      for method in ["GET", "HEAD", "DELETE", "OPTIONS"] {
        let reply = try service.ask(path, TestService.v1, method: method, site: site)
        #expect(reply.status == 403 && !reply.isCounted && reply.allowedOrigin == nil)
      }
    }
    #expect(try service.ask("/healthz").text == #"{"phones":0,"status":"ok"}"#)
    // The journal says what was refused, but for itself.
    #expect(try service.journal().map { $0["status"] } == Array(repeating: "403", count: 12))
    #expect(try service.askV2().status == 500)
  }

  @Test(
    "A foreign Host reads no journal, deletes nothing and asks for no fault; it gets values", arguments: foreignHosts)
  func foreignHost(host: String) throws {
    let service = try TestService(sites: sites)
    let site = RequestSite(host: host)
    #expect(try service.ask("/journal", site: site).status == 403)
    #expect(try service.ask("/journal", method: "DELETE", site: site).status == 403)
    #expect(try service.ask("/api/v2/conversion_value", method: "DELETE", site: site).status == 403)
    #expect(try service.askV2(fault: "html", site: site).status == 403)
    // The guides' samples name Singular's host.
    #expect(try service.askV2(site: site).status == 200)
  }

  @Test("The words name the way in")
  func words() throws {
    let service = try TestService()
    let page = try service.askV2(site: RequestSite(host: Self.local, origin: "http://evil.example"))
    #expect(
      page.explanation
        == "the page's Origin http://evil.example is another site; --allow-origin http://evil.example lets it in")
    let host = try service.ask("/journal", site: RequestSite(host: "skan:8787"))
    #expect(
      host.text.contains("Host skan is neither an address nor a name of this machine; --allow-host skan lets it in"))
  }

  @Test("A page of an allowed site may read the answer, and its browser may ask before")
  func allowed() throws {
    let service = try TestService(sites: sites)
    let site = RequestSite(host: Self.local, origin: "https://tools.example")
    #expect(try service.askV2(site: site).allowedOrigin == "https://tools.example")
    let preflight = try service.askV2(method: "OPTIONS", site: site)
    #expect(preflight.status == 204 && preflight.allow == "GET" && preflight.allowedOrigin != nil)
    #expect(try service.askV2(method: "OPTIONS", site: RequestSite(host: Self.local)).status == 405)
  }
}
