import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

/// The same four requests of a phone's first minute, in the style of each exporter.
@Suite("Captures as programs write them")
struct CaptureFixtureTests {
  struct Fixture: CustomTestStringConvertible {
    let name: String
    var hasAnswers = true
    var hasTimes = true
    var testDescription: String { name }
  }

  static let fixtures =
    [
      Fixture(name: "charles.har"), Fixture(name: "proxyman.har"), Fixture(name: "mitmproxy.har"),
      Fixture(name: "chrome.har"), Fixture(name: "pairs.har"), Fixture(name: "journal.ndjson"),
      Fixture(name: "combined.log", hasAnswers: false), Fixture(name: "alb.log", hasAnswers: false),
      Fixture(name: "cloudfront.log", hasAnswers: false), Fixture(name: "urls.txt", hasAnswers: false, hasTimes: false),
    ] + logs.map { Fixture(name: $0, hasAnswers: false) }

  /// Access logs that begin with other lines, and logs in JSON and as tables.
  static let logs = [
    "combined-bots.log", "nginx.ndjson", "docker.ndjson", "google-cloud.ndjson", "cloudflare.ndjson",
    "cloudfront-realtime.tsv", "cloudfront.ndjson", "cloudfront-blanks.log", "iis.log",
  ]

  @Test("Each gives the same requests", arguments: fixtures, [Int.max, 7])
  func requests(_ fixture: Fixture, step: Int) throws {
    let captured = try Captured(fixture: fixture.name, step: step)
    #expect(captured.problems == [])
    #expect(captured.tally.remarks == [])
    let requests = captured.requests.filter { if case .failure = $0.answer { false } else { true } }
      .sorted { ($0.at ?? .listStart, $0.location.entry) < ($1.at ?? .listStart, $1.location.entry) }
    let kinds = requests.map { EndpointKind(path: $0.request.path) }
    #expect(kinds == [.conversionValue(.v2), .launch, .conversionValue(.v2), .event(.v1)])
    for request in requests {
      let parameters = (request.request.query ?? "") + String(decoding: request.request.body, as: UTF8.self)
      #expect(parameters.contains("21DB6612-09B3-4ECC-84AC-B353B0AF1334"))
      #expect(!parameters.contains("tutorial") || parameters.contains("n=tutorial%20done"))
      if case .response(200, let body) = request.answer { #expect(!body.isEmpty) }
      #expect(fixture.hasTimes == (request.at != nil))
    }
    #expect(requests.contains { if case .response = $0.answer { true } else { false } } == fixture.hasAnswers)
    if fixture.hasTimes { #expect(requests.map { $0.at?.wholeSeconds ?? 0 } == times(of: fixture)) }
  }

  private func times(of fixture: Fixture) -> [Int64] {
    let start: Int64 = 1_767_261_600
    return [start, start + 1, start + 60, start + (fixture.name == "mitmproxy.har" ? 63 : 61)]
  }

  @Test("What is not checked is counted by host")
  func others() throws {
    let charles = try Captured(fixture: "charles.har").tally
    #expect(charles.others == ["cdn.example.net": 1])
    #expect(charles.undecrypted == ["api.example.net": 1])
    let chrome = try Captured(fixture: "chrome.har").tally
    #expect(chrome.others == ["data:": 1])
    #expect(chrome.webSockets == 1)
    #expect(try Captured(fixture: "combined.log").tally.others == ["other paths": 1])
  }

  @Test("What the exporter knows of answers")
  func answers() throws {
    let mitmproxy = try Captured(fixture: "mitmproxy.har").requests
    #expect(mitmproxy.map(\.answer).contains(.failure("server disconnected")))
    #expect(mitmproxy[1].answer == .response(status: 200, body: Array(#"{"status":"ok"}"#.utf8)))
    #expect(try Captured(fixture: "chrome.har").requests.last?.answer == .status(200))
    #expect(try Captured(fixture: "urls.txt").requests.first?.answer == .notCaptured)
    #expect(try Captured(fixture: "alb.log").requests.first?.answer == .status(200))
  }
}
