import SKANBase
import SKANDevice
import Testing

@testable import SKANServe

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

  @Test("What is nearly a trusted name, address or site is none") func whatNearly() {
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
