import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import TestSupport
import Testing

@testable import SKANServe
@testable import SKANTraffic

/// A page as the events of its stream make it.
private struct OpenPage {
  let stream: Int
  /// The lines that it has, by their numbers.
  var lines: [Int: String] = [:]
  /// `rule line` of the findings that came with a line.
  var findings: [Int: [String]] = [:]
  var trouble: String?
  var postbacks = 0
  var lastID: String?
  var resets = 0

  init(_ stream: Int) { self.stream = stream }

  mutating func take(_ part: String) throws {
    for event in part.components(separatedBy: "\n\n") where event.hasPrefix("event: ") {
      let fields = event.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
      for field in fields where field[0] == "id:" { lastID = field[1] }
      let data = try #require(fields.last { $0[0] == "data:" }?[1])
      switch fields[0][1] {
      case "reset":
        let first: String? = try JSONReader.read(Array(data.utf8)).value["first"]
        #expect(lastID?.hasSuffix("-\((first.flatMap { Int($0) } ?? 0) - 1)") == true)
        (lines, findings) = ([:], [:])
        resets += 1
      case "line":
        let value = try JSONReader.read(Array(data.utf8)).value
        let text: String? = value["n"]
        let number = try #require(text.flatMap { Int($0) })
        #expect(lines[number] == nil && lastID?.hasSuffix("-\(number)") == true)
        let start = try #require(data.firstRange(of: #","line":"#)?.upperBound)
        let end = try #require(data.ranges(of: #","n":"#).last?.lowerBound)
        lines[number] = String(data[start..<end])
        findings[number] = value.member("findings")?.items?.map { finding in
          [finding["rule"] ?? "", finding["n"] ?? ""].joined(separator: " ")
        }
      case "trouble": trouble = data
      case "postbacks": postbacks = Int(data) ?? 0
      default: Issue.record("\(event)")
      }
    }
  }
}

/// What a page should have after any sequence of requests, removals, reconnections and turns, worked out from the lines.
@Suite("The live page: what it holds over time")
struct PageModelTests {
  private static let page = RequestSite(host: "localhost", origin: "http://localhost")
  private static let session = TestService.v2

