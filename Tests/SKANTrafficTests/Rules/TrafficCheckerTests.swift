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

  @Test("Device by device they have the findings that they have one after the other") func deviceBy() throws {
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

  @Test("More requests than are remembered are all reported, once") func moreRequests() throws {
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

  @Test("With a limit, what is remembered does not grow with the devices") func withLimit() throws {
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

  @Test("A limit that is not reached changes nothing") func limitNot() throws {
    let requests = try crowd(60) + life(1)
    var (limited, whole) = (TrafficChecker(limit: 31), TrafficChecker())
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path) else { continue }
      #expect(limited.check(request, kind: kind) == whole.check(request, kind: kind) && limited.ended.isEmpty)
    }
    #expect(limited.finish() == whole.finish() && limited.open == whole.open)
  }

  @Test("An event of V2 belongs to the device that a session names with it") func eventV2() throws {
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

  @Test("Whatever is sent is checked") func whateverSent() throws {
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
