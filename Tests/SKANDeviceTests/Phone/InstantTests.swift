import SKANBase
import Testing

@testable import SKANDevice

@Suite("Instants and spans as numbers")
struct InstantTests {
  @Test(
    "Unix seconds, rounded to the microsecond, never across a second, of the years 1 to 9999",
    arguments: [
      (0, 0), (1.5, 1_500_000), (-1.5, -1_500_000), (1_767_225_600.25, 1_767_225_600_250_000), (0.000_000_4, 0),
      (0.000_000_6, 1), (0.999_999_9, 999_999), (-0.999_999_9, -999_999),
      (1_699_999_999.999_999_8, 1_699_999_999_999_999),
      (-62_135_596_800, -62_135_596_800_000_000), (253_402_300_799, 253_402_300_799_000_000),
      (-62_135_596_801, nil), (253_402_300_800, nil), (1e300, nil), (-1e300, nil), (.infinity, nil), (-.infinity, nil),
      (.nan, nil),
    ] as [(Double, Int64?)])
  func unixSeconds(seconds: Double, microseconds: Int64?) {
    #expect(Instant(unixSeconds: seconds)?.microseconds == microseconds)
  }

  @Test(
    "Whole seconds: cut towards zero",
    arguments: [(0, 0), (999_999, 0), (1_000_000, 1), (-1, 0), (-999_999, 0), (-1_000_000, -1), (-1_500_000, -1)]
      as [(Int64, Int64)])
  func wholeSeconds(microseconds: Int64, expected: Int64) {
    #expect(Instant(microseconds: microseconds).wholeSeconds == expected)
  }

