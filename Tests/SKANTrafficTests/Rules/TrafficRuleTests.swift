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

  private static let ends: [End] = [
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
    Edge("A last call of the first day after one of the third week", [.lastCallWentBack]) {
      $0.set(lastCall, [36], to: "1767229201")
    },
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
