import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("The rules of traffic")
struct TrafficRuleTests {
  @Test func `A clean life of 36 days with forwarding breaks none`() throws {
    let checked = try Checked(fixture: "clean-life.ndjson")
    #expect(checked.text == [])
    #expect(checked.summary.requests == 40 && checked.summary.devices == 1)
    #expect(
      checked.summary.gaps.map(\.rule) == [.keyDiffers, .sameAddress],
      "what the clean life cannot show: \(checked.summary.gaps)")
  }

  @Test("Each rule has a capture in which it fires, and no other", arguments: TrafficRule.allCases)
  func fixture(rule: TrafficRule) throws {
    let folder = Checkout.fixtures.appending(path: "traffic/rules")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("\(rule.id).") }
    #expect(names.count == 1, "\(rule.id)")
    for name in names {
      let checked = try Checked(fixture: "rules/\(name)", rule.context)
      #expect(checked.rules == [rule.id], "\(name): \(checked.text)")
      if case .all(let reason)? = checked.summary.gap(of: rule) {
        Issue.record("\(name): \(rule.id) fires and is not evaluated: \(reason)")
      }
    }
  }

  @Test("Each rule has its texts", arguments: TrafficRule.allCases)
  func texts(rule: TrafficRule) throws {
    #expect(rule.text.hasSuffix(".") && rule.remedy.hasSuffix("."))
    #expect(rule.text != rule.remedy)
    #expect(
      rule.id.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") } && rule.id == rule.id.lowercased())
    let article = Checkout.root.appending(path: "Sources/SKANDevice/SKANDevice.docc/\(rule.article).md")
    #expect(FileManager.default.fileExists(atPath: article.path), "\(rule.article)")
  }

  @Test func `No text stands for two rules`() {
    #expect(Set(TrafficRule.allCases.map(\.text)).count == TrafficRule.allCases.count)
  }
}

@Suite("The rule that a parameter's problem falls under")
struct ParameterRuleTests {
  /// The findings at one entry of the clean life, by its parameters alone.
  private func findings(_ entry: Int, _ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    let captured = life.requests[entry - 1]
    let kind = try #require(EndpointKind(path: captured.request.path))
    let request = try #require(CheckedRequest(captured, kind: kind, in: JSONDocument()))
    return ParameterRules.findings(request, in: TrafficContext()).map { "\($0.rule.id): \($0.message)" }
  }

  @Test(
    "Of a report",
    arguments: [
      ("a", "null", ["key-missing: a stands for nothing, it is \"null\": leave it out."]),
      ("a", "", ["key-missing: a is empty."]),
      ("idfv", "nil", ["idfv-missing: idfv stands for nothing, it is \"nil\": leave it out."]),
      (
        "idfv", "00000000-0000-0000-0000-000000000000",
        ["idfv-missing: idfv is all zeros: leave it out when there is none."]
      ), ("ve", "", ["parameter-form: ve is empty."]),
      ("idfv", "x", ["parameter-form: idfv must be a UUID, it is \"x\"."]),
      (
        "ip", "2001:db8::1",
        ["ipv6-address: ip is an IPv6 address; Singular's pages prefer IPv4, and one refuses IPv6."]
      ),
      ("utime", "yesterday", ["parameter-form: utime must be a Unix time, it is \"yesterday\"."]),
      ("p0_coarse", "7", ["parameter-form: p0_coarse must be a whole number from 0 to 2, it is \"7\"."]),
      (
        "ip", nil,
        ["address-choice: ip is missing: send the device's public address, or use_ip=true from the device itself."]
      ),
      ("idfv", nil, ["idfv-missing: idfv is missing."]), ("p", nil, ["parameter-missing: p is missing."]),
      (
        "idfa", "null", ["idfa-zeros: idfa stands for nothing, it is \"null\": leave it out."]
      ),
    ] as [(String, String?, [String])])
  func report(name: String, value: String?, expected: [String]) throws {
    let found = try findings(13) { $0.set(name, [13], to: value) }
    #expect(found == expected)
  }

  @Test(
    "Of a request for a value",
    arguments: [
      ("idfv", "", "idfv-missing"), ("idfv", nil, "idfv-missing"), ("a", nil, "key-missing"),
      ("idfa", "null", "idfa-zeros"), ("app_v", nil, "parameter-missing"),
      ("p0_coarse", "7", "parameter-form"), ("skan_total_revenue_by_currency", "USD", "json-damaged"),
      ("skan_current_conversion_value", nil, "current-value-missing"),
    ] as [(String, String?, String)])
  func ask(name: String, value: String?, expected: String) throws {
    let found = try findings(12) { $0.set(name, [12], to: value) }
    #expect(found.map { String($0.prefix { $0 != ":" }) } == [expected], "\(found)")
  }

