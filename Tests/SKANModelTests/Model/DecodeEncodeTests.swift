import Testing

@testable import SKANDevice
@testable import SKANModel

/// What a value stands for gives a phone, which gives that value again.
@Suite("Decode of encode is the identity")
struct DecodeEncodeTests {
  /// A phone that did exactly what a mapping asks for, in a window.
  private func phone(_ mapping: ValueMapping, in window: ConversionWindow) -> TestHistory {
    let begins: Int64 =
      switch window {
      case .p0: 0
      case .p1: 48
      case .p2: 168
      }
    var phone = TestHistory.at(hours: Double(max(begins, mapping.minHours ?? 0)))
    for event in mapping.events {
      if !event.isRevenueOnly {
        phone.counts[window][event.name] = event.occurrence?.min ?? 1
        phone.eventName = event.name
      }
      let currency = event.currency ?? "USD"
      guard let least = event.revenue?.min ?? (event.isRevenueOnly ? 0.01 : nil) else { continue }
      if event.name == MappedEvent.adRevenue {
        phone.revenue.ads[currency] = least
      } else {
        phone.revenue.iap[currency] = least
      }
    }
    return phone
  }

  @Test("Fine values", arguments: Models.examples)
  func fine(name: String) throws {
    let model = try Models.example(name)
    #expect(!model.fine.isEmpty)
    for step in model.fine {
      let phone = phone(step.mapping, in: .p0)
      #expect(phone.window == .p0)
      let verdict = try model.verdict(on: phone, rates: ExchangeRates())
      #expect(verdict.fine == step.value)
      #expect(model.fine.first { $0.value == verdict.fine }?.mapping == step.mapping)
    }
  }

  @Test("Coarse values of every window", arguments: Models.examples)
  func coarse(name: String) throws {
    let model = try Models.example(name)
    for window in ConversionWindow.allCases {
      #expect(model.windows[window].coarse.map(\.value) == [.low, .medium, .high])
      for step in model.windows[window].coarse {
        let phone = phone(step.mapping, in: window)
        #expect(phone.window == window)
        let verdict = try model.verdict(on: phone, rates: ExchangeRates())
        #expect(verdict.coarse == step.value)
        #expect(model.windows[window].coarse.first { $0.value == verdict.coarse }?.mapping == step.mapping)
      }
    }
  }

  @Test(
    "In words",
    arguments: [
      (Part.event("__SESSION__"), "a session at least once"),
      (Part.count("__SESSION__", 2, 2), "a session exactly 2 times"), (Part.count("buy", 1, 1), "buy exactly once"),
      (Part.count("buy", 2, nil), "buy at least 2 times"), (Part.count("buy", 2, 5), "buy 2 to 5 times"),
      (Part.event("__REVENUE__"), "any revenue"),
      (Part.revenue(1, 2.5), "revenue from 1 to below 2.5 USD"),
      (Part.revenue(1, nil, "__IAP_REVENUE__", currency: "EUR"), "in-app purchase revenue of at least 1 EUR"),
      (Part.revenue(1, 2, "buy"), "buy at least once with revenue from 1 to below 2 USD"),
      (Part.event("__ADMON_REVENUE__", #""event_revenue_value":3"#), "ad revenue of at least 3 USD"),
    ])
  func words(event: String, words: String) throws {
    #expect(try Models.read(Part.model(fine: [Part.fine(1, event)])).fine.map(\.mapping.displayText) == [words])
  }
}
