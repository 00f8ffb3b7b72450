import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("The check of traffic over several devices")
struct TrafficCheckerTests {
  /// The planted life of another device.
  private func life(_ number: Int, _ plant: (inout PlantedLife) -> Void = { _ in }) throws -> [CapturedRequest] {
    var life = try PlantedLife()
    life.set("idfv", life.all, to: "21DB6612-09B3-4ECC-84AC-00000000000\(number)")
    life.set("ip", life.forwarded, to: "172.58.29.\(number)")
    plant(&life)
    return life.requests
  }

  @Test func `Device by device they have the findings that they have one after the other`() throws {
    var lives = try (1...4).map { try life($0) }
    // An app with two keys, phones that no request tells apart, and events that another request links.
    lives[0] = try life(1) { life in
      life.set("a", life.conversions, to: "one")
      life.set("a", life.forwarded, to: "two")
      life.set("cur", [29], to: nil)
    }
    lives[1] = try life(2) { life in
      life.set("idfv", life.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000022")
      life.set("i", life.launches, to: "com.example.App")
    }
    lives[2] = try life(3) { life in
      life.set("sdid", [9], to: "X")
      life.set("sdid", life.events, to: "X")
      for name in ["idfv", "idfa"] { life.set(name, life.events, to: nil) }
      life.set("idfv", [13], to: "")
    }
    lives[3] = try life(4) { $0.set("ip", $0.forwarded, to: "172.58.29.3") }
    var interleaved: [CapturedRequest] = []
    for index in 0..<40 { interleaved += lives.map { $0[index] } }
    func sorted(_ checked: Checked) -> [String] {
      checked.findings.map { "\($0.device?.description ?? "") \($0.location.entry) \($0.rule.id): \($0.message)" }
        .sorted()
    }
    let (one, other) = (try Checked(interleaved), Checked(inParts: interleaved))
    #expect(sorted(one) == sorted(other))
    #expect(one.summary == other.summary)
    for rule in [TrafficRule.keyDiffers, .bundleCase, .idfvDiffers, .amountWithoutCurrency] {
      #expect(one.rules.contains(rule.id), "\(rule.id)")
    }
    #expect(other.summary.unlinked > 0 && other.summary.met[.bothSides] == 3)
  }

  @Test("Two devices with the halves of one life are probably one phone", arguments: halves)
  func half(_ edge: EdgeTests.Edge) throws {
    let split = try life(1) { life in
      life.set("idfv", life.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000002")
      edge.plant(&life)
    }
    let found = Checked(inParts: split)
    #expect(found.rules.contains("idfv-differs") == edge.rules.contains(.idfvDiffers), "\(found.text)")
    // The other half is not missing.
    if !edge.rules.isEmpty { #expect(found.rules == edge.rules.map(\.id), "\(found.text)") }
  }

  private static let halves: [EdgeTests.Edge] = [
    .init("By their first and last calls", [.idfvDiffers]) { _ in },
    .init("By their first call alone, of two", [.idfvDiffers]) { $0.requests.removeSubrange(2...) },
    .init("Of the same second, with other calls", []) { life in
      life.set(Self.lastCall, life.forwarded) { $0.flatMap { Int64($0) }.map { "\($0 + 7)" } }
    },
    .init("With another first call", []) { $0.set(Self.firstCall, $0.forwarded, to: "1767225601") },
    .init("Of which one has both halves", []) { $0.set("idfv", [3], to: "21DB6612-09B3-4ECC-84AC-000000000001") },
    .init("That differ in more than idfv", []) { $0.set("i", $0.forwarded, to: "com.example.other") },
  ]

  @Test("Among many devices the second of the registration is not enough", arguments: [(98, true), (99, false)])
  func many(others: Int, isOne: Bool) throws {
    var requests = try life(1) { life in
      life.set("idfv", life.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000002")
      life.requests.removeSubrange(2...)
    }
    var other = try PlantedLife()
    other.requests.removeSubrange(1...)
    for number in 0..<others {
      other.set("idfv", [1], to: "21DB6612-09B3-4ECC-84AC-0000000001\(number < 10 ? "0" : "")\(number)")
      for name in [Self.firstCall, Self.lastCall] { other.set(name, [1], to: "\(1_767_300_000 + number)") }
      requests += other.requests
    }
    #expect(try Checked(requests).rules.contains("idfv-differs") == isOne)
  }

  private static let firstCall = "skan_first_call_to_skadnetwork_timestamp"
  private static let lastCall = "skan_last_call_to_skadnetwork_timestamp"

  @Test func `More requests than are remembered are all reported, once`() throws {
    var checker = TrafficChecker()
    let start = try life(1)
    var count = 0
    func check(_ request: CapturedRequest) {
      for finding in checker.check(request, kind: EndpointKind(path: request.request.path) ?? .launch)
      where finding.rule == .eventNotForwarded { count += 1 }
    }
    for request in start[..<13] { check(request) }
    for number in 0..<200 {
      var request = start[11]
      request.request.target.query = request.request.query?.replacing("n=level", with: "n=level\(number)")
      check(request)
    }
    // A day later nothing of it can still be on its way.
    for request in start[13..<15] { check(request) }
    count += checker.finish().count { $0.rule == .eventNotForwarded }
    #expect(count == 200)
  }

  /// The requests of many phones of many apps, two and two, each with an `sdid` of its own.
  private func crowd(_ count: Int) throws -> [CapturedRequest] {
    let start = try life(1)
    return (0..<count).map { number in
      var request = start[number % 2 == 0 ? 0 : 11]
      let id = String(number / 2 + 0x1000_0000, radix: 16).uppercased()
      request.request.target.query =
        "i=com.example.\(number / 2)&idfv=\(id)-6612-4B3E-84AC-000000000002&sdid=S\(number / 2)&"
        + (request.request.query ?? "").split(separator: "&").filter {
          !$0.hasPrefix("i=") && !$0.hasPrefix("idfv=") && !$0.hasPrefix("sdid=")
        }.joined(separator: "&")
      return request
    }
  }

  @Test func `With a limit, what is remembered does not grow with the devices`() throws {
    let requests = try crowd(3_000)
    var (limited, whole) = (TrafficChecker(limit: 40), TrafficChecker())
    var (sizes, ended): ([Int], Int) = ([], 0)
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path) else { continue }
      #expect(limited.check(request, kind: kind) == whole.check(request, kind: kind))
      ended += limited.ended.count
      sizes.append(limited.size)
    }
    #expect(whole.size > 3 * 1_500 && whole.ended.isEmpty)
    #expect(sizes.max() ?? 0 <= 5 * 40)
    // What the end of a forgotten device reveals is told when it is forgotten.
    #expect(ended + limited.finish().count == whole.finish().count)
    #expect(limited.summary.devices == 1_500 && limited.summary.findings == whole.summary.findings)
  }

  @Test func `A limit that is not reached changes nothing`() throws {
    let requests = try crowd(60) + life(1)
    var (limited, whole) = (TrafficChecker(limit: 31), TrafficChecker())
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path) else { continue }
      #expect(limited.check(request, kind: kind) == whole.check(request, kind: kind) && limited.ended.isEmpty)
    }
    #expect(limited.finish() == whole.finish() && limited.open == whole.open)
  }