  @Test func `A plus sign in a name is shown as it was sent`() throws {
    #expect(try findings(12) { $0.setRaw("n", 12, to: "le+vel") } == ["plus-in-name: n is sent as \"le+vel\"."])
  }
}

/// A capture ends where the tester stops: what is certain is a finding, what is not is left open with its request.
@Suite("The end of a capture")
struct CaptureEndTests {
  /// The clean life up to an entry with changes, what is found in it, and what is left open.
  struct End: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let last: Int
    let found: [String]
    let open: [String]
    let plant: @Sendable (inout PlantedLife) -> Void

    init(
      _ what: String, last: Int, found: [String] = [], open: [String] = [],
      _ plant: @escaping @Sendable (inout PlantedLife) -> Void = { _ in }
    ) {
      (testDescription, self.last, self.found, self.open, self.plant) = (what, last, found, open, plant)
    }
  }

  @Test(arguments: ends)
  func end(_ end: End) throws {
    var life = try PlantedLife()
    life.requests.removeSubrange(end.last...)
    end.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.text == end.found)
    #expect(checked.open.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } == end.open)
  }

  private static func move(_ entry: Int, by seconds: Int64, _ life: inout PlantedLife) {
    life.requests[entry - 1].at = life.requests[entry - 1].at?.advanced(by: TimeSpan(seconds: seconds))
  }

  private static let failed = #"{"status":"error","reason":"try later"}"#
  private static let refused = #"{"status":"error","reason":"no device ID supplied"}"#

  private static let ends: [End] = [
    End("Nothing is left open", last: 5),
    End(
      "An event from the app alone", last: 4,
      open: ["4 event-not-forwarded: the capture ends 0 s after"]),
    End(
      "An event from the app alone, and a session a minute later", last: 7,
      found: ["4 event-not-forwarded: tutorial was not reported."]
    ) { life in
      life.requests.remove(at: 4)
    },
    End("A minute is enough", last: 5, found: ["2 event-not-forwarded: a session was not reported."]) { life in
      life.requests.remove(at: 2)
      life.requests[2].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 58))
      life.requests[3].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 60))
    },
    End("59 s are not", last: 5, open: ["2 event-not-forwarded: the capture ends 59 s after"]) { life in
      life.requests.remove(at: 2)
      life.requests[2].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 57))
      life.requests[3].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 59))
    },
    End("An event from the server alone", last: 5, open: ["5 event-not-updated: the capture ends 0 s after"]) { life in
      life.makeStale(5)
      life.requests.remove(at: 3)
    },
    End("A session without an update", last: 9, open: ["9 event-not-updated: the capture ends 0 s after"]) { life in
      life.requests.remove(at: 7)
    },
    End(
      "Old metadata, which a new value must have moved", last: 5,
      found: [
        "5 metadata-stale: the last call is 1767229201, as in the request for the value (entry 4), whose answer moves it."
      ]
    ) { $0.makeStale(5) },
    End(
      "Old metadata of the same value, a day after the last call", last: 9,
      found: [
        "9 metadata-stale: the last call is 1767232801, as in the request for the value (entry 8), whose answer moves it."
      ]
    ) { $0.makeStale(9) },
    End(
      "Old metadata of the same value, minutes after the last call", last: 5,
      open: ["5 metadata-stale: no conversion_value follows"]
    ) { life in
      life.makeStale(5)
      life.answer(4, #"{"conversion_value":1,"skan_updated_coarse_value":0,"status":"ok"}"#)
    },
    End("Old metadata after an answer without a value", last: 5) { life in
      life.makeStale(5)
      life.answer(4, #"{"status":"ok"}"#)
    },
    End("A refusal is final", last: 5, found: ["5 request-refused: the answer is: no device ID supplied."]) {
      $0.answer(5, refused)
    },
    End(
      "An error may be tried again", last: 5,
      open: ["5 error-taken-as-delivered: the capture ends 0 s after"]
    ) { $0.answer(5, failed) },
    End("No answer may be tried again", last: 3, open: ["3 failure-not-retried: the capture ends 0 s after"]) {
      $0.answer(3, "", status: 503)
    },
    End(
      "A report that an update has still to follow", last: 2,
      open: ["1 reported-before-updated: the capture ends 2 s after"]
    ) { life in
      move(1, by: 3597, &life)
    },
  ]

  @Test func `What an earlier install left open stays open`() throws {
    var life = try PlantedLife()
    life.requests.removeSubrange(5...)
    life.makeStale(5)
    life.requests[3].answer = .status(200)
    var next = life.requests[0]
    next.at = Instant(microseconds: 1_771_000_000_000_000)
    life.requests.append(next)
    for name in ["skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp", "utime"] {
      life.set(name, [6], to: "1771000000")
    }
    let checked = try Checked(life.requests)
    #expect(checked.open.map(\.rule) == [.metadataStale], "\(checked.text)")
  }

  @Test func `Ten phones with addresses are enough to compare them, also where they differ`() throws {
    let life = try PlantedLife().requests
    var requests: [CapturedRequest] = []
    for number in 1...10 {
      var phone = try PlantedLife()
      phone.requests = [life[0]]
      phone.set("idfv", [1], to: "21DB6612-09B3-4ECC-84AC-0000000000\(10 + number)")
      phone.set("ip", [1], to: "172.58.29.\(number)")
      requests += phone.requests
      let gap = try Checked(requests).summary.gap(of: .sameAddress)
      #expect((gap == nil) == (number >= 3), "\(number)")
    }
  }
}

