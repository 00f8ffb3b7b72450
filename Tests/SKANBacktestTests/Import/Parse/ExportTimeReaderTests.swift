import SKANDevice
import Testing

@testable import SKANBacktest

@Suite struct ExportTimeReaderTests {
  private func read(_ text: String, _ zone: String? = nil, _ unit: ExportTimeUnit? = nil) -> String {
    var reader = ExportTimeReader(zone: zone.flatMap { ExportTimeZone($0) })
    var text = text
    switch text.withUTF8({ reader.read($0, unit: unit) }) {
    case .time(let time, let form): return "\(Instant(microseconds: time)) \(form)"
    case .invalid: return "invalid"
    case .withoutZone: return "withoutZone"
    }
  }

  @Test(arguments: [
    ("1767225600", "2026-01-01T00:00:00Z seconds"), ("1767225600.25", "2026-01-01T00:00:00.25Z seconds"),
    ("1767225600123", "2026-01-01T00:00:00.123Z milliseconds"),
    ("1767225600123.25", "2026-01-01T00:00:00.12325Z milliseconds"),
    ("1767225600123456", "2026-01-01T00:00:00.123456Z microseconds"),
    ("1767225600123456789", "2026-01-01T00:00:00.123456Z nanoseconds"),
    ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z textWithZone"),
    ("2026-01-01 00:00:00.5 UTC", "2026-01-01T00:00:00.5Z textWithZone"),
    ("2026-01-01 00:00:00+02:00", "2025-12-31T22:00:00Z textWithZone"),
    ("2026-01-01 00:00:00-0530", "2026-01-01T05:30:00Z textWithZone"),
    ("2026-01-01 00:00:00.123456+00", "2026-01-01T00:00:00.123456Z textWithZone"),
    ("2026-01-01 00:00:00", "withoutZone"), ("2026-02-30 00:00:00Z", "invalid"), ("2026-01-01", "invalid"),
    // A leap second is the first of the next minute.
    ("2026-01-01 00:00:59Z", "2026-01-01T00:00:59Z textWithZone"),
    ("2026-01-01 00:00:60Z", "2026-01-01T00:01:00Z textWithZone"), ("2026-01-01 00:00:61Z", "invalid"),
    ("2026-01-01 24:00:00Z", "invalid"), ("2026-01-01 00:60:00Z", "invalid"), ("2026-01-01 00:00:00 CET", "invalid"),
    ("", "invalid"), ("0", "invalid"), ("17672256000", "invalid"), ("1767225600x", "invalid"), ("now", "invalid"),
    ("1.7672256e9", "invalid"), ("1767225600.", "invalid"),
    ("1767225600123456.75", "2026-01-01T00:00:00.123456Z microseconds"),
    ("2026-01-01 00:00:00.Z", "invalid"), ("2026-01-01 00:x0:00Z", "invalid"), ("2026-01-01 00:00:00+2", "invalid"),
    ("2026-01-01 00:00:00+0x", "invalid"), ("2026-01-01 00:00:00+15:00", "invalid"),
    ("2026-01-01 00:00:00+02:60", "invalid"), ("2026-01-01 00:00:00 +02:30", "2025-12-31T21:30:00Z textWithZone"),
  ])
  func forms(text: String, expected: String) { #expect(read(text) == expected) }

  /// A column of seconds with milliseconds in it is a mistake, and not the year 57,970.
  @Test func unitOfColumn() {
    #expect(read("1767225600", nil, .seconds) == "2026-01-01T00:00:00Z seconds")
    #expect(read("1767225600123", nil, .seconds) == "invalid")
    #expect(read("1767225600", nil, .milliseconds) == "invalid")
    #expect(read("1767225600", nil, .text) == "invalid")
    #expect(read("1767225600123456789", nil, .nanoseconds) == "2026-01-01T00:00:00.123456Z nanoseconds")
    #expect(read("1767225600123456", nil, .microseconds) == "2026-01-01T00:00:00.123456Z microseconds")
    #expect(read("2026-01-01T00:00:00Z", nil, .seconds) == "invalid")
  }

  @Test func zones() {
    #expect(read("2026-01-01 12:00:00", "UTC") == "2026-01-01T12:00:00Z textWithoutZone")
    #expect(read("2026-01-01 12:00:00", "-03:30") == "2026-01-01T15:30:00Z textWithoutZone")
    #expect(read("2026-07-01 12:00:00", "Europe/Berlin") == "2026-07-01T10:00:00Z textWithoutZone")
    #expect(read("2026-01-01 12:00:00", "Europe/Berlin") == "2026-01-01T11:00:00Z textWithoutZone")
    // In the night of the change: before, twice, after; and the hour that there is not.
    #expect(read("2026-10-25 01:59:59", "Europe/Berlin") == "2026-10-24T23:59:59Z textWithoutZone")
    #expect(read("2026-10-25 02:30:00", "Europe/Berlin") == "2026-10-25T00:30:00Z textWithoutZone")
    #expect(read("2026-10-25 03:00:00", "Europe/Berlin") == "2026-10-25T02:00:00Z textWithoutZone")
    #expect(read("2026-03-29 02:30:00", "Europe/Berlin") == "2026-03-29T01:30:00Z textWithoutZone")
    #expect(["CET", "Europe/Nowhere", "+2:00", "+15:00", ""].allSatisfy { ExportTimeZone($0) == nil })
  }
}
