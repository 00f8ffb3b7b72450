import Foundation
import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

@Suite("Date formats")
struct ExportDateFormatTests {
  private func read(_ text: String, _ format: String, _ zone: String? = "UTC", _ unit: ExportTimeUnit? = nil) -> String
  {
    guard let format = ExportDateFormat(format) else { return "no format" }
    var reader = ExportTimeReader(zone: zone.flatMap { ExportTimeZone($0) }, format: format)
    var text = text
    switch text.withUTF8({ reader.read($0, unit: unit) }) {
    case .time(let time, _): return "\(Instant(microseconds: time))"
    case .invalid: return "invalid"
    case .withoutZone: return "withoutZone"
    }
  }

  @Test(
    "Times",
    arguments: [
      ("11/19/2016 8:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "2016-11-19T20:32:12Z"),
      ("11/19/2016 08:32:12 am", "mm/dd/yyyy hh:mm:ss PM/AM", "2016-11-19T08:32:12Z"),
      ("1/9/2016 12:00:00 AM", "MM/DD/YYYY h:mm:ss AM", "2016-01-09T00:00:00Z"),
      ("1/9/2016 12:00:00 PM", "MM/DD/YYYY h:mm:ss AM", "2016-01-09T12:00:00Z"),
      ("1/9/2016 1:00:00PM", "MM/DD/YYYY h:mm:ss AM", "2016-01-09T13:00:00Z"),
      ("13/19/2016 8:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("2/30/2016 8:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 20:32:12", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 8:32 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 13:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 0:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 8:60:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/2016 8:32:12 PM x", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("11/19/16 8:32:12 PM", "MM/DD/YYYY h:mm:ss AM", "invalid"),
      ("19.11.2016 20:32:12", "DD.MM.YYYY", "2016-11-19T20:32:12Z"),
      ("19.11.2016 20:32", "DD.MM.YYYY", "2016-11-19T20:32:00Z"),
      ("19.11.2016 20:32:12.25", "DD.MM.YYYY HH:mm:ss", "2016-11-19T20:32:12.25Z"),
      ("19.11.2016", "DD.MM.YYYY", "invalid"), ("11.19.2016 20:32:12", "DD.MM.YYYY", "invalid"),
      ("19/11/2016 20:32:12", "DD.MM.YYYY", "invalid"), ("19.11.2016 24:00:00", "DD.MM.YYYY", "invalid"),
      ("19.11.2016 20:32:12 PM", "DD.MM.YYYY HH:mm:ss", "invalid"), ("9.1.26, 7:05", "D.M.YY", "2026-01-09T07:05:00Z"),
      ("1/2/26 10:00", "M/D/YY h:mm", "2026-01-02T10:00:00Z"),
      ("2016/11/19 20:32:12", "YYYY/MM/DD", "2016-11-19T20:32:12Z"),
      ("19.11.2016 20:32:12 +02:00", "DD.MM.YYYY", "2016-11-19T18:32:12Z"),
      ("19.11.2016 20:32:12Z", "DD.MM.YYYY", "2016-11-19T20:32:12Z"),
      ("46023.5", "excel", "2026-01-01T12:00:00Z"), ("46023", "Excel", "2026-01-01T00:00:00Z"),
      ("46023,4201388889", "excel", "2026-01-01T10:05:00Z"), ("46023.4201388889", "excel", "2026-01-01T10:05:00Z"),
      ("36526", "excel", "2000-01-01T00:00:00Z"), ("36525", "excel", "invalid"), ("73051", "excel", "invalid"),
      ("46023.", "excel", "invalid"), ("46023.5x", "excel", "invalid"),
      // The forms that are read without a format stay readable.
      ("2026-01-01 10:05:00Z", "DD.MM.YYYY", "2026-01-01T10:05:00Z"), ("1767261900", "excel", "2026-01-01T10:05:00Z"),
    ])
  func times(text: String, format: String, expected: String) { #expect(read(text, format) == expected) }

  @Test("Zones") func zones() {
    #expect(read("19.11.2016 20:32:12", "DD.MM.YYYY", nil) == "withoutZone")
    #expect(read("19.11.2016 20:32:12", "DD.MM.YYYY", "Europe/Berlin") == "2016-11-19T19:32:12Z")
    #expect(read("46023.5", "excel", "-03:00") == "2026-01-01T15:00:00Z")
    #expect(read("19.11.2016 20:32:12", "DD.MM.YYYY", "UTC", .text) == "2016-11-19T20:32:12Z")
  }

  @Test(
    "Refused",
    arguments: [
      "", "DD.MM", "DD.MM.YYYY.", "DD.MM.DD", "MM/DD/YYYY x", "DDMMYYYY", "DD:MM:YYYY", "YYYYY-MM-DD", "DD.MM.YYYY HH",
      "DD.MM.YYYY HH:mm:ss XX", "iso", "DD.MM/YYYY",
    ])
  func refused(text: String) { #expect(ExportDateFormat(text) == nil) }

  @Test("Each example is a format") func eachExample() {
    #expect(ExportDateFormat.examples.allSatisfy { ExportDateFormat($0) != nil })
  }
}
