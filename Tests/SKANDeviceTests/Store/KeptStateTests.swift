import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

@Suite("The store and its slots")
struct KeptStateTests {
  private static let values: [KeptValue] = [
    .integer(0), .integer(63), .integer(127), .integer(128), .integer(-1), .integer(.max), .integer(.min),
    .unsigned(.max), .double(1.7), .double(-0.0), .bool(true), .bool(false), .string(""), .string("5"),
    .string(String(repeating: "x", count: 40)),
  ]
  private static let amounts = [0, -0.0, 9.99, Double(Float(9.99)), 5, -3, 1e17, 1e300, 16_777_217]
  private static let currencies = ["USD", "EUR", "GBP", "usd", "", "a+b", "US"]

  private static func pick<Value>(_ values: [Value], _ generator: inout SplitMix64) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private static func entry(_ entry: StoreEntry, _ generator: inout SplitMix64) -> KeptState.Entry {
    switch entry.form {
    case .answered: .value(pick(values, &generator))
    case .number: .value(.integer(pick([0, 1, -1, .max, .min], &generator)))
    case .revenue: .revenue(table(&generator))
    }
  }

  private static func table(_ generator: inout SplitMix64) -> RevenueTable {
    var table = RevenueTable()
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      table[Self.pick(currencies, &generator)] = Self.pick(amounts, &generator)
    }
    return table
  }

  @Test("It holds what was put into it, in whatever order")
  func random() {
    var generator = SplitMix64(seed: 5)
    for _ in Rounds.of(60) {
      var kept = KeptState()
      var expected: [StoreEntry: KeptState.Entry] = [:]
      for _ in 0..<60 {
        let entry = Self.pick(StoreEntry.all, &generator)
        var new = Self.entry(entry, &generator)
        if entry.isRevenue, Bool.random(using: &generator) {
          let (currency, sum) = (Self.pick(Self.currencies, &generator), Self.pick(Self.amounts, &generator))
          var table = kept.revenue(entry) ?? RevenueTable()
          table[currency] = sum
          new = .revenue(table)
          kept.setSum(entry, currency, CurrencyCode(currency), to: sum)
          #expect(kept.sum(entry, currency, CurrencyCode(currency))?.bitPattern == sum.bitPattern)
          #expect(kept.entry(entry) == new)
        }
        let isSet = kept.set(entry, to: new)
        #expect(isSet)
        expected[entry] = new
        for entry in StoreEntry.all { #expect(kept.entry(entry) == expected[entry], "\(entry)") }
      }
      // Another order, with other currencies met first.
      var other = KeptState()
      for (entry, value) in expected.shuffled(using: &generator) { _ = other.set(entry, to: value) }
      #expect(other == kept)
      let changed = Self.pick(Array(expected.keys), &generator)
      let value: KeptState.Entry = changed.isRevenue ? .revenue(RevenueTable([("XXX", 1)])) : .value(.integer(77))
      _ = other.set(changed, to: value)
      #expect((other == kept) == (expected[changed] == value))
      for entry in StoreEntry.all where entry.isRevenue {
        for table in [RevenueTable(), RevenueTable([("USD", 0)]), RevenueTable([("EUR", 0)])] {
          var other = kept
          _ = other.set(entry, to: .revenue(table))
          #expect((other == kept) == (expected[entry] == .revenue(table)), "\(entry) \(table)")
        }
      }
    }
  }

  @Test("An entry that is nil again is as one that never was set")
  func removed() {
    var kept = KeptState()
    kept.fineValue = .string("5")
    kept.coarseValue[.p1] = .integer(2)
    kept.windowLock[.p2] = 7
    kept.adRevenue = RevenueTable([("a+b", 1)])
    kept.iapRevenue = RevenueTable([("USD", 1)])
    #expect(kept.poisonedEntry == PoisonedEntry(key: .fineValue, value: .string("5")))
    kept.fineValue = nil
    kept.coarseValue[.p1] = nil
    kept.windowLock[.p2] = nil
    kept.adRevenue = nil
    kept.iapRevenue = nil
    #expect(kept == KeptState() && kept.poisonedEntry == nil && kept.odd == nil)
  }

  @Test("A copy stays as it is when the other one changes")
  func copies() {
    var kept = KeptState()
    kept.iapRevenue = RevenueTable([("", 1), ("USD", 2), ("EUR", 3)])
    let copy = kept
    kept.setSum(.iapRevenue, "", nil, to: 5)
    #expect(copy.iapRevenue?[""] == 1 && kept.iapRevenue?[""] == 5)
  }

  @Test("A phone is small: a list may have a million, and each step copies parts of one")
  func size() {
    #expect(MemoryLayout<Phone>.size < 450, "\(MemoryLayout<Phone>.size)")
    #expect(MemoryLayout<KeptState>.size <= 160, "\(MemoryLayout<KeptState>.size)")
  }
}

