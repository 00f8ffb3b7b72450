import Testing

@testable import SKANDevice

@Suite("Instants as ISO 8601 text")
struct InstantTextTests {
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
}