/// What is just right, and what is just wrong.
@Suite("The clean life at the edges of the rules")
struct EdgeTests {
  /// A change of the clean life, and the rules that fire then.
  struct Edge: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rules: [TrafficRule]
    let plant: @Sendable (inout PlantedLife) -> Void

    init(_ what: String, _ rules: [TrafficRule], _ plant: @escaping @Sendable (inout PlantedLife) -> Void) {
      (testDescription, self.rules, self.plant) = (what, rules, plant)
    }
  }

  @Test(arguments: edges)
  func edge(_ edge: Edge) throws {
    var life = try PlantedLife()
    edge.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.rules == edge.rules.map(\.id), "\(checked.text)")
  }

  private static let lastCall = "skan_last_call_to_skadnetwork_timestamp"
  /// 48 hours after the first call.
  private static let endOfP0 = "1767398400"

  /// An entry is sent several times, one after the other, and is never taken.
  private static func fail(_ entry: Int, times: Int, _ life: inout PlantedLife) {
    life.answer(entry, "", status: 503)
    for _ in 1..<times { life.requests.insert(life.requests[entry - 1], at: entry) }
  }

  /// Metadata from before the answer, at some of the reports that follow one.
  private static func makeStale(_ life: inout PlantedLife, _ choose: ([Int]) -> [Int]) {
    let conversions = life.conversions
    for entry in choose(life.forwarded.filter { conversions.contains($0 - 1) }) { life.makeStale(entry) }
  }

  private static let edges: [Edge] = [
    Edge("A lock in the last second of its window", []) { $0.set("p0_window_lock", Array(18...40), to: "1767398399") },
    Edge("A lock at the end of its window", [.lockOutsideWindow]) {
      $0.set("p0_window_lock", Array(18...40), to: endOfP0)
    },
    Edge("A last call of the first day after one of the third week", [.lastCallWentBack]) {
      $0.set(lastCall, [36], to: "1767229201")
    },
    Edge("A value in the first second of its window", []) { $0.set(lastCall, [17, 18], to: endOfP0) },
    Edge("A request five minutes after the last window: the clocks may differ", []) {
      $0.requests[35].at = Instant(microseconds: 1_770_249_900_000_000)
      $0.requests[36].at = Instant(microseconds: 1_770_249_902_000_000)
    },
    Edge("Five tries, and then given up", []) { fail(35, times: 5, &$0) },
    Edge("Four tries, and then given up", [.failureNotRetried]) { fail(35, times: 4, &$0) },
    Edge("The capture ends before the report comes", []) { $0.requests.removeSubrange(34...) },
    Edge("The capture begins in the middle", []) { $0.requests.removeFirst(11) },
    Edge("Metadata is behind twice", [.metadataStale]) { life in makeStale(&life) { Array($0.prefix(2)) } },
    Edge("Metadata is behind four times, and was not before", [.metadataStale]) { life in
      makeStale(&life) { Array($0.suffix(4)) }
    },
    Edge("A report a minute before its update", [.reportedBeforeUpdated]) { life in
      life.report(35, before: 34)
      life.requests[34].at = life.requests[33].at?.advanced(by: TimeSpan(seconds: 60))
    },
    Edge("A report more than a minute before its update", []) { life in
      life.report(35, before: 34)
      life.requests[34].at = life.requests[33].at?.advanced(by: TimeSpan(seconds: 61))
    },
    Edge("A report that another clock put before its update", []) { $0.requests.swapAt(33, 34) },
    Edge("A report of a clock that is behind: it shows the update that comes after it", []) { life in
      life.requests.swapAt(33, 34)
      (life.requests[33].at, life.requests[34].at) = (life.requests[34].at, life.requests[33].at)
    },
    Edge("The capture begins with a report", [.eventBeforeSession]) { life in
      life.requests.removeFirst(34)
      life.requests[0].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: -2))
      life.set("n", [2], to: life.value("n", 1))
      life.requests.removeSubrange(2...)
    },
    Edge("A report ten minutes ahead: the clocks may differ", []) { life in
      life.set("utime", [37]) { $0.flatMap { Int64($0) }.map { "\($0 + 600)" } }
    },
    Edge("A report more than ten minutes ahead", [.timeAhead]) { life in
      life.set("utime", [37]) { $0.flatMap { Int64($0) }.map { "\($0 + 601)" } }
      life.requests.removeSubrange(37...)
    },
    Edge("A new install, at a time before that of the old one's last request", [.timeWentBack]) { life in
      life.requests.append(life.requests[life.launches[0] - 1])
      let entry = life.requests.count
      life.requests[entry - 1].at = Instant(microseconds: 1_771_000_000_000_000)
      for name in ["skan_first_call_to_skadnetwork_timestamp", lastCall] { life.set(name, [entry], to: "1771000000") }
    },
    Edge("A table that cannot be read is laid beside no other", [.jsonDamaged]) {
      $0.set("skan_total_revenue_by_currency", [$0.conversions[8]], to: "{")
    },
    // Of the app and of its server, whose request comes behind it.
    Edge(
      "The tables around one that cannot be read are laid beside each other",
      [.jsonDamaged, .revenueShrank, .totalNotSum]
    ) { life in
      let entry = life.conversions[8]
      life.set("skan_total_revenue_by_currency", [entry, entry + 1], to: "{")
      life.add(-1, "USD", to: "skan_total_revenue_by_currency", Array((entry + 2)...life.requests.count))
    },
  ]
}

