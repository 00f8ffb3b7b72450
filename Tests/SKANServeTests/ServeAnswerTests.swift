import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("Answers of the service, one status and one sentence each")
struct ServeAnswerTests {
  @Test(
    "The status of each path",
    arguments: [
      ("/healthz", "", 200), ("/openapi.json", "", 200), ("/journal", "", 200), ("/favicon.ico", "", 204),
      ("/", "", 200),
      ("/page/setup", "", 200), ("/page/trouble", "", 200), ("/events", "", 200), ("/page/postbacks", "", 404),
      ("/testing/api/v1/conversion_value", "idfv=A", 200), ("/api/v1/conversion_value", "", 200),
      ("/api/v2/conversion_value", "", 200), ("/api/v1/launch", "", 200), ("/api/v1/evt", "", 200),
      ("/api/v2/evt", "", 200), ("/none", "", 404), ("/api/v2/evt", "n=%", 400),
      ("/api/v2/conversion_value", "n=%", 400),
    ])
  func statusEach(path: String, query: String, status: Int) throws {
    #expect(try TestService(hasPage: true).ask(path, query).status == status)
  }

  @Test("A HEAD repeats nothing, and a GET after the same one does") func headRepeats() throws {
    let service = try TestService()
    for path in ["/api/v2/conversion_value", "/api/v1/launch"] {
      for (method, isRepeated) in [("GET", false), ("HEAD", false), ("HEAD", false), ("GET", true), ("HEAD", false)] {
        _ = try service.ask(path, TestService.v2, method: method)
        let explanation = try service.journal().last?["explanation"] ?? ""
        #expect(explanation.contains("The previous request was the same") == isRepeated, "\(method) \(explanation)")
      }
    }
  }

  @Test(
    "A parameter that cannot be read is named by its name alone",
    arguments: [
      ("n=%", "the parameter \\\"n\\\""), ("p=1&n=%zz&x=%", "the parameter \\\"n\\\""), ("=%", "the query"),
      ("n%=1", "the query"), ("%6e=%", "the query"), ("n=%=%", "the parameter \\\"n\\\""),
    ])
  func broken(query: String, name: String) throws {
    #expect(
      try TestService().ask("/api/v2/conversion_value", query).text.contains("\(name) has a broken percent escape"))
  }

  @Test(
    "The site of a page",
    arguments: [
      ("http://a/b", "http://a", "a"), ("HTTPS://A:1?b", "https://a:1", "a"), ("http://a.:80#b", "http://a.:80", "a"),
      ("http://[::1]:2/b", "http://[::1]:2", "[::1]"), ("http://a", "http://a", "a"), ("http://a#/?", "http://a", "a"),
      ("http://", nil, nil), ("http://:1", nil, nil), ("ftp://a", nil, nil), ("a://http://b", nil, nil), ("", nil, nil),
    ] as [(String, String?, String?)])
  func origin(url: String, text: String?, host: String?) {
    let origin = Origin(url: url)
    #expect(origin?.text == text && origin?.host == host)
  }

  @Test("A site that is let in by its Origin is, wherever its page came from") func siteLet() {
    let sites = SiteGuard(origins: ["https://tools.example"])
    let site = RequestSite(
      host: "127.0.0.1", origin: "https://tools.example", referer: "https://evil.example/", fetchSite: "cross-site")
    #expect(sites.refusal(ofPage: site) == nil && sites.allowedOrigin(site) == "https://tools.example")
  }

  @Test(
    "An outcome of the log is right from 200 to 299",
    arguments: [
      (200, RequestLogPart.Kind.success), (299, .success), (300, .failure), (199, .failure), (404, .failure),
      (503, .failure),
    ])
  func outcomeLog(status: Int, kind: RequestLogPart.Kind) throws {
    let service = try TestService(script: [.response(status: status, body: [])], marksParts: true)
    _ = try service.askV2()
    #expect(service.marked.last?.kind == kind && service.marked.last?.text == "\(status)")
  }

  @Test("The time of each line, to the thousandth") func timeEach() {
    var now: Int64 = 0
    var lines = ""
    let log = RequestLog(showsQuery: false, marksParts: false, now: { Instant(microseconds: now) }) { bytes, _ in
      lines += String(decoding: bytes, as: UTF8.self)
    }
    let times: [(Int64, String)] = [
      (0, "00:00:00.000"), (999, "00:00:00.000"), (9_999, "00:00:00.009"), (10_000, "00:00:00.010"),
      (99_999, "00:00:00.099"), (100_000, "00:00:00.100"), (999_999, "00:00:00.999"), (1_000_000, "00:00:01.000"),
      (61_000_000, "00:01:01.000"), (61_500_000, "00:01:01.500"), (86_399_999_999, "23:59:59.999"),
      (86_400_000_000, "00:00:00.000"), (61_000_000, "00:01:01.000"),
    ]
    for (time, _) in times {
      now = time
      log.append(.bareLineFeed, peer: "p")
      log.flush()
    }
    #expect(lines.split(separator: "\n").map { String($0.prefix(12)) } == times.map(\.1))
  }
}
