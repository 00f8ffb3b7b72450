import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Evaluation of a model")
struct EvaluationTests {
  /// Whether a mapping of this event holds.
  private func holds(
    _ event: String, hours: String = "", _ phone: TestHistory, rates: String = "{}"
  ) throws -> Bool {
    let model = try Models.read(Part.model(fine: [Part.fine(9, event, hours: hours)]))
    return try model.verdict(on: phone, rates: try ExchangeRates(Array(rates.utf8))).fine == 9
  }

  @Test(
    "Currencies: rates against the dollar, and against the model's own currency",
    arguments: [
      ("USD", #"{"EUR":0.5}"#, ["EUR": 1], 2), ("EUR", #"{"EUR":0.5}"#, ["USD": 4], 2),
      ("EUR", #"{"EUR":0.5,"JPY":100}"#, ["JPY": 400], 2), ("USD", #"{"EUR":0.5}"#, ["EUR": 0.5, "USD": 1], 2),
      ("EUR", #"{"USD":2}"#, ["USD": 4], 2), ("EUR", #"{"JPY":100}"#, ["JPY": 200], 2), ("JPY", "{}", ["JPY": 2], 2),
      ("USD", "{}", ["USD": 2, "EUR": 0], 2),
    ] as [(String, String, [String: Double], Double)])
  func currencies(target: String, rates: String, amounts: [String: Double], sum: Double) throws {
    for kind in ["__REVENUE__", "__IAP_REVENUE__"] {
      let exactly = Part.revenue(sum, sum + 0.001, kind, currency: target)
      #expect(try holds(exactly, .at(iap: amounts), rates: rates))
    }
    let total = try ExchangeRates(Array(rates.utf8)).total(
      RevenueTable(amounts), in: CurrencyCode(target), named: target, at: .listStart)
    #expect(total == sum)
  }

  @Test(
    "A missing rate names its currency",
    arguments: [
      ("USD", "{}", "EUR"), ("EUR", "{}", "USD"), ("USD", #"{"EUR":0.5}"#, "GBP"), ("EUR", #"{"JPY":100}"#, "USD"),
      ("USD", "{}", "usd"), ("USD", "{}", ""),
    ])
  func missingRate(target: String, rates: String, currency: String) throws {
    #expect(throws: RateMissing(currency: currency)) {
      try holds(Part.revenue(1, nil, currency: target), .at(iap: [currency: 1]), rates: rates)
    }
  }

  @Test(
    "Rates that are none",
    arguments: [
      ("[]", 1), (#"{"EUR":0}"#, 1), (#"{"EUR":-1,"usd":1}"#, 2), (#"{"EUR":"1"}"#, 1), (#"{"euro":null}"#, 2), ("", 1),
    ])
  func badRates(text: String, count: Int) {
    let problems = #expect(throws: SourceProblems.self) { try ExchangeRates(Array(text.utf8)) }
    #expect(problems?.problems.count == count)
  }
}
