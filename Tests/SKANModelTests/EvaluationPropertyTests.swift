import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Properties of the evaluation")
struct EvaluationPropertyTests {
  @Test("Never below the current value, and unchanged in later windows", arguments: Models.examples)
  func neverBelow(name: String) throws {
    let model = try Models.example(name)
    var generator = SplitMix64(seed: 1)
    for _ in Rounds.of(100) {
      let phone = TestHistory.random(using: &generator)
      let verdict = try model.verdict(on: phone, rates: ExchangeRates())
      #expect(verdict.fine >= phone.currentFine)
      if phone.window != .p0 { #expect(verdict.fine == phone.currentFine) }
      #expect(verdict.fine == phone.currentFine || model.fine.contains { $0.value == verdict.fine })
    }
  }

  @Test("Asked again with its own answer a model says the same", arguments: Models.examples)
  func idempotent(name: String) throws {
    let model = try Models.example(name)
    var generator = SplitMix64(seed: 2)
    for _ in Rounds.of(100) {
      var phone = TestHistory.random(using: &generator)
      let first = try model.verdict(on: phone, rates: ExchangeRates())
      phone.currentFine = first.fine
      #expect(try model.verdict(on: phone, rates: ExchangeRates()) == first)
    }
  }

  @Test("More revenue never lowers a value", arguments: ["ad-revenue", "all-revenue", "iap-revenue"])
  func monotonic(name: String) throws {
    let model = try Models.example(name)
    var generator = SplitMix64(seed: 3)
    for _ in Rounds.of(100) {
      var phone = TestHistory.random(using: &generator)
      phone.currentFine = 0
      let amounts = [0...2.0, 0...30, 0...400].map { Double.random(in: $0, using: &generator) }.sorted()
      var last: (fine: Int64, coarse: Int64) = (0, -1)
      for amount in amounts {
        phone.revenue.iap = RevenueTable(["USD": amount])
        phone.revenue.ads = RevenueTable(["USD": amount])
        let verdict = try model.verdict(on: phone, rates: ExchangeRates())
        let now = (fine: verdict.fine, coarse: verdict.coarse?.number ?? -1)
        #expect(now.fine >= last.fine && now.coarse >= last.coarse, "\(amounts)")
        last = now
      }
    }
  }

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

  @Test("The order of the fine mappings in the file does not matter", arguments: Models.examples)
  func order(name: String) throws {
    let model = try Models.example(name)
    var generator = SplitMix64(seed: 5)
    for _ in Rounds.of(50) {
      var shuffled = model
      shuffled.fine.shuffle(using: &generator)
      let phone = TestHistory.random(using: &generator)
      #expect(
        try shuffled.verdict(on: phone, rates: ExchangeRates()) == model.verdict(on: phone, rates: ExchangeRates()))
    }
  }
}
