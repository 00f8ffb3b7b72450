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

@Suite("Both sides of every limit")
struct LimitTests {
  @Test func `They are what the manual says`() {
    #expect(ReferenceService.phoneLimit == 100_000 && Journal.limit == 10_000 && Journal.byteLimit == 8 * 1_048_576)
    #expect(
      PageStreams.most == 32 && PageFeed.mostInTurn == 500 && PageJobs.most == 64 && PageLife.mostRequests == 2000)
    #expect(PagePostbacks.most == 500 && Troubles.most == 100 && Troubles.longestDelay == 600)
  }

  @Test func `Pages, trouble, the lines of a part, and the name of a parameter`() throws {
    let page = RequestSite(host: "localhost", origin: "http://localhost")
    try expectLimit(32, "pages") { count in
      let service = try TestService(hasPage: true)
      return try (0..<count).allSatisfy { _ in try service.ask("/events").stream != nil }
    }
    try expectLimit(100, "troubles") { count in
      let service = try TestService(hasPage: true)
      return try (0..<count).allSatisfy { _ in
        try service.ask("/page/trouble", method: "POST", site: page, body: #"{"delay":600}"#).status == 200
      }
    }
    try expectLimit(1000, "lines") { count in
      let service = try TestService(hasPage: true)
      for _ in 0..<count { _ = try service.ask("/none", flushes: false) }
      let stream = try #require(try service.ask("/events").stream)
      let parts = (0..<3).map { _ in service.part(stream).ranges(of: "event: line").count }
      #expect(parts == [min(count, 1000), max(0, count - 1000), 0])
      return parts[0] == count
    }
    try expectLimit(100, "characters") { count in
      let name = String(repeating: "x", count: count)
      return try TestService().ask("/api/v2/conversion_value", "\(name)=%").text.contains("\\\"\(name)\\\"")
    }
  }

  @Test func `A part of a stream has lines up to a mebibyte, and one more`() throws {
    let service = try TestService(hasPage: true)
    let long = String(repeating: "x", count: 400_000)
    for _ in 0..<4 { _ = try service.ask("/none", "n=\(long)") }
    let stream = try #require(try service.ask("/events").stream)
    #expect((0..<3).map { _ in service.part(stream).ranges(of: "event: line").count } == [3, 1, 0])
  }

  @Test func `An identifier of a run of another name and the same length is another's`() throws {
    let service = try TestService(hasPage: true)
    _ = try service.askV2()
    let text = service.part(try #require(try service.ask("/events").stream))
    let run = try #require(text.firstMatch(of: /id: (\w+)-1/)).1
    let other = String(run.dropLast()) + (run.last == "x" ? "y" : "x")
    for (id, resets) in [("\(run)-1", false), ("\(other)-1", true)] {
      let stream = try #require(try service.ask("/events", lastEvent: id).stream)
      #expect(service.part(stream).contains("event: reset") == resets, "\(id)")
    }
  }

  @Test func `An answer's JSON is laid out up to 64 KiB, with an indent of 16 levels at most`() {
    for (count, isLaidOut) in [(65_536, true), (65_537, false)] {
      let text = "[\"\(String(repeating: "x", count: count - 4))\"]"
      #expect(PageRequest.shown(text).hasPrefix("[\n") == isLaidOut)
    }
    for depth in [15, 16, 17, 18] {
      let shown = PageRequest.shown(String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth))
      let lines: [String] = shown.components(separatedBy: "\n")
      let indents = lines.map { $0.utf8.prefix(while: { $0 == 0x20 }).count }
      #expect(indents.max() == 2 * min(depth, 16) && indents.count == 2 * depth + 1)
    }
  }

  @Test func `Of more than two thousand requests no life is drawn`() throws {
    let service = try TestService(hasPage: true)
    let phone = "app=com.example.app&id=IDFV-1"
    for _ in 0...PageLife.mostRequests { _ = try service.askV2(flushes: false) }
    #expect(try service.ask("/page/svg", phone).status == 404)
    #expect(try service.ask("/page/phone", phone).text.contains("no life is drawn of more than 2000"))
    #expect(try !service.ask("/page/report").text.contains("<svg"))
  }

}