  /// The requests that come: of phones, of their apps' servers, of nobody, and what the rules find something in.
  private static func ask(_ number: Int, _ random: inout SplitMix64, _ service: TestService) throws {
    let phone = "IDFV-\(Int.random(in: 0..<4, using: &random))"
    let name = "n=e\(number)x"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: _ = try service.ask("/none", name)
    case 1: service.record(.bareLineFeed, from: "127.0.0.1")
    case 2:
      _ = try service.ask("/api/v1/launch", "a=K&p=iOS&i=com.example.app&idfv=\(phone)&\(name)&lc=en-US&install=true")
    case 3: _ = try service.ask("/api/v2/conversion_value", "a=K&p=iOS&i=com.example.app&\(name)")
    default:
      let query = session.replacing("IDFV-1", with: phone).replacing("n=__SESSION__", with: name)
      _ = try service.ask("/api/v2/conversion_value", query, time: "\(TestService.start + Int64(number))")
    }
  }

  /// The names of events in a text: `e5x` is of the fifth request.
  private static func names(_ text: String) -> Set<Int> {
    Set(text.matches(of: /\be(\d+)x\b/).compactMap { Int($0.1) })
  }

  /// `id fault` of each trouble.
  private static func pending(_ text: String) throws -> [String] {
    try JSONReader.read(Array(text.utf8)).value.items?.map { "\($0["id"] ?? "") \($0["fault"] ?? "")" } ?? []
  }

  private static func lines(_ texts: [String]) -> [String] {
    texts.joined().split(separator: "\n").map(String.init)
  }

  @Test("Requests, emptyings, other pages and reconnections", arguments: [1, 2, 5, 9], Rounds.of(3))
  func sequence(limit: Int, seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed * 100 + limit))
    let shelf = PagePostbacks(allowsDevelopment: false)
    let service = try TestService(
      postbacks: PostbackKeeper(receive: { _, _ in { .notKept(cause: "") } }, commit: {}, page: shelf), hasPage: true,
      journalLimit: limit)
    // What the model knows: all lines, the oldest that is kept, and the line from which findings are looked for.
    var (first, looked) = (1, 1)
    let model = try ConversionModel(
      Array(Data(contentsOf: Checkout.fixtures.appending(path: "models/engagement.json"))))
    let fresh = TrafficChecker(
      limit: limit, TrafficContext(endpoint: ReferenceEndpoint(models: [:], defaultModel: model)))
    var (checker, findings) = (fresh, [Int: [String]]())
    var (isEmptied, kept) = (false, 0)
    var pages: [OpenPage] = []
    func all() -> [String] { Self.lines(service.kept) }
    func look() {
      let lines = all()
      if isEmptied || first > looked { (checker, looked, isEmptied, findings) = (fresh, first, false, [:]) }
      while looked <= lines.count {
        let location = CaptureLocation(file: "journal", entry: looked, line: looked)
        let line = Array(lines[looked - 1].utf8)
        if let request = JournalEntryReader().request(line, at: location),
          let kind = EndpointKind(path: request.request.path)
        {
          findings[looked] = checker.check(request, kind: kind).map { "\($0.rule.id) \($0.location.entry)" }
        }
        looked += 1
      }
    }
    func open(after last: OpenPage?, isSame: Bool) throws {
      let stream = try #require(try service.ask("/events", lastEvent: isSame ? last?.lastID : "old-1").stream)
      look()
      var page = OpenPage(stream)
      // The browser keeps what it has until it is told to forget it.
      if let last, isSame { (page.lines, page.findings, page.lastID) = (last.lines, last.findings, last.lastID) }
      pages.append(page)
    }
    for step in 0..<60 {
      switch Int.random(in: 0..<14, using: &random) {
      case 0...5:
        try Self.ask(all().count + 1, &random, service)
        first = max(first, all().count - limit + 1)
      case 6 where Int.random(in: 0..<2, using: &random) == 0:
        #expect(try service.ask("/journal", method: "DELETE").status == 204)
        (first, isEmptied) = (all().count + 1, true)
        for index in pages.indices { pages[index].resets = -1 }
      case 7 where pages.count < 3: try open(after: nil, isSame: false)
      case 8 where !pages.isEmpty:
        let page = pages.remove(at: Int.random(in: pages.indices, using: &random))
        service.close(page.stream)
        #expect(service.part(page.stream) == "")
        for _ in 0..<Int.random(in: 0..<4, using: &random) { try Self.ask(all().count + 1, &random, service) }
        first = max(first, all().count - limit + 1)
        let wasEmptied = page.resets < 0
        try open(after: page, isSame: Int.random(in: 0..<4, using: &random) > 0)
        if wasEmptied { pages[pages.count - 1].resets = -1 }
      case 9:
        let body = #"{"fault":"status-5\#(Int.random(in: 10...99, using: &random))"}"#
        _ = try service.ask("/page/trouble", method: "POST", site: Self.page, body: body)
      case 10:
        let isKept = Int.random(in: 0..<2, using: &random) == 0
        try Self.add(1, to: shelf, isKept: isKept)
        if isKept { kept += 1 }
      case 11:
        let number = Int.random(in: 0...all().count + 1, using: &random)
        let isKept = number >= first && number <= all().count
        #expect(try service.ask("/page/request", "n=\(number)").status == (isKept ? 200 : 404), "\(number)")
      case 12:
        let lines = all()[(first - 1)...]
        #expect(try Self.lines([service.ask("/journal").text]) == Array(lines))
        try asked(Array(lines), service)
        look()
      default: break
      }
      guard !pages.isEmpty, step % 2 == 0 else { continue }
      let index = Int.random(in: pages.indices, using: &random)
      let before = pages[index]
      try pages[index].take(service.part(before.stream))
      look()
      let page = pages[index]
      let lines = all()
      // A page has all that came since it was told to forget: at its start, where it has missed a line, and after the
      // journal was emptied.
      let had = before.lines.keys.sorted()
      let next = before.lastID.flatMap { $0.split(separator: "-").last.flatMap { Int($0) } }.map { $0 + 1 } ?? 0
      let forgets = before.resets < 0 || next < first
      let expected = forgets ? Array(first..<lines.count + 1) : had + Array(next..<lines.count + 1)
      #expect(page.lines.keys.sorted() == expected, "step \(step): \(forgets), kept from \(first)")
      #expect(expected.allSatisfy { page.lines[$0] == lines[$0 - 1] }, "step \(step)")
      for number in max(next, first)..<max(next, first, lines.count + 1) {
        #expect(page.findings[number] == findings[number] ?? [], "step \(step), line \(number)")
      }
      if let trouble = page.trouble {
        let (shown, pending) = try (Self.pending(trouble), Self.pending(service.ask("/page/trouble").text))
        #expect(shown == pending, "step \(step)")
      }
      #expect(page.postbacks == kept)
      if page.resets < 0 { pages[index].resets = 0 }
    }
  }

  /// What is asked for is made of the lines that are kept, and of no others.
  private func asked(_ lines: [String], _ service: TestService) throws {
    let kept = Self.names(lines.joined())
    let report = try service.ask("/page/report").text
    #expect(Self.names(report).isSubset(of: kept))
    let requests = lines.enumerated().compactMap { index, line in
      JournalEntryReader().request(Array(line.utf8), at: CaptureLocation(file: "journal", entry: index, line: index))
    }.filter { EndpointKind(path: $0.request.path) != nil }
    #expect(try Self.names(service.ask("/page/list").text).isSubset(of: kept))
    for phone in 0..<4 {
      let own = requests.filter {
        SentParameters($0.request.query ?? "").flatMap { TrafficDevice($0) }?.id == "IDFV-\(phone)"
      }
      let query = "app=com.example.app&kind=idfv&id=IDFV-\(phone)"
      let life = try service.ask("/page/phone", query)
      #expect(life.status == (own.isEmpty ? 404 : 200))
      #expect(report.contains("<h2>com.example.app, idfv IDFV-\(phone)</h2>") == !own.isEmpty)
      let names = Set(own.flatMap { Self.names($0.request.query ?? "") })
      #expect(Self.names(report).isSuperset(of: names))
      #expect(try Self.names(service.ask("/page/list", query).text).isSubset(of: names))
    }
  }

  private static func add(_ count: Int, to shelf: PagePostbacks, isKept: Bool = true) throws {
    for _ in 0..<count {
      let body = #"{"version":"4.0","ad-network-id":"a.skadnetwork","transaction-id":"t","app-id":1}"#
      let record = ReceivedRecord(
        receivedAt: try #require(Instant(unixSeconds: TestService.start)), sourceAddress: "192.0.2.\(shelf.count)",
        signature: ReceivedSignature(.notChecked, key: nil, why: ""), repetition: .first, findings: [], body: body)
      shelf.add(record, try PostbackDocument(Array(body.utf8)))
      shelf.settle(isKept: isKept)
    }
  }

  @Test("Of many postbacks the last are shown, and all are counted") func manyPostbacks() throws {
    let shelf = PagePostbacks(allowsDevelopment: false)
    var total = 0
    for count in [
      1, PagePostbacks.most, PagePostbacks.most + 1, 2 * PagePostbacks.most, 2 * PagePostbacks.most + 1, 1207,
    ] {
      try Self.add(count - total, to: shelf)
      try Self.add(1, to: shelf, isKept: false)
      total = max(total, count)
      let shown = try JSONReader.read(Array(JSONWriter.text(shelf.shown(redactedBy: Redactor(key: nil))).utf8)).value
      let addresses = shown.member("records")?.items?.compactMap { record -> String? in
        guard case .string(let line) = record else { return nil }
        let address: String? = try? JSONReader.read(Array(line.utf8)).value["source_address"]
        return address
      }
      #expect(addresses == (max(0, total - PagePostbacks.most)..<total).map { "192.0.2.\($0)" })
      #expect(shown["count"] == "\(total)" && shelf.count == total)
    }
  }

  @Test("A report has the last 200 requests of a phone, and 20 phones", arguments: [(200, 20), (201, 21), (230, 11)])
  func longReport(requests: Int, phones: Int) throws {
    let service = try TestService(hasPage: true, journalLimit: 235)
    for phone in 1..<phones {
      _ = try service.ask("/api/v1/launch", "a=K&p=iOS&i=com.example.app&idfv=OTHER-\(phone)")
    }
    for number in 1...requests {
      _ = try service.ask(
        "/api/v2/conversion_value", Self.session.replacing("n=__SESSION__", with: "n=e\(number)x"),
        time: "\(TestService.start + Int64(number))")
    }
    let text = try service.ask("/page/report").text
    // The phone of the many requests is the last.
    let gone = max(0, requests + phones - 1 - 235)
    let kept = phones - gone
    #expect(text.ranges(of: "<h2>com.example.app, idfv ").count == min(20, kept))
    #expect(text.contains("1 phone more are left out.") == (kept > 20))
    #expect(text.contains("Requests before number \(gone + 1) are not kept.") == (gone > 0))
    let rows = text.matches(of: /<td class="text">e(\d+)x<\/td>/).compactMap { Int($0.1) }
    #expect(rows == (kept > 20 ? [] : Array(max(1, requests - 199)...requests)))
    #expect(text.contains("The last 200 of \(requests) requests:") == (kept <= 20 && requests > 200))
  }
}
