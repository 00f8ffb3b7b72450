import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("Both sides of every limit")
struct LimitTests {
  private static let location = CaptureLocation(file: "a", entry: 1, line: 1)

  @Test("The secrets of a request, and the texts in messages")
  func texts() throws {
    expectLimit(100, "secrets") { count in
      TrafficSecrets.text("x", without: (0..<count).map { "secret-\($0)" }) == "x"
    }
    expectLimit(40, "a text of a capture") { CaptureProblem.shown(String(repeating: "x", count: $0)).count == $0 + 2 }
    try expectLimit(40, "a time of the device") { count in
      let text = String(repeating: "x", count: count)
      let request = #""headers":[{"name":"x-skan-device-time","value":"\#(text)"}]"#
      return try Captured(har(request: request)).tally.remarks.first?.message.contains("\"\(text)\"") == true
    }
    expectLimit(16, "a method") { count in
      var request = CapturedRequest(.get("https://s2s.singular.net/api/v1/launch"), location: Self.location)
      request.request.method = String(repeating: "X", count: count)
      let message = TransportRules.findings(request, .launch).first?.message ?? ""
      return message.contains("the method is \(request.request.method),")
    }
  }

  @Test("The hosts, problems and remarks that are kept apart")
  func tally() {
    func tally(_ count: Int) -> CaptureTally {
      var tally = CaptureTally()
      for number in 0..<count {
        tally.count(other: "h\(number)")
        tally.add(CaptureProblem("\(number)", at: Self.location))
        tally.remark(CaptureProblem("\(number)", at: Self.location))
      }
      return tally
    }
    expectLimit(1000, "hosts") { tally($0).others["other hosts"] == nil && tally($0).otherCount == $0 }
    for (what, kept, more) in [
      ("problems", \CaptureTally.problems, \CaptureTally.moreProblems), ("remarks", \.remarks, \.moreRemarks),
    ] {
      expectLimit(100, what) { count in
        let tally = tally(count)
        #expect(tally[keyPath: kept].count + tally[keyPath: more] == count)
        return tally[keyPath: more] == 0
      }
    }
  }

  @Test("The hosts of hidden requests, and the periods in which they may be")
  func hidden() {
    expectLimit(16, "hosts") { count in
      var hidden = HiddenRequests()
      for number in 0..<count { hidden.add(.all, .tunnel(host: "h\(number)"), at: nil, Self.location) }
      return hidden.reason(for: .launch)?.components(separatedBy: "; ").count == count
    }
    expectLimit(1024, "periods") { count in
      var hidden = HiddenRequests()
      for number in 1...count { hidden.add(.launch, .entry, at: Int64(number) * 3600, Self.location) }
      // Between the last two, whose periods are one beyond the limit.
      let middle = Int64(count) * 3600 - 1800
      return !hidden.mayBe(Absence(kinds: .launch, from: middle, to: middle))
    }
  }

  @Test("The characters of an entry that are mended, and the lines that may precede a log's first request")
  func formats() throws {
    try expectLimit(64, "characters") { count in
      let text = String(repeating: "\u{1}", count: count)
      return try Captured(har(response: #"{"status":200,"content":{"text":"\#(text)"}}"#)).problems.isEmpty
    }
    let line = #"::1 - - [01/Jan/2026:00:00:00 +0000] "GET /api/v1/evt?n=a HTTP/1.1" 200 5"#
    try expectLimit(99, "lines") { count in
      try Captured(String(repeating: "started\n", count: count) + line).requests.count == 1
    }
  }

  @Test("An entry of a HAR, between two chunks of the file, and the next one")
  func entry() {
    let text = Array(#""\#(String(repeating: "x", count: (1 << 20) - 3))","#.utf8)
    expectLimit(64 << 20, "bytes") { count in
      var (scanner, entries) = (HARScanner(), [Int?]())
      func scan(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { scanner.scan($0) { entry, _ in entries.append(entry?.count) } }
      }
      scan(Array(#"{"log":{"entries":["#.utf8))
      scan(Array("[".utf8))
      for _ in 0..<63 { scan(text) }
      scan(Array(repeating: UInt8(ascii: " "), count: count - 1 - 63 * text.count))
      scan(Array("1],{}]}}".utf8))
      #expect(entries.count == 2 && entries.last == 2)
      return entries.first == count + 2
    }
  }

  @Test("The phones that registered in one second, among which two halves of a phone are found")
  func phones() throws {
    let split = try PlantedLife().requests.prefix(3)
    try expectLimit(63, "phones") { count in
      var requests: [CapturedRequest] = []
      var other = try PlantedLife()
      other.requests = [other.requests[2]]
      for number in 0..<count {
        other.set("idfv", [1], to: "21DB6612-09B3-4ECC-84AC-0000000001\(number < 10 ? "0" : "")\(number)")
        other.set("skan_last_call_to_skadnetwork_timestamp", [1], to: "\(1_767_240_000 + number)")
        requests += other.requests
      }
      var life = try PlantedLife()
      life.requests = Array(split)
      life.set("idfv", life.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000002")
      return try Checked(requests + life.requests).rules.contains("idfv-differs")
    }
  }
}
