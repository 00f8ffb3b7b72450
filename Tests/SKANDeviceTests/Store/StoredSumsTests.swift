import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

@Suite("Sums of revenue in the store")
struct StoredSumsTests {
  /// Sums after a few changes, most of them of small amounts, so that two of them are often nearly equal.
  private static func sums(_ random: inout SplitMix64) -> StoredSums {
    var sums = StoredSums()
    for _ in 0..<random.next(through: 3) {
      let slot = StoredSums.slots.lowerBound + Int(random.next(through: 1))
      let currency = ["USD", "EUR", "JPY", "odd"][Int(random.next(through: 3))]
      let amount = [0, -0.0, 1, 0.1][Int(random.next(through: 3))]
      switch random.next(through: 3) {
      case 0: sums.set(slot, to: RevenueTable([(currency, amount)]))
      case 1: sums.set(slot, to: random.next(through: 1) == 0 ? nil : RevenueTable())
      default: sums.setSum(slot, currency, CurrencyCode(currency), to: amount)
      }
    }
    return sums
  }

  @Test("Two stores are equal if every table is, however it is kept")
  func equality() {
    var equal = 0
    for seed in Rounds.of(20_000) {
      var random = SplitMix64(seed: UInt64(seed))
      let (one, other) = (Self.sums(&random), Self.sums(&random))
      let expected = StoredSums.slots.allSatisfy { one[$0] == other[$0] }
      #expect((one == other) == expected, "\(seed)")
      equal += expected ? 1 : 0
    }
    #expect(equal > 100)
  }
}
