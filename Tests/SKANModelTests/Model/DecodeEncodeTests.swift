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

@Suite("A coarse value never falls")
struct KeptCoarseTests {
  /// Fine 1 stands for low, 20 for high, 30 for none: it needs no event of the ladder's.
  private static let model = Part.model(
    fine: [
      Part.fine(1, Part.event("__SESSION__")), Part.fine(10, Part.event("trial")), Part.fine(20, Part.event("buy")),
      Part.fine(30, Part.event("other")), Part.fine(40, Part.event("buy"), hours: #""max_time_post_install_hours":5"#),
      Part.fine(50, Part.count("buy", 2, 3)),
    ],
    windows: (0...2).map {
      Part.window($0, low: Part.event("__SESSION__"), medium: Part.event("trial"), high: Part.event("buy"))
    })

  private func ask(_ changes: [String: String?], hours: Double) throws -> TestReply {
    var phone = try TestPhone(try Models.read(Self.model))
    let reply = phone.ask(TestRequest(.v2, changes), hours: hours)
    return try #require(reply)
  }

  @Test(
    "In the first window: what the fine value stands for, whatever p0_coarse says",
    arguments: [
      ("0", nil, 0), ("1", nil, 0), ("10", nil, 1), ("20", nil, 2), ("20", "0", 2), ("30", "2", 0), ("40", nil, 2),
      ("50", nil, 2), ("63", "2", 0),
    ] as [(String, String?, Int64)])
  func first(fine: String, stated: String?, coarse: Int64) throws {
    // A session: without what the phone had the answer were low.
    let reply = try ask(["skan_current_conversion_value": fine, "p0_coarse": stated], hours: 10)
    #expect(reply.coarse == coarse)
    #expect(reply.explanation.contains(", for which fine value \(fine) stands") == (coarse > 0))
  }

  @Test(
    "In later windows: what the request states of that window",
    arguments: [
      (50, ["p1_coarse": "2"], "__SESSION__", 2, true), (50, ["p1_coarse": "0"], "__SESSION__", 0, false),
      (50, ["p1_coarse": "0"], "trial", 1, false), (50, ["p1_coarse": "1"], "nothing", 1, true),
      (50, ["p2_coarse": "2"], "__SESSION__", 0, false), (50, ["p0_coarse": "2"], "nothing", nil, false),
      (200, ["p2_coarse": "1"], "nothing", 1, true), (200, ["p1_coarse": "2"], "nothing", nil, false),
      (200, ["p2_coarse": "1"], "buy", 2, false),
    ] as [(Double, [String: String], String, Int64?, Bool)])
  func later(hours: Double, stated: [String: String], event: String, coarse: Int64?, isKept: Bool) throws {
    var changes: [String: String?] = stated.mapValues { $0 }
    changes["n"] = event
    changes["skan_current_conversion_value"] = "20"
    let reply = try ask(changes, hours: hours)
    #expect(reply.coarse == coarse)
    #expect(reply.explanation.contains(" as before.") == isKept || reply.explanation.contains("no coarse value"))
  }

  @Test("A kept value reaches the trigger of a lock")
  func lock() throws {
    let model = Part.model(windows: [
      Part.window(
        1, low: Part.event("a"), high: Part.event("b"), lock: #""lock_window_coarse_conversion_value":"HIGH""#)
    ])
    var phone = try TestPhone(try Models.read(model))
    #expect(phone.ask(TestRequest(.v2, ["n": "a"]), hours: 50)?.locks == false)
    #expect(phone.ask(TestRequest(.v2, ["n": "a", "p1_coarse": "2"]), hours: 50)?.locks == true)
  }
}

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
