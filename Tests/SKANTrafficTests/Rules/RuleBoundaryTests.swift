import SKANDevice
import Testing

@testable import SKANTraffic

@Suite("Both sides of each rule")
struct RuleBoundaryTests {
  private func lives(_ pair: RulePair) throws -> [(requests: [CapturedRequest], rules: [String])] {
    try pair.sides.map { side in
      var life = try PlantedLife()
      side.plant(&life)
      return (life.requests, side.rules)
    }
  }

  @Test("Each rule has its pair") func eachRule() {
    #expect(Set(RulePair.all.map(\.rule)) == Set(TrafficRule.allCases))
  }

  @Test("The breach is found, and its neighbour is not", arguments: RulePair.all)
  func sides(pair: RulePair) throws {
    for side in try lives(pair) {
      let checked = try Checked(side.requests, pair.rule.context)
      #expect(checked.rules == side.rules, "\(checked.text)")
    }
  }

  /// Neither another device, of the same times and another app, nor the order of the entries.
  @Test("Another device beside it and entries in reverse change nothing", arguments: RulePair.all)
  func beside(pair: RulePair) throws {
    // The other device has the snippet, which is wrong where all requests are a server's.
    guard try pair.rule.context.client == nil else { return }
    var other = try PlantedLife()
    other.requests.removeSubrange(7...)
    other.set("idfv", other.all, to: "21DB6612-09B3-4ECC-84AC-0000000000FF")
    other.set("i", other.all, to: "com.example.other")
    for side in try lives(pair) {
      // No two of a device at one time; some captures are out of order themselves.
      let times = side.requests.map { $0.at?.wholeSeconds ?? 0 }
      guard times == times.sorted() else { continue }
      var requests = side.requests
      for index in requests.indices {
        requests[index].at = requests[index].at?.advanced(by: TimeSpan(microseconds: Int64(index)))
      }
      let checked = try Checked(files: [other.requests + requests.reversed()])
      #expect(checked.rules == side.rules, "\(checked.text)")
    }
  }
}