@Suite("Kept values as integers, booleans and text")
struct KeptValueTests {
  struct Row: Sendable {
    var value: KeptValue
    var int32: Int32
    var int64: Int64
    var text: String?
    var isTruthy: Bool

    init(_ value: KeptValue, _ int32: Int32, _ int64: Int64, _ text: String?, _ isTruthy: Bool) {
      self.value = value
      self.int32 = int32
      self.int64 = int64
      self.text = text
      self.isTruthy = isTruthy
    }
  }

  @Test(
    "All readings of a value",
    arguments: [
      Row(.integer(0), 0, 0, "0", false), Row(.integer(63), 63, 63, "63", true), Row(.integer(-1), -1, -1, "-1", true),
      Row(.integer(4_294_967_296), 0, 4_294_967_296, "4294967296", true),
      Row(.integer(4_294_967_297), 1, 4_294_967_297, "4294967297", true),
      Row(.integer(-4_294_967_296), 0, -4_294_967_296, "-4294967296", true),
      Row(.integer(2_147_483_648), .min, 2_147_483_648, "2147483648", true),
      Row(.integer(.max), -1, .max, "9223372036854775807", true),
      Row(.integer(.min), 0, .min, "-9223372036854775808", true),
      Row(.double(1.7), 1, 1, "1.7", true), Row(.double(63.9), 63, 63, "63.9", true),
      Row(.double(-0.5), 0, 0, "-0.5", true), Row(.double(-1.9), -1, -1, "-1.9", true),
      Row(.double(5), 5, 5, "5", true), Row(.double(0), 0, 0, "0", false), Row(.double(-0.0), 0, 0, "-0", false),
      Row(.double(0.1), 0, 0, "0.1", true), Row(.double(1.0 / 3), 0, 0, "0.3333333333333333", true),
      Row(.double(0.00001), 0, 0, "1e-05", true),
      Row(.bool(true), 1, 1, "1", true), Row(.bool(false), 0, 0, "0", false),
      Row(.string("5"), 5, 5, nil, true), Row(.string("abc"), 0, 0, nil, false),
    ])
  func readings(row: Row) {
    #expect(row.value.int32 == row.int32)
    #expect(row.value.int64 == row.int64)
    #expect(row.value.decimalText == row.text)
    #expect(row.value.isTruthy == row.isTruthy)
  }

  @Test(
    "Decimal text of large and small doubles",
    arguments: [(1e15, "1000000000000000"), (1e17, "1e+17"), (0.00001, "1e-05")])
  func decimals(number: Double, text: String) {
    #expect(KeptValue.double(number).decimalText == text)
  }

  @Test(
    "A string as an integer: white space, a sign, digits, then stop",
    arguments: [
      ("5", 5, 5), (" 8", 8, 8), ("\t\n\u{B}\u{C}\r 8", 8, 8), ("5abc", 5, 5), ("5.9", 5, 5), ("1e1", 1, 1),
      ("-3", -3, -3),
      ("+3", 3, 3), ("007", 7, 7), ("- 3", 0, 0), ("--3", 0, 0), ("+-3", 0, 0), ("", 0, 0), (" ", 0, 0), ("abc", 0, 0),
      ("a5", 0, 0), ("0x10", 0, 0), ("\u{A0}8", 0, 0), ("８", 0, 0), ("1 2", 1, 1),
      ("2147483647", .max, 2_147_483_647), ("2147483648", .max, 2_147_483_648), ("4294967297", .max, 4_294_967_297),
      ("-2147483648", .min, -2_147_483_648), ("-2147483649", .min, -2_147_483_649),
      ("9223372036854775807", .max, .max), ("9223372036854775808", .max, .max), ("99999999999999999999999", .max, .max),
      ("-9223372036854775808", .min, .min), ("-99999999999999999999999", .min, .min),
    ] as [(String, Int32, Int64)])
  func strings(text: String, int32: Int32, int64: Int64) {
    #expect(KeptValue.string(text).int32 == int32)
    #expect(KeptValue.string(text).int64 == int64)
    #expect(KeptValue.string(text).decimalText == nil)
  }

