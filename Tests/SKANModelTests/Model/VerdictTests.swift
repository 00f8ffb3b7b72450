import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The verdict on a phone")
struct VerdictTests {
  private static let ladder = [
    Part.fine(30, Part.revenue(10, nil)), Part.fine(10, Part.event("x")), Part.fine(20, Part.revenue(1, nil)),
  ]
  private static let coarse = (low: Part.event("x"), medium: Part.revenue(1, nil), high: Part.revenue(10, nil))

  private func verdict(_ lock: String = "", _ phone: TestHistory) throws -> ModelVerdict {
    let windows = (0...2).map {
      Part.window($0, low: Self.coarse.low, medium: Self.coarse.medium, high: Self.coarse.high, lock: lock)
    }
    return try Models.read(Part.model(fine: Self.ladder, windows: windows)).verdict(on: phone, rates: ExchangeRates())
  }

  @Test(
    "The highest that holds, never below the current one, only in the first window",
    arguments: [
      (1, 0, 0, 0, 0), (1, 1, 0, 0, 10), (1, 1, 1, 0, 20), (1, 0, 10, 0, 30), (1, 1, 1, 25, 25), (1, 1, 10, 25, 30),
      (1, 1, 10, 63, 63), (47.9999, 1, 10, 0, 30), (48, 1, 10, 0, 0), (48, 1, 10, 12, 12), (168, 1, 10, 12, 12),
      (839, 0, 0, 5, 5),
    ] as [(Double, Int64, Double, Int64, Int64)])
  func fine(hours: Double, events: Int64, revenue: Double, current: Int64, expected: Int64) throws {
    let phone = TestHistory.at(hours: hours, iap: ["USD": revenue], counts: ["x": events], event: "x", fine: current)
    #expect(try verdict(phone).fine == expected)
  }

  private func verdict(_ phone: TestHistory) throws -> ModelVerdict { try verdict("", phone) }

  @Test(
    "The highest coarse value, in every window; absent when none holds",
    arguments: [
      (0, 0, nil), (1, 0, .low), (0, 1, .medium), (1, 1, .medium), (0, 10, .high), (1, 99, .high),
    ] as [(Int64, Double, CoarseValue?)])
  func coarse(events: Int64, revenue: Double, expected: CoarseValue?) throws {
    for hours in [0, 47, 48, 167, 168, 839.0] {
      #expect(try verdict(.at(hours: hours, ads: ["USD": revenue], counts: ["x": events])).coarse == expected)
    }
  }

  @Test(
    "Locks: reached or passed, or this very event",
    arguments: [
      ("", 99, "x", 63, false), (#""lock_window_fine_conversion_value":20"#, 0, "x", 0, false),
      (#""lock_window_fine_conversion_value":20"#, 1, "x", 0, true),
      (#""lock_window_fine_conversion_value":20"#, 10, "x", 0, true),
      (#""lock_window_fine_conversion_value":20"#, 0, "x", 21, true),
      (#""lock_window_coarse_conversion_value":"MEDIUM""#, 0, "x", 0, false),
      (#""lock_window_coarse_conversion_value":"MEDIUM""#, 1, "x", 0, true),
      (#""lock_window_coarse_conversion_value":"MEDIUM""#, 10, "x", 0, true),
      (#""lock_window_coarse_conversion_value":"HIGH""#, 9.99, "x", 0, false),
      (#""lock_window_event":"x""#, 0, "x", 0, true), (#""lock_window_event":"x""#, 99, "__SESSION__", 0, false),
      (#""lock_window_event":"x""#, 99, "X", 0, false),
    ] as [(String, Double, String, Int64, Bool)])
  func locks(lock: String, revenue: Double, event: String, current: Int64, isLocking: Bool) throws {
    let phone = TestHistory.at(iap: ["USD": revenue], counts: ["x": 1], event: event, fine: current)
    #expect(try verdict(lock, phone).locks == isLocking)
  }

  @Test("No coarse value locks no window")
  func absentCoarse() throws {
    #expect(try !verdict(#""lock_window_coarse_conversion_value":"LOW""#, .at()).locks)
  }

  @Test("All entries of a mapping must hold")
  func conjunction() throws {
    let model = try Models.read(Part.model(fine: [Part.fine(7, Part.event("a"), Part.count("b", 2, nil))]))
    for (a, b, fine) in [(1, 2, 7), (0, 2, 0), (1, 1, 0), (3, 3, 7)] as [(Int64, Int64, Int64)] {
      #expect(try model.verdict(on: .at(counts: ["a": a, "b": b]), rates: ExchangeRates()).fine == fine)
    }
  }

  @Test("A mapping that asks for nothing always holds")
  func anything() throws {
    let model = try Models.read(Part.model(fine: [Part.fine(3)]))
    #expect(try model.verdict(on: .at(), rates: ExchangeRates()).fine == 3)
  }

  @Test("Hours beyond every clock are no crash")
  func hugeHours() throws {
    let huge =
      #""min_time_post_install_hours":"9223372036854775806","max_time_post_install_hours":"9223372036854775807""#
    let model = try Models.read(
      Part.model(fine: [Part.fine(3, hours: huge)], #""measurement_window_hours":"9223372036854775807""#))
    #expect(try model.verdict(on: .at(), rates: ExchangeRates()).fine == 0)
  }
}
