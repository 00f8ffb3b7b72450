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

  @Test("Only the page reads, and only with its origin it changes", arguments: sites.map(\.name)) func onlyPage(
    name: String
  )
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

  @Test("A site that may ask as phones do still gets nothing of the page") func siteMay() throws {
    let service = try TestService(sites: SiteGuard(origins: ["https://tools.example"]), hasPage: true)
    let site = RequestSite(host: "localhost:8787", origin: "https://tools.example")
    #expect(try service.askV2(site: site).status == 200)
    #expect(try service.ask("/page/setup", site: site).status == 403)
  }

  @Test("The document is framed by nobody and runs nothing but its script") func documentFramed() throws {
    let reply = try TestService(hasPage: true).ask("/")
    let policy = try #require(reply.response.headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe") && !policy.contains("http"))
    #expect(!reply.text.contains("style=") && !reply.text.contains("<style") && !reply.text.contains("onclick"))
  }

  @Test("Without it there is no path of it; with it, none is in the journal, in the log, or late") func withoutThere()
    throws
  {
    let (without, with) = (try TestService(), try TestService(hasPage: true, latency: 5))
    for path in OpenAPI.pagePaths.map(\.key) {
      #expect(try without.ask(path).status == 404, "\(path)")
      #expect(try with.ask(path).delay == 0, "\(path)")
    }
    #expect(with.logged.isEmpty || !with.logged.contains(" 200"))
    #expect(try with.journal().isEmpty)
  }

  @Test("Every answer is late but those of the page, and trouble makes it later") func everyAnswer() throws {
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

  @Test("An address of the page takes no other method") func addressPage() throws {
    let service = try TestService(hasPage: true)
    #expect(try service.ask("/events", method: "POST").status == 405)
    #expect(try service.ask("/", method: "HEAD").status == 200)
    #expect(try service.ask("/events", method: "HEAD").stream == nil)
  }
}
