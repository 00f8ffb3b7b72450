import Testing

@testable import SKANModel

@Suite("What a valid model cannot say")
struct ModelLimitTests {
  @Test("The examples say it all", arguments: Models.examples)
  func examples(name: String) throws { #expect(try Models.example(name).limits.isEmpty) }

  private static func coarse(_ windows: Int...) -> [String] { windows.map { Part.window($0, low: Part.event("a")) } }

  @Test(
    "Warnings with codes",
    arguments: [
      ([Part.fine(1, Part.event("a"))], [], nil, [ModelWarning.noCoarseValue]),
      ([Part.fine(1, Part.event("a"))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.event("a"))], coarse(1, 2), nil, [.windowWithoutCoarse]),
      ([Part.fine(1, Part.event("a"))], coarse(0), nil, [.windowWithoutCoarse, .windowWithoutCoarse]),
      // The measurement ends before the window begins, or just after.
      ([Part.fine(1, Part.event("a"))], coarse(0), 48, []),
      ([Part.fine(1, Part.event("a"))], coarse(0), 49, [.windowWithoutCoarse]),
      ([], coarse(0, 1, 2), nil, [.coarseWithoutFine]), ([], coarse(1, 2), nil, [.windowWithoutCoarse]),
      ([Part.fine(1, Part.revenue(4.99, nil))], coarse(0, 1, 2), nil, [.boundaryAtPrice]),
      // Single precision holds 5, rounds 0.99 up and 9.99 down; an end is no boundary of its own.
      ([Part.fine(1, Part.revenue(5, nil))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.revenue(0.99, nil))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.revenue(5, 9.99))], coarse(0, 1, 2), nil, []),
      // Both are rounded down; one looks like a price.
      ([Part.fine(1, Part.revenue(0.90, nil))], coarse(0, 1, 2), nil, [.boundaryAtPrice]),
      ([Part.fine(1, Part.revenue(0.48, nil))], coarse(0, 1, 2), nil, []),
    ] as [([String], [String], Int64?, [ModelWarning])])
  func limits(fine: [String], coarse: [String], hours: Int64?, expected: [ModelWarning]) throws {
    var model = try Models.read(Part.model(fine: fine, windows: coarse))
    model.measurementHours = hours
    #expect(model.limits.map(\.warning) == expected)
    #expect(model.limits.allSatisfy { $0.problem.message.hasSuffix(" [\($0.warning.rawValue)]") })
  }
}
