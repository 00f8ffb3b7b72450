import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

/// What a rule remembers of earlier requests, and what it forgets.
@Suite("What rules remember")
struct RuleDetailTests {
  private func rules(_ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    return try Checked(life.requests).rules
  }

  @Test("An answer of evt may give values up to 63", arguments: [(63, ["answer-not-shown"]), (64, [])])
  func largest(value: Int, expected: [String]) throws {
    #expect(try rules { $0.answer(5, #"{"status":"ok","conversion_value":\#(value)}"#) } == expected)
  }

  @Test("After an answer that crashes the snippet any value may follow") func afterAnswer() throws {
    let found = try rules { $0.answer(6, #"{"conversion_value":10,"skan_updated_lock_window_value":null}"#) }
    #expect(found == ["answer-unusable"])
  }

  @Test("A later report of the same event decides whether its metadata is stale") func laterReport() throws {
    let found = try rules { life in
      life.requests.insert(life.requests[12], at: 12)
      life.makeStale(13)
    }
    #expect(found == ["event-not-updated"])
  }

  @Test("The device of a request with a JSON body is that of its query") func deviceRequest() throws {
    let life = try PlantedLife()
    var request = life.requests[37]
    request.request.body = Array("[]".utf8)
    var checker = TrafficChecker()
    _ = checker.check(request, kind: .launch)
    #expect(checker.device?.id == "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    request.request.target.query = "a=1"
    _ = checker.check(request, kind: .launch)
    #expect(checker.device == nil)
  }

  @Test(
    "A half of a phone that another device has is not missing, however many requests there are", arguments: [3, 80])
  func halves(events: Int) throws {
    var life = try PlantedLife()
    life.set("idfv", life.forwarded, to: "21DB6612-09B3-4ECC-84AC-000000000002")
    let (before, after) = (life.requests[..<30], life.requests[30...])
    let more = (0..<events).map { number in
      var request = life.requests[29]
      request.request.target.query = request.request.query?.replacing("n=level", with: "n=level\(number)")
      return request
    }
    #expect(Checked(inParts: before + more + after).rules == ["idfv-differs"])
  }

  @Test("An identifier that stands for nothing is a missing one") func identifierStands() throws {
    func rules(_ idfv: String) throws -> [TrafficRule] {
      var life = try PlantedLife()
      life.set("idfv", [12], to: idfv)
      let request = try #require(CheckedRequest(life.requests[11], kind: .conversionValue(.v2), in: JSONDocument()))
      return ParameterRules.findings(request, in: TrafficContext()).map(\.rule)
    }
    #expect(try rules("null") == [.idfvMissing])
    #expect(try rules("nothing") == [.parameterForm])
  }

  @Test("A device of a report counts once in each part") func deviceReport() throws {
    let device = TrafficDevice(app: "com.example.app", kind: .idfv, id: "1")
    var report = TrafficReport(try CapturedTraffic().ordered(), tally: CaptureTally())
    for _ in 0..<2 { report.add(.launch, of: device, .notCaptured) }
    report.add(.launch, of: TrafficDevice(app: "com.example.app", kind: .idfv, id: "2"), .notCaptured)
    for _ in 0..<2 { report.add(.launch, of: nil, .notCaptured) }
    #expect(report.devices.count == 3 && report.counts.devices == 2)
  }

  @Test("A text of an entry has a mebibyte at most", arguments: [(1_048_576, true), (1_048_577, false)])
  func longText(length: Int, isKept: Bool) {
    let head = Array(#"{"log":{"entries":[{"a":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: length)
    var scanner = HARScanner()
    var lengths: [Int] = []
    for chunk in [head, Array(#""}]}}"#.utf8)] {
      chunk.withUnsafeBufferPointer { scanner.scan($0) { entry, _ in lengths.append(entry?.count ?? 0) } }
    }
    #expect(lengths == [(isKept ? length : 0) + 8])
  }
}
