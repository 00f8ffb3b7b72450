import Testing

@testable import SKANModel

@Suite("Ranges of revenue in a model")
struct ModelRevenueProblemTests {
  @Test("One that nothing is in is a problem")
  func empty() {
    let problems = Models.complaints(Part.model(fine: [Part.fine(1, Part.revenue(5, 5))]))
    #expect(
      problems.count == 1 && problems[0].hasSuffix(": no revenue is in this range: its end is not part of it"),
      "\(problems)")
  }

  @Test("One may begin beyond whole numbers")
  func huge() throws {
    let event = Part.event("__REVENUE__", #""event_revenue_range":{"min_event_revenue":18446744073709551615}"#)
    let model = try Models.read(Part.model(fine: [Part.fine(1, event)]))
    #expect(model.fine[0].mapping.events[0].revenue == RevenueCondition(min: Double(UInt64.max)))
  }
}