  @Test("Sums of fractions hit a border exactly")
  func sums() throws {
    var instant = moment(0)
    let tenth = try #require(TimeSpan(seconds: 0.1))
    for _ in 0..<1_728 { instant = try #require(instant.advanced(by: tenth)) }
    #expect(instant == moment(172.8))
    #expect(instant.since(moment(0)) == TimeSpan(seconds: 172.8 as Double))
    #expect(moment(0) < instant && instant.unixSeconds == 1_767_225_772.8)
  }

  @Test(
    "Moved out of the years 1 to 9999",
    arguments: [
      (253_402_300_799, 1, false), (253_402_300_798, 1, true), (-62_135_596_800, -1, false),
      (-62_135_596_799, -1, true),
      (0, 319_999_999_999, false), (0, -319_999_999_999, false),
    ] as [(Int64, Int64, Bool)])
  func moved(from seconds: Int64, by span: Int64, stays: Bool) {
    let instant = Instant(microseconds: seconds * 1_000_000)
    #expect((instant.advanced(by: TimeSpan(seconds: span)) != nil) == stays)
  }

  @Test(
    "Spans are read",
    arguments: [
      ("36h", 129_600), ("2d3h", 183_600), ("1.5s", 1.5), ("250ms", 0.25), ("1m30s", 90), ("0s", 0), ("1ms1s", 1.001),
      ("3h2d", 183_600), ("0.5d", 43_200), ("007m", 420), ("1d1h1m1s1ms", 90_061.001), ("0.000001s", 0.000_001),
      ("35d", 3_024_000),
    ] as [(String, Double)])
  func spans(text: String, seconds: Double) {
    #expect(TimeSpan(text: text) == TimeSpan(seconds: seconds))
  }

  @Test(
    "No spans",
    arguments: [
      "", "5", "s", "5 s", "5s ", " 5s", "-5s", "+5s", "5S", "5y", "5w", "1.s", ".5s", "1..5s", "1.5.5s", "1,5s",
      "5sec",
      "1e3s", "2d3", "d2", "５s", "5ſ", "99999999999d", "1e999s", "5s-3s", "٣s",
    ])
  func noSpans(text: String) {
    #expect(TimeSpan(text: text) == nil)
  }

  @Test(
    "Spans are shown in the form that is read",
    arguments: [
      (0, "0s"), (1.5, "1.5s"), (90, "1m30s"), (183_600, "2d3h"), (0.25, "0.25s"), (86_400, "1d"), (-5, "-5s"),
      (90_061.001, "1d1h1m1.001s"), (0.000_001, "0.000001s"), (3_155_760_000, "36525d"), (-183_600.5, "-2d3h0.5s"),
    ] as [(Double, String)])
  func shown(seconds: Double, text: String) throws {
    let span = try #require(TimeSpan(seconds: seconds))
    #expect(span.description == text)
    if seconds >= 0 { #expect(TimeSpan(text: text) == span) }
  }

  @Test("Spans that are too long") func tooLong() {
    let seconds = [Double.infinity, -.infinity, .nan, 3.2e11, -3.2e11, 1e300]
    #expect(seconds.allSatisfy { TimeSpan(seconds: $0) == nil })
    #expect([Int64.max, .min].allSatisfy { moment(0).advanced(by: TimeSpan(microseconds: $0)) == nil })
  }

  @Test(
    "There and back",
    arguments: [
      ("0001-01-01T00:00:00Z", -62_135_596_800), ("0001-12-31T23:59:59Z", -62_104_060_801),
      ("0004-02-29T00:00:00Z", -62_035_891_200), ("1600-02-29T00:00:00Z", -11_670_998_400),
      ("1899-12-31T00:00:00Z", -2_209_075_200), ("1900-02-28T00:00:00Z", -2_203_977_600),
      ("1900-03-01T00:00:00Z", -2_203_891_200), ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", 0),
      ("1972-02-29T00:00:00Z", 68_169_600), ("2000-02-29T00:00:00Z", 951_782_400),
      ("2000-03-01T00:00:00Z", 951_868_800), ("2024-02-29T12:30:45Z", 1_709_209_845),
      ("2026-01-01T00:00:00Z", 1_767_225_600), ("2100-02-28T00:00:00Z", 4_107_456_000),
      ("2100-03-01T00:00:00Z", 4_107_542_400), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
  func roundTrip(text: String, seconds: Int64) throws {
    let instant = try #require(Instant(iso8601: text))
    #expect(instant.microseconds == seconds * 1_000_000)
    #expect(instant.description == text)
    #expect(Instant(unixSeconds: Double(seconds)) == instant)
  }

  @Test(
    "Fractions, to the microsecond; what is finer is cut",
    arguments: [
      ("2026-01-01T00:00:00.5Z", 500_000, "2026-01-01T00:00:00.5Z"),
      ("2026-01-01T00:00:00.000001Z", 1, "2026-01-01T00:00:00.000001Z"),
      ("2026-01-01T00:00:00.050Z", 50_000, "2026-01-01T00:00:00.05Z"),
      ("2026-01-01T00:00:00.9999999Z", 999_999, "2026-01-01T00:00:00.999999Z"),
      ("2026-01-01T00:00:00.00000000000000000000000001Z", 0, "2026-01-01T00:00:00Z"),
      ("2026-01-01T00:00:00.0Z", 0, "2026-01-01T00:00:00Z"),
      ("1969-12-31T23:59:59.25Z", -1_767_225_600_750_000, "1969-12-31T23:59:59.25Z"),
    ])
  func fractions(text: String, microseconds: Int64, shown: String) throws {
    let instant = try #require(Instant(iso8601: text))
    #expect(instant.microseconds - start * 1_000_000 == microseconds)
    #expect(instant.description == shown)
  }

  @Test(
    "Offsets",
    arguments: [
      ("2026-01-01T02:00:00+02:00", 0), ("2025-12-31T19:00:00-05:00", 0), ("2026-01-01T05:30:00+05:30", 0),
      ("2026-01-01T00:00:00+00:00", 0), ("2026-01-01T00:00:00-00:00", 0), ("2026-01-01T00:00:00.5+01:00", -3599.5),
      ("2026-01-01T00:00:00+23:59", -86_340), ("2026-01-01T00:00:00-23:59", 86_340),
    ])
  func offsets(text: String, seconds: Double) {
    #expect(Instant(iso8601: text) == moment(seconds))
  }

  @Test(
    "No instant",
    arguments: [
      "", "2026", "2026-01-01", "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
      "2026-01-01t00:00:00Z", "2026-01-01T00:00:00z", "2026-1-01T00:00:00Z", "26-01-01T00:00:00Z",
      "02026-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.5", "2026-01-01T00:00:00.-5Z",
      "2026-01-01T00:00:00+02", "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+02:60",
      "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ", "2026-01-01T00:00:00Z+01:00",
      "20260101T000000Z", "2026-W01-1T00:00:00Z", "２026-01-01T00:00:00Z", "2026-01-01T00:00:00\u{2212}01:00", "+2d",
      "-026-01-01T00:00:00Z", "2026-01-+1T00:00:00Z",
      // Offsets do not lead out of the years 1 to 9999, which no file can hold and no text can show.
      "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+00:01",
    ])
  func rejected(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test("Every year's last day, and 29 February in leap years alone")
  func years() throws {
    var dayNumber: Int64 = -719_162
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      dayNumber += isLeap ? 366 : 365
      guard year % 9 == 0 || year % 100 < 2 || year % 100 == 99 else { continue }
      let text = String("000\(year)".suffix(4))
      let last = Instant(microseconds: (dayNumber * day - 1) * 1_000_000)
      #expect(last.description == "\(text)-12-31T23:59:59Z")
      #expect(Instant(iso8601: last.description) == last)
      #expect((Instant(iso8601: "\(text)-02-29T00:00:00Z") != nil) == isLeap)
    }
    #expect(dayNumber == 2_932_897)
  }

  @Test("Any moment there and back")
  func anyMoment() {
    var state: UInt64 = 7
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let microseconds = Int64(state >> 1) % 315_537_897_600_000_000 - 62_135_596_800_000_000
      let instant = Instant(microseconds: microseconds)
      #expect(Instant(iso8601: instant.description) == instant)
    }
  }

  @Test("The last second of 9999 has fractions, in text as in Unix seconds")
  func lastSecond() throws {
    let text = try #require(Instant(iso8601: "9999-12-31T23:59:59.5Z"))
    #expect(Instant(unixSeconds: text.unixSeconds) == text)
  }

  @Test("After a fresh install `+1h` counts from the wall's clock, which goes on, as everything else does")
  func freshInstall() {
    var clock = PhoneClock(first: moment(0), hasGivenTime: true, end: moment(31 * day), isVirtual: true)
    clock.startAnew()
    #expect(clock.beginning(nil, now: moment(0)) == moment(31 * day))
    #expect(clock.beginning(.after(TimeSpan(seconds: 3600 as Int64)), now: moment(0)) == moment(31 * day + 3600))
    #expect(clock.beginning(.sinceFirst(TimeSpan(seconds: 3600 as Int64)), now: moment(0)) == moment(31 * day + 3600))
  }
}

@Suite("The calendar")
struct CivilDateTests {
  @Test(
    "Days and dates",
    arguments: [
      (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (47_541, 2100, 3, 1),
      (-719_162, 1, 1, 1), (-719_163, 0, 12, 31), (2_932_896, 9999, 12, 31),
      (-719_528, 0, 1, 1), (-719_469, 0, 2, 29), (-719_529, -1, 12, 31),
    ] as [(Int64, Int64, Int64, Int64)])
  func dates(days: Int64, year: Int64, month: Int64, day: Int64) throws {
    let date = CivilDate(daysSince1970: days)
    #expect((date.year, date.month, date.day) == (year, month, day))
    #expect(try #require(CivilDate(year: year, month: month, day: day)).daysSince1970 == days)
  }

  @Test("Days follow one another", arguments: [-719_162, -1, 10_900, 47_000] as [Int64])
  func sequence(start: Int64) {
    for days in start..<start + 1500 {
      let (date, next) = (CivilDate(daysSince1970: days), CivilDate(daysSince1970: days + 1))
      let isSameMonth = (next.year, next.month, next.day) == (date.year, date.month, date.day + 1)
      #expect(isSameMonth || next.day == 1 && date.day >= 28, "\(date)")
    }
  }

  @Test(
    "No such date",
    arguments: [(2026, 2, 29), (2100, 2, 29), (2024, 2, 30), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)]
      as [(Int64, Int64, Int64)])
  func none(year: Int64, month: Int64, day: Int64) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }
}

@Suite("The phone's clock")
struct PhoneClockTests {
  static let wall = moment(1000)

  @Test(
    "Where a step begins on a phone that lived from 10 to 20",
    arguments: [
      (.at(moment(5)), 5, 5), (.sinceFirst(TimeSpan(seconds: 7)), 17, 17), (.after(TimeSpan(seconds: 7)), 27, 27),
      (.now, 1000, 1000), (nil, 1000, 20), (.sinceFirst(.zero), 10, 10), (.after(TimeSpan(seconds: -3)), 17, 17),
    ] as [(TimeSpec?, Int64, Int64)])
  func lived(time: TimeSpec?, real: Int64, virtual: Int64) {
    for (isVirtual, expected) in [(false, real), (true, virtual)] {
      let clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: isVirtual)
      #expect(clock.beginning(time, now: Self.wall) == moment(expected), "virtual: \(isVirtual)")
    }
  }

  @Test(
    "Where the first step of all begins",
    arguments: [
      (.at(moment(5)), 5), (.sinceFirst(TimeSpan(seconds: 7)), 1007), (.after(TimeSpan(seconds: 7)), 1007),
      (.now, 1000),
      (nil, 1000),
    ] as [(TimeSpec?, Int64)])
  func first(time: TimeSpec?, expected: Int64) {
    for isVirtual in [false, true] {
      #expect(PhoneClock(isVirtual: isVirtual).beginning(time, now: Self.wall) == moment(expected))
    }
  }

  @Test("Out of the years 1 to 9999")
  func outOfRange() {
    let clock = PhoneClock(first: moment(0), hasGivenTime: true, end: moment(0), isVirtual: true)
    let span = TimeSpan(microseconds: .max)
    #expect(clock.beginning(.sinceFirst(span), now: Self.wall) == nil)
    #expect(clock.beginning(.after(span), now: Self.wall) == nil)
  }

  @Test(
    "A given time makes the clock virtual, `now` makes it run again",
    arguments: [
      (nil, false, false), (nil, true, true), (.now, true, false), (.now, false, false), (.at(moment(1)), false, true),
      (.after(.zero), false, true), (.sinceFirst(.zero), false, true),
    ] as [(TimeSpec?, Bool, Bool)])
  func virtual(time: TimeSpec?, before: Bool, after: Bool) {
    var clock = PhoneClock(isVirtual: before)
    clock.record(time, beginning: moment(1), end: moment(2))
    #expect(clock.isVirtual == after)
    #expect(clock.end == moment(2))
    clock.runWithSteps()
    #expect(clock.isVirtual)
  }

  @Test("`+` counts from the first step that was given a time, else from the first step")
  func sinceFirst() {
    var clock = PhoneClock(isVirtual: true)
    let hour = TimeSpec.sinceFirst(TimeSpan(seconds: 3600))
    clock.record(nil, beginning: moment(0), end: moment(5))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3600))
    #expect(!clock.hasGivenTime)
    clock.record(.at(moment(100)), beginning: moment(100), end: moment(100))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3700))
    #expect(clock.hasGivenTime)
    clock.record(.at(moment(500)), beginning: moment(500), end: moment(500))
    #expect(clock.beginning(hour, now: Self.wall) == moment(3700))
    #expect(clock.first == moment(100))
  }

  @Test("`+2d` as the first time of all leaves the beginning where it is")
  func plusFirst() {
    var clock = PhoneClock(isVirtual: true)
    let twoDays = TimeSpan(seconds: 2 * day)
    clock.record(.sinceFirst(twoDays), beginning: moment(2 * day), end: moment(2 * day))
    #expect(clock.first == moment(0))
    #expect(clock.beginning(.sinceFirst(twoDays), now: moment(0)) == moment(2 * day))
  }

  @Test(
    "Going back", arguments: [(19, 1.0), (20, nil), (21, nil), (-100, 120)] as [(Int64, Double?)])
  func back(seconds: Int64, by: Double?) {
    let clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: true)
    #expect(clock.earlyBeginning(moment(seconds))?.span == by.flatMap { TimeSpan(seconds: $0) })
  }

  @Test("A fresh install begins its own count, the wall's clock goes on")
  func fresh() {
    var clock = PhoneClock(first: moment(10), hasGivenTime: true, end: moment(20), isVirtual: true)
    clock.startAnew()
    #expect(clock.first == nil)
    #expect(!clock.hasGivenTime)
    #expect(clock.beginning(nil, now: moment(0)) == moment(20))
    #expect(clock.beginning(.after(TimeSpan(seconds: 1)), now: moment(0)) == moment(21))
    #expect(clock.earlyBeginning(moment(0)) == nil)
    clock.record(.at(moment(5)), beginning: moment(5), end: moment(6))
    #expect(clock.first == moment(5))
    #expect(clock.earlyBeginning(moment(0))?.span == TimeSpan(seconds: 6 as Int64))
    #expect(
      [5, 4].map { clock.earlyBeginning(moment($0))?.isOverlap } == [true, false], "5 is when the step before began")
  }
}
