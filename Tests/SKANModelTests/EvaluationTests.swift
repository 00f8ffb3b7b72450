import SKANBase
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
    "Revenue is half-open",
    arguments: [
      (0, false), (0.99, false), (1, true), (4.99, true), (5, false), (9, false), (-1, false),
    ])
  func revenue(amount: Double, isIn: Bool) throws {
    #expect(try holds(Part.revenue(1, 5), .at(iap: ["USD": amount])) == isIn)
    // Purchases and ads together.
    #expect(try holds(Part.revenue(1, 5), .at(iap: ["USD": amount - 8], ads: ["USD": 8])) == isIn)
  }

  @Test(
    "Hours are half-open",
    arguments: [(0, false), (0.9999, false), (1, true), (23.9999, true), (24, false), (47, false)])
  func hours(hours: Double, isIn: Bool) throws {
    let limits = #""min_time_post_install_hours":1,"max_time_post_install_hours":24"#
    #expect(try holds(Part.event("x"), hours: limits, .at(hours: hours, counts: ["x": 1])) == isIn)
  }

  @Test(
    "Counts are closed ranges, a counter exactly",
    arguments: [
      (Part.event("x"), [1, 2, 9]), (Part.count("x", 2, 3), [2, 3]), (Part.count("x", nil, 2), [1, 2]),
      (Part.count("x", 2, nil), [2, 3, 4, 9]), (Part.event("x", #""event_counter":3"#), [3]),
      (Part.event("x", #""event_counter":"1""#), [1]),
    ] as [(String, [Int64])])
  func counts(event: String, holding: [Int64]) throws {
    for count in [0, 1, 2, 3, 4, 9] as [Int64] {
      let isIn = try holds(event, .at(counts: ["x": count]))
      #expect(isIn == (holding.contains(count) || (event == Part.event("x") && count > 0)), "\(count)")
    }
    #expect(try !holds(event, .at(counts: ["X": 3])))
  }

  @Test(
    "Names of revenue alone",
    arguments: [
      ("__REVENUE__", 2, 0, true), ("__REVENUE__", 0, 2, true), ("__REVENUE__", 1, 1, true),
      ("__REVENUE__", 3, -2, false), ("__IAP_REVENUE__", 2, 0, true), ("__IAP_REVENUE__", 0, 2, false),
      ("__ADMON_REVENUE__", 2, 0, false), ("__ADMON_REVENUE__", 0, 2, true),
      // Any other name needs its event.
      ("purchase", 2, 0, false),
    ])
  func names(name: String, iap: Double, ads: Double, isIn: Bool) throws {
    let phone = TestHistory.at(iap: ["USD": iap], ads: ["USD": ads])
    #expect(try holds(Part.revenue(2, nil, name), phone) == isIn)
    #expect(try holds(Part.event(name, #""event_revenue_value":2"#), phone) == isIn)
  }

  @Test("Revenue alone without a condition is any; of an event it is not asked")
  func noCondition() throws {
    #expect(try holds(Part.event("__REVENUE__"), .at(ads: ["USD": 0.01])))
    #expect(try !holds(Part.event("__REVENUE__"), .at()))
    #expect(try holds(Part.event("purchase"), .at(counts: ["purchase": 1])))
    #expect(try holds(Part.revenue(2, 5, "purchase"), .at(iap: ["USD": 2], counts: ["purchase": 1])))
    #expect(try !holds(Part.revenue(2, 5, "purchase"), .at(iap: ["USD": 5], counts: ["purchase": 1])))
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
      RevenueTable(amounts), in: CurrencyCode(target), named: target)
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