/// The page marks the row of a parameter by what its finding says, and never by the words of a message.
@Suite("The parameters of a finding")
struct FindingParameterTests {
  /// Rules about a request as a whole, or about its answer.
  private static let whole: Set<TrafficRule> = [
    .answerUnusable, .bodySent, .conversionError, .duplicateRequest, .errorTakenAsDelivered, .eventBeforeSession,
    .eventNotForwarded, .eventNotUpdated, .failureNotRetried, .jsonBody, .metadataMissing, .metadataNames,
    .methodNotTaken, .parametersUnreadable, .plainHTTP, .refusalRepeated, .reportedBeforeUpdated, .requestRefused,
    .retryOvertaken, .sessionNotUpdated,
  ]

  private static let documented = Set(QueryParameter.names + RequestParameter.all.map(\.name))

  /// The findings of the capture in which a rule fires, each with its request.
  private func findings(_ rule: TrafficRule) throws -> [(finding: TrafficFinding, sent: SentParameters?)] {
    let folder = Checkout.fixtures.appending(path: "traffic/rules")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasPrefix("\(rule.id).") })
    let requests = try Captured(fixture: "rules/\(name)").requests
    return try Checked(requests, rule.context).findings.map { finding in
      (finding, requests.first { $0.location == finding.location }?.sent)
    }
  }

  @Test("Each rule names them, or is about the whole request", arguments: TrafficRule.allCases)
  func rule(rule: TrafficRule) throws {
    for (finding, sent) in try findings(rule) {
      #expect(finding.parameters.isEmpty == Self.whole.contains(rule), "\(finding.message)")
      // Other names are English words, and conversion_value is an endpoint, too.
      let words = finding.message.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      let named =
        Self.whole.contains(rule)
        ? [] : words.filter { $0.contains("_") && $0 != "conversion_value" && Self.documented.contains($0) }
      #expect(Set(named).isSubset(of: finding.parameters), "\(finding.message) \(finding.parameters)")
      for name in finding.parameters {
        let isSent = sent?.items.contains { $0.name == name } ?? false
        #expect(isSent || Self.documented.contains(name), "\(name)")
      }
      #expect(Set(finding.parameters).count == finding.parameters.count)
    }
  }

  /// A sentence about another parameter contains words such as "a", "n" or "e".
  @Test("A planted mistake is about its parameter alone", arguments: ["p", "n", "i", "v", "idfv", "app_v"])
  func planted(name: String) throws {
    var life = try PlantedLife()
    life.set(name, [12], to: nil)
    let request = try #require(CheckedRequest(life.requests[11], kind: .conversionValue(.v2), in: JSONDocument()))
    #expect(ParameterRules.findings(request, in: TrafficContext()).map(\.parameters) == [[name]])
  }
}