@Suite("The live page: its answers that take long, and what it knows of phones")
struct PageJobTests {
  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    let begun = Atomic(0)
  }

  /// A journal with a line for each phone.
  private func append(_ phone: Int, _ number: Int, to journal: Journal) {
    let request = HTTPRequest(
      target: HTTPTarget(path: "/api/v1/launch", query: "a=K&p=iOS&i=x&idfv=V\(phone)&n=\(number)"))
    let reply = ExplainedReply(200, Array(#"{"status":"ok"}"#.utf8))
    let line = JournalLine(
      request, query: SentParameters(request.query ?? ""), at: Instant(microseconds: Int64(number) * 1_000_000), reply)
    journal.append(line.writeLine)
  }

  @Test func `They are made one after the other`() throws {
    let journal = Journal(limit: 10, redactor: Redactor(key: nil), keep: nil)
    let jobs = PageJobs(journal, PageFeed(journal) { TrafficContext() })
    let gate = Gate()
    let replies = (0..<2).map { _ in
      jobs.add { _ in
        gate.begun.wrappingAdd(1, ordering: .relaxed)
        while !gate.isOpen.load(ordering: .acquiring) { usleep(500) }
        return ExplainedReply(200, [])
      }
    }
    for _ in 0..<20 {
      jobs.advance()
      usleep(500)
    }
    #expect(gate.begun.load(ordering: .relaxed) <= 1 && replies.allSatisfy { $0.late?.value == nil })
    gate.isOpen.store(true, ordering: .releasing)
    let areMade = TestTime.wait {
      jobs.advance()
      return replies.allSatisfy { $0.late?.value?.status == 200 }
    }
    #expect(areMade && gate.begun.load(ordering: .relaxed) == 2)
  }

  @Test func `It knows the requests of the lines that are kept, and no others, after each line`() throws {
    let limit = 6
    let journal = Journal(limit: limit, redactor: Redactor(key: nil), keep: nil)
    let feed = PageFeed(journal) { TrafficContext() }
    var generator = SplitMix64(seed: 4)
    var phones: [Int] = []
    for number in 0..<120 {
      // Some phones come once, and some again and again.
      phones.append(number % 3 == 0 ? 1_000 + number : Int.random(in: 0..<3, using: &generator))
      append(phones[number], number, to: journal)
      feed.beginTurn()
      feed.advance()
      let kept = max(0, phones.count - limit)..<phones.count
      let snapshot = feed.snapshot
      #expect(Set(snapshot.phones.map(\.id)) == Set(kept.map { "V\(phones[$0])" }), "\(number)")
      for phone in Set(phones) {
        let device = TrafficDevice(app: "x", kind: .idfv, id: "V\(phone)")
        let numbers = snapshot.requests(of: device).map { $0.location.entry - 1 }
        #expect(numbers == kept.filter { phones[$0] == phone }, "\(phone) after \(number)")
      }
      #expect(snapshot.requests(of: nil).map { $0.location.entry - 1 } == Array(kept))
    }
    #expect(feed.beginnings == 0 && feed.next == 121)
  }

  @Test func `A model's values stand from the lowest to the highest, and those of one value in the file's order`()
    throws
  {
    let text = #"""
      {"fine_grained_conversion_value_mappings":[
      {"fine_grained_conversion_value":9,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"nine"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"b"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"c"}]}}],
      "postback_mappings":[{"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":
      {"low_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},"lock_window_event":"z"}]}
      """#
    let service = try TestService(
      models: ["com.example.app": try ConversionModel(Array(text.utf8))], hasModel: false, hasPage: true)
    let setup = try JSONReader.read(service.ask("/page/setup").body).value
    let values = try #require(setup.member("models")?.items?.first?.member("values")?.items)
    #expect(
      values.map { "\($0["kind"] ?? "") \($0["window"] ?? "") \($0["value"] ?? "")" } == [
        "fine 0 2", "fine 0 2", "fine 0 2", "fine 0 9", "coarse 1 low", "lock 1 lock",
      ])
    #expect(values.compactMap { $0["meaning"]?.prefix { $0 != " " } } == ["b", "a", "c", "nine", "a", "with"])
  }
}

@Suite("Answers of the service, one status and one sentence each")
struct ServeAnswerTests {
  @Test(
    arguments: [
      ("/healthz", "", 200), ("/openapi.json", "", 200), ("/journal", "", 200), ("/favicon.ico", "", 204),
      ("/", "", 200),
      ("/page/setup", "", 200), ("/page/trouble", "", 200), ("/events", "", 200), ("/page/postbacks", "", 404),
      ("/testing/api/v1/conversion_value", "idfv=A", 200), ("/api/v1/conversion_value", "", 200),
      ("/api/v2/conversion_value", "", 200), ("/api/v1/launch", "", 200), ("/api/v1/evt", "", 200),
      ("/api/v2/evt", "", 200), ("/none", "", 404), ("/api/v2/evt", "n=%", 400),
      ("/api/v2/conversion_value", "n=%", 400),
    ])
  func `The status of each path`(path: String, query: String, status: Int) throws {
    #expect(try TestService(hasPage: true).ask(path, query).status == status)
  }

  @Test func `A HEAD repeats nothing, and a GET after the same one does`() throws {
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

  @Test func `A site that is let in by its Origin is, wherever its page came from`() {
    let sites = SiteGuard(origins: ["https://tools.example"])
    let site = RequestSite(
      host: "127.0.0.1", origin: "https://tools.example", referer: "https://evil.example/", fetchSite: "cross-site")
    #expect(sites.refusal(ofPage: site) == nil && sites.allowedOrigin(site) == "https://tools.example")
  }

  @Test(arguments: [
    (200, RequestLogPart.Kind.success), (299, .success), (300, .failure), (199, .failure), (404, .failure),
    (503, .failure),
  ])
  func `An outcome of the log is right from 200 to 299`(status: Int, kind: RequestLogPart.Kind) throws {
    let service = try TestService(script: [.response(status: status, body: [])], marksParts: true)
    _ = try service.askV2()
    #expect(service.marked.last?.kind == kind && service.marked.last?.text == "\(status)")
  }

  @Test func `The time of each line, to the thousandth`() {
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