  @Test func `An event of V2 belongs to the device that a session names with it`() throws {
    let id = "7C0A1B52-3F2B-4E54-9C0D-2B1E6A7C9D10"
    func requests(linked: Bool) throws -> [CapturedRequest] {
      var life = try PlantedLife()
      if linked { life.set("sdid", life.launches, to: id) }
      life.set("sdid", life.events, to: id)
      for name in ["idfv", "idfa"] { life.set(name, life.events, to: nil) }
      for entry in life.events {
        let request = life.requests[entry - 1].request
        let target = HTTPTarget(origin: request.target.origin, path: "/api/v2/evt")
        life.requests[entry - 1].request = .post(target.text, body: Array((request.query ?? "").utf8))
      }
      return life.requests
    }
    let linked = try Checked(requests(linked: true))
    #expect(linked.text == [] && linked.summary.devices == 1 && linked.summary.gap(of: .eventNotForwarded) == nil)
    let unlinked = try Checked(requests(linked: false))
    #expect(unlinked.text == [] && unlinked.summary.devices == 2)
    #expect(
      unlinked.summary.gap(of: .eventNotForwarded) == .part("11 of 40 requests name the device by sdid alone"))
  }

  @Test func `Whatever is sent is checked`() throws {
    var generator = SplitMix64(seed: 7)
    let clean = try PlantedLife().requests
    let bytes = Array("=&%+_019az{}\"A,-:\u{7F}".utf8)
    var fired: Set<TrafficRule> = []
    for _ in Rounds.of(20) {
      var requests = clean
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: requests.indices, using: &generator)
        var query = Array((requests[index].request.query ?? "").utf8)
        query[Int.random(in: query.indices, using: &generator)] = bytes.randomElement(using: &generator) ?? 0
        requests[index].request.target.query = String(decoding: query, as: UTF8.self)
        requests.swapAt(index, Int.random(in: requests.indices, using: &generator))
      }
      let checked = try Checked(requests)
      #expect(checked.summary.requests == 40)
      #expect(checked.summary.findings.values.reduce(0, +) == checked.findings.count)
      #expect(checked.findings.allSatisfy { $0.message.hasSuffix(".") || $0.message.hasSuffix("?") }, "\(checked.text)")
      fired.formUnion(checked.findings.map(\.rule))
    }
    #expect(fired.count > 20, "\(fired.count)")
  }
}

