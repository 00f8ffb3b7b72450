import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("Times of captures")
struct UTCOffsetTests {
  @Test(
    "An offset in any of its spellings",
    arguments: [
      ("Z", "Z"), ("z", "Z"), ("UTC", "Z"), ("GMT", "Z"), ("+02:00", "+02:00"), ("+0200", "+02:00"),
      ("-0330", "-03:30"),
      ("+02", "+02:00"), ("02:00", nil), ("+2", nil), ("+2:00", nil), ("+02:0", nil), ("+0:200", nil),
      ("+02:00:00", nil),
      ("+99", nil), ("+", nil), ("", nil), ("CET", nil), ("+1a", nil),
    ] as [(String, String?)])
  func offsets(text: String, expected: String?) { #expect(UTCOffset(text)?.text == expected) }

  @Test(
    "A time as exporters write it",
    arguments: [
      ("2026-01-01 00:00:00Z", nil, "2026-01-01T00:00:00Z"), ("2026-01-01T02:00:00+0200", nil, "2026-01-01T00:00:00Z"),
      ("2026-01-01 02:00:00", "+02", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00", nil, "noOffset"),
      ("0001-01-01T00:00:00", "+02", "malformed"), ("2026-01-01T00:00:00.5", "-03:30", "2026-01-01T03:30:00.5Z"),
      ("2026-13-01T00:00:00", nil, "malformed"), ("2026-13-01T00:00:00", "+02", "malformed"),
      ("2026-13-01T00:00:00+0200", nil, "malformed"), ("2026-01-01T00:00:00+99", nil, "malformed"),
      ("yesterday", nil, "malformed"), ("", nil, "malformed"),
    ] as [(String, String?, String)])
  func times(text: String, zone: String?, expected: String) {
    let read: String
    do throws(Instant.CaptureMistake) {
      read = "\(try Instant(captured: text, zone: zone.flatMap(UTCOffset.init)?.everywhere))"
    } catch { read = "\(error)" }
    #expect(read == expected)
  }
}