  @Test(
    "A string as a boolean",
    arguments: [
      ("YES", true), ("yes", true), ("Y", true), ("true", true), ("TRUE", true), ("t", true), ("1", true), ("9", true),
      ("01", true), ("0001", true), (" 1", true), ("\t\n+1", true), ("-1", true), ("-5", true), ("+0y", true),
      ("00T", true),
      ("10", true), ("typo", true), ("yeti", true),
      ("", false), (" ", false), ("0", false), ("000", false), ("no", false), ("NO", false), ("false", false),
      ("n", false),
      ("0.5", false), ("on", false), ("+", false), ("--1", false), ("0 1", false), ("0-1", false), ("１", false),
      ("\u{A0}1", false), ("ok", false),
    ])
  func truthiness(text: String, expected: Bool) {
    #expect(KeptValue.string(text).isTruthy == expected)
  }

  @Test(
    "As a coarse value for the framework",
    arguments: [
      (.integer(0), .low), (.integer(1), .medium), (.integer(2), .high), (.integer(3), nil), (.integer(-1), nil),
      (.integer(4_294_967_296), nil), (.double(1.9), .medium), (.double(-0.5), .low), (.double(2.9), .high),
      (.bool(true), .medium), (.bool(false), .low), (.string("1"), .medium), (.string("high"), .low),
      (.string("3"), nil),
    ] as [(KeptValue, CoarseValue?)])
  func coarse(value: KeptValue, expected: CoarseValue?) {
    #expect(CoarseValue(value) == expected)
  }
}

@Suite("What was kept before the last answer")
struct OverwrittenStateTests {
  /// Answers that are kept, in part or not at all.
  private static let answers = [
    good("5"), good("0"), good("9", coarse: "2", lock: "true"), good("7", coarse: "0"), good("5.0", coarse: "true"),
    good("64"), good("null"), good(#""5""#), #"{"status":"ok"}"#, #"{"status":"error","reason":"why"}"#, "<html>", "[]",
  ]

  @Test("It is what the device had, after every answer, in every window and snippet")
  func random() {
    var chance = SplitMix64(seed: 7)
    func draw(_ count: Int) -> Int { Int(truncatingIfNeeded: chance.next() >> 33) % count }
    var changed = 0
    for life in 0..<600 {
      var device = Device.phone(
        SnippetVersion.allCases[life % SnippetVersion.allCases.count],
        ios: [IOSVersion(17, 4), IOSVersion(15, 0), IOSVersion(16, 0)][draw(3)], registered: false)
      var now: Int64 = 0
      if draw(4) > 0 { _ = device.register(at: moment(now)) }
      for _ in 0..<12 {
        let pauses: [Int64] = [1, 3600, 72_000, 259_200]
        now += pauses[draw(4)]
        let before = device.kept
        guard case .request = device.beginUpdate(at: moment(now)) else {
          device.relaunch()
          continue
        }
        let answer = EndpointAnswer.response(
          status: 200, body: Array(Self.answers[draw(Self.answers.count)].utf8))
        let report = device.finishUpdate(SnippetAnswer(answer), at: moment(now))
        #expect((device.keptBeforeAnswer ?? device.kept) == before, "\(device.snippet) \(report.outcome)")
        if device.kept != before { changed += 1 }
        var read = Device(device.profile)
        read.kept = device.kept
        read.keptBeforeAnswer = device.keptBeforeAnswer
        #expect(read.keptBeforeAnswer == device.keptBeforeAnswer, "as a device file gives it")
      }
    }
    #expect(changed > 500)
  }

  @Test("Revenue that came later is in it; register, and an answer without effect, leave nothing")
  func later() throws {
    var device = Device.phone()
    _ = device.update(good("5"), at: 60)
    _ = try device.addRevenue(5, currency: "USD", isAdMonetization: false, at: moment(61))
    let before = try #require(device.keptBeforeAnswer)
    #expect(before.fineValue == .integer(0))
    #expect(before.iapRevenue == device.kept.iapRevenue)
    _ = device.update(#"{"status":"ok"}"#, at: 62)
    #expect(device.keptBeforeAnswer == nil)
    _ = device.update(good("6"), at: 63)
    device.start(from: device.kept)
    #expect(device.keptBeforeAnswer == nil)
  }
}