@Suite("What was checked and what was not")
struct TrafficSummaryTests {
  private static let launch =
    "https://s2s.singular.net/api/v1/launch?a=KEY&p=iOS&i=com.example.app&ip=172.58.29.235&ve=17.4"
    + "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&att_authorization_status=0&ma=Apple&mo=iPhone14,5&lc=en_US&bd=21E236"
    + "&app_v=1&install=true&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_last_call_to_skadnetwork_timestamp=1767225600"

  private func captured(
    _ url: String, at seconds: Int64? = nil, _ answer: CapturedAnswer = .notCaptured, entry: Int = 1
  )
    -> CapturedRequest
  {
    CapturedRequest(
      .get(url), at: seconds.flatMap(Instant.init(unixSeconds:)), answer: answer,
      location: CaptureLocation(file: "-", entry: entry, line: entry))
  }

  @Test func `Without requests no rule was evaluated`() {
    #expect(TrafficChecker().summary.gaps.count == TrafficRule.allCases.count)
  }

  @Test func `What an input lacks is said`() {
    var checker = TrafficChecker()
    #expect(checker.check(captured(Self.launch), kind: .launch) == [])
    #expect(checker.finish() == [])
    #expect(checker.summary.gap(of: .plusInName) == .all("no conversion_value requests"))
    #expect(checker.summary.gap(of: .amountForm) == .all("no evt requests"))
    #expect(checker.summary.gap(of: .sameAddress) == .all("fewer than three devices with an address"))
    #expect(checker.summary.gap(of: .localeForm) == nil)
    #expect(checker.summary.gap(of: .keyDiffers) == nil)
    let redacted = Self.launch.replacing("KEY", with: "REDACTED")
    _ = checker.check(captured(redacted, entry: 2), kind: .launch)
    #expect(checker.summary.gap(of: .keyDiffers) == .part("1 of 2 requests have no SDK key"))
    #expect(checker.summary.requests == 2 && checker.summary.devices == 1)
  }

  @Test func `A POST whose form was not captured is counted and not checked`() {
    var checker = TrafficChecker()
    let request = HTTPRequest.post("https://s2s.singular.net/api/v1/evt", body: [])
    let location = CaptureLocation(file: "-", entry: 1, line: 1)
    #expect(checker.check(CapturedRequest(request, location: location), kind: .event(.v1)) == [])
    #expect(checker.summary.withoutForm == 1 && checker.summary.events == 1 && checker.summary.devices == 0)
  }

