import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Borders of revenue")
struct RevenueBorderTests {
  @Test("At a border the upper value begins, just below it the lower one still holds")
  func borders() throws {
    var generator = SplitMix64(seed: 4)
    for _ in Rounds.of(50) {
      let low = Double.random(in: 0.01..<50, using: &generator)
      let border = low + .random(in: 0.01..<50, using: &generator)
      let high = border + .random(in: 0.01..<50, using: &generator)
      let model = try Models.read(
        Part.model(fine: [Part.fine(1, Part.revenue(low, border)), Part.fine(2, Part.revenue(border, high))]))
      for (amount, fine) in [
        (low.nextDown, 0), (low, 1), (border.nextDown, 1), (border, 2), (high.nextDown, 2), (high, 0),
      ] {
        #expect(try model.verdict(on: .at(iap: ["USD": amount]), rates: ExchangeRates()).fine == Int64(fine))
      }
    }
  }
}
