import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The revenue that a value stands for")
struct RevenueRangeTests {
  /// NAME CURRENCY MIN BELOW, `-` for what is not there.
  private static func event(_ text: String) -> MappedEvent {
    let parts = text.split(separator: " ").map { $0 == "-" ? nil : String($0) }
    return MappedEvent(
      name: parts[0] ?? "", currency: parts[1],
      revenue: parts[2].flatMap(Double.init).map { RevenueCondition(min: $0, max: parts[3].flatMap(Double.init)) })
  }

  @Test(
    "All entries hold at once",
    arguments: [
      ([], "none"), (["purchase - - -"], "none"), (["purchase EUR - -"], "none"),
      (["purchase - 1 5"], "USD 1.0 5.0"), (["purchase EUR 1 -"], "EUR 1.0 -"),
      (["__REVENUE__ USD 1 10", "purchase - 5 20"], "USD 5.0 10.0"),
      (["__IAP_REVENUE__ USD 1 10"], "USD 1.0 10.0"),
      (["__IAP_REVENUE__ USD 1 10", "__ADMON_REVENUE__ USD 2 3"], "USD 3.0 13.0"),
      (["__IAP_REVENUE__ USD 1 10", "__ADMON_REVENUE__ USD 2 -"], "USD 3.0 -"),
      (["__IAP_REVENUE__ USD 1 10", "__ADMON_REVENUE__ EUR 2 3"], "USD 1.0 -"),
      (["__IAP_REVENUE__ USD 1 10", "__REVENUE__ USD 0 5"], "USD 1.0 5.0"),
      (["__IAP_REVENUE__ USD 1 3", "__ADMON_REVENUE__ USD 1 3", "__REVENUE__ USD 0 50"], "USD 2.0 6.0"),
      (["__REVENUE__ EUR 1 2", "__REVENUE__ USD 1 3"], "EUR 1.0 2.0"),
    ])
  func range(events: [String], expected: String) {
    var mapping = ValueMapping()
    mapping.events = events.map(Self.event)
    let range = mapping.revenueRange
    #expect(range.map { "\($0.currency) \($0.min) \($0.below.map { "\($0)" } ?? "-")" } ?? "none" == expected)
  }

  @Test("A user of a range counts for its middle, above the highest end for its beginning")
  func estimate() {
    #expect(RevenueRange(currency: "USD", min: 1, below: 4).estimate == 2.5)
    #expect(RevenueRange(currency: "USD", min: 7, below: nil).estimate == 7)
  }
}