  @Test func `A finding has its location and device`() throws {
    var checker = TrafficChecker()
    let findings = checker.check(
      captured(Self.launch.replacing("en_US", with: "en-US"), at: 5, entry: 7), kind: .launch)
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.rule == .localeForm && finding.location.entry == 7)
    #expect(finding.device?.description == "com.example.app, idfv 21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    #expect(finding.at?.wholeSeconds == 5)
    #expect(checker.summary.findings == [.localeForm: 1] && checker.summary.count(.warning) == 1)
  }
}

/// What is said of an answer in the clean life, whose entry 30 is a request for a value.
@Suite("What is said of an answer")
struct AnswerMessageTests {
  private func findings(_ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    return try Checked(life.requests).text
  }

  @Test(
    "That cannot be used",
    arguments: [
      ("<html>", "conversion-error: the answer is not a JSON object."),
      ("[]", "conversion-error: the answer is not a JSON object."),
      (#"{"status":"error"}"#, "conversion-error: the answer is: an error without a reason."),
      (#"{"status":"error","reason":5}"#, "conversion-error: the answer is: 5."),
      ("{}", "conversion-error: the answer is: an error without a reason."),
      (#"{"conversion_value":64,"status":"ok"}"#, "answer-unusable: the value is 64."),
      (
        #"{"conversion_value":12,"skan_updated_coarse_value":5,"status":"ok"}"#,
        "answer-unusable: the value is 12, the coarse value 5."
      ),
      (
        #"{"conversion_value":"12","skan_updated_coarse_value":"2","status":"ok"}"#,
        "answer-unusable: the value is \"12\", the coarse value \"2\"."
      ), (#"{"status":"ok","skan_updated_lock_window_value":[]}"#, "answer-unusable: the lock is []."),
    ])
  func unusable(body: String, message: String) throws {
    #expect(try findings { $0.answer(30, body) }.filter { $0.hasPrefix("30 ") } == ["30 \(message)"])
  }

  @Test func `Without an answer nothing changes, and one that is not known may change anything`() throws {
    let failed = try findings { $0.requests[11].answer = .failure("timed out") }
    #expect(failed.contains("13 value-never-answered: the value is 12, which no answer gave."), "\(failed)")
    let unknown = try findings { $0.requests[11].answer = .notCaptured }
    #expect(!unknown.contains { $0.contains("value-never-answered") }, "\(unknown)")
  }

  @Test func `A coarse value that was shown without one`() throws {
    let found = try findings { $0.answer(12, #"{"conversion_value":12,"status":"ok"}"#) }
    #expect(
      found.contains { $0.contains("answer-not-shown: the answer at entry 12 gave no coarse value.") }, "\(found)")
  }

  @Test func `Names that the two endpoints have otherwise`() throws {
    let session = try findings { $0.set("n", [13], to: "__SESSION__") }
    #expect(
      session.contains("13 session-name-misplaced: a session is reported to evt under __SESSION__."), "\(session)")
    let late = try findings { life in
      life.set("n", [13], to: "Level")
      life.requests.swapAt(11, 12)
      life.requests[11].at = life.requests[12].at
    }
    #expect(late.contains { $0.hasSuffix("event-name-case: n is level here and Level at evt.") }, "\(late)")
  }

  @Test func `Another first call is of the same install when something was kept of it`() throws {
    let first = "skan_first_call_to_skadnetwork_timestamp"
    let last = "skan_last_call_to_skadnetwork_timestamp"
    func planted(_ more: (inout PlantedLife) -> Void) throws -> [String] {
      try findings { life in
        life.set(first, Array(14...40), to: "1767225601")
        life.set(last, [14]) { $0.flatMap { Int64($0) }.map { "\($0 + 1)" } }
        more(&life)
      }.filter { $0.contains("first-call-changed") }
    }
    let message = "14 first-call-changed: the first call is 1767225601, it was 1767225600."
    // The values of the request before, or else sums that did not shrink.
    #expect(try planted { _ in } == [message])
    #expect(try planted { $0.set("prev_fine_value", [14], to: nil) } == [message])
  }
}
