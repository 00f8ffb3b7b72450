import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Values that are never reached")
struct ReachabilityTests {
  private static let hours = [(0, 48), (0, 12), (12, 48), (12, 24), (24, 48), (0, 24)]

  private func randomModel(_ generator: inout SplitMix64) throws -> ConversionModel {
    let mappings = (1...5).map { value in
      let entries = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        let start = Int.random(in: 1...3, using: &generator)
        let name = ["a", "b"].randomElement(using: &generator) ?? "a"
        return Part.count(name, start, [nil, start, start + 1].randomElement(using: &generator) ?? nil)
      }
      let (from, to) = Self.hours.randomElement(using: &generator) ?? (0, 48)
      let hours = #""min_time_post_install_hours":\#(from),"max_time_post_install_hours":\#(to)"#
      return entries.count == 1
        ? Part.fine(value, entries[0], hours: hours) : Part.fine(value, entries[0], entries[1], hours: hours)
    }
    return try Models.read(Part.model(fine: mappings))
  }

  @Test("It is said of just those values that are never the answer")
  func allLives() throws {
    var generator = SplitMix64(seed: 8)
    var toldInAll = 0
    let rounds = Rounds.of(40).count
    for _ in 0..<rounds {
      let model = try randomModel(&generator)
      var answers: Set<Int64> = []
      for hour in [0.0, 11.9, 12, 23.9, 24, 47.9] {
        for a in 0...6 as ClosedRange<Int64> {
          for b in 0...6 as ClosedRange<Int64> {
            let phone = TestHistory.at(hours: hour, counts: ["a": a, "b": b], event: "a")
            answers.insert(try model.verdict(on: phone, rates: ExchangeRates()).fine)
          }
        }
      }
      let reported = model.problems.problems.map(\.message).filter { $0.contains("is never reached") }
      toldInAll += reported.count
      for value in 1...5 as ClosedRange<Int64> {
        let isTold = reported.contains { $0.hasPrefix("fine value \(value) is") }
        #expect(isTold == !answers.contains(value), "\(value): \(reported), \(model.fine)")
      }
    }
    #expect(toldInAll > rounds * 2 / 3)
  }
}
