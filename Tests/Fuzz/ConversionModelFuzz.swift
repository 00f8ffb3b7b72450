import SKANBase

@testable import SKANDevice
@testable import SKANModel

// Drives the model reader with anything at all: nothing may crash, a model that is read can be checked, explained and
// evaluated, and what it gives stays in range.

private func evaluate(_ model: ConversionModel) {
  _ = model.problems
  _ = model.tables
  let events = EventNames(model.eventNames)
  let plan = ModelPlan(model, events)
  var windows = PerWindow<[String: Int64]>(repeating: [:])
  for window in ConversionWindow.allCases { windows[window] = ["a": 2, "__SESSION__": 1] }
  var counts = EventCounts(windows)
  counts.use(events)
  for window in ConversionWindow.allCases {
    let phone = PhoneHistory(
      elapsed: TimeSpan(seconds: 3600 as Int64), window: window,
      revenue: WindowRevenue(iap: RevenueTable([("USD", 9.99)]), ads: RevenueTable([("EUR", 1)])),
      event: events.index(of: "a"), currentFine: 7)
    guard let verdict = try? plan.verdict(on: phone, &counts, ExchangeRates()) else { continue }
    precondition((7...63).contains(verdict.fine), "a fine value below the current one, or out of range")
    precondition(window == .p0 || verdict.fine == 7, "a fine value after the first window")
  }
}

/// What is read can be evaluated, and is the same when it is written and read again.
func fuzzModel(_ bytes: [UInt8]) {
  guard let model = value(of: bytes, { (bytes) throws(SourceProblems) in try ConversionModel(bytes) }) else { return }
  evaluate(model)
}
