import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Rates by day")
struct DailyRatesTests {
  private static let header = "date,currency,rate"
  private static let rows = [
    "2026-05-01,EUR,0.8", "2026-05-01,JPY,128", "2026-05-02,EUR,0.5", "2026-05-05,EUR,0.4", "2026-05-05,JPY,1e2",
  ]

  private func rates(_ rows: [String] = rows) throws -> ExchangeRates {
    try ExchangeRates(table: Array("\(Self.header)\n\(rows.joined(separator: "\n"))\n".utf8))
  }

  @Test("A day is from midnight until before the next, before 1970 too")
  func daysOfTimes() {
    let day: Int64 = 86_400_000_000
    #expect([-day - 1, -day, -1, 0, day - 1, day].map { Instant(microseconds: $0).utcDay } == [-2, -1, -1, 0, 0, 1])
    #expect([-1, 0, 1].map { Instant(utcDay: $0).microseconds } == [-day, 0, day])
  }

  @Test(
    "Days without a rate are named as the days between those that have one",
    arguments: [
      ("EUR", "2026-04-30", "EUR before 2026-05-01"), ("EUR", "2026-05-03", "EUR from 2026-05-03 to 2026-05-04"),
      ("EUR", "2026-05-04", "EUR from 2026-05-03 to 2026-05-04"), ("EUR", "2026-05-06", "EUR after 2026-05-05"),
      ("JPY", "2026-05-03", "JPY from 2026-05-02 to 2026-05-04"),
      ("GBP", "2026-05-03", "GBP (JPY has no rate from 2026-05-02 to 2026-05-04)"),
      ("USD", "2026-05-06", "USD (JPY has no rate after 2026-05-05)"), ("GBP", "2026-05-01", "GBP"),
    ])
  func gaps(currency: String, day: String, missing: String) throws {
    let code = try #require(CurrencyCode(currency))
    for time in ["00:00:00", "23:59:59.999999"] {
      let now = try #require(Instant(iso8601: "\(day)T\(time)Z"))
      #expect(try rates().missing(from: code, to: CurrencyCode(number: 0x4A5059), at: now) == missing)
      #expect(
        try rates().gap(of: code, at: now).map { "\(currency) \($0.text)" }
          == (missing.contains("(") || missing == "GBP" ? nil : missing))
    }
    let one = try rates(["2026-05-01,EUR,1", "2026-05-03,EUR,1"])
    let between = try #require(Instant(iso8601: "2026-05-02T12:00:00Z"))
    #expect(one.missing(from: CurrencyCode(number: 0x455552), to: .usd, at: between) == "EUR on 2026-05-02")
    #expect(try ExchangeRates(Array("{}".utf8)).missing(from: code, to: .usd, at: between) == currency)
  }

  /// Every problem as `line:column: message`.
  private func problems(_ text: [UInt8]) -> [String] {
    do throws(SourceNotes) {
      _ = try ExchangeRates(table: text)
      return []
    } catch {
      return error.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" }
    }
  }

  @Test(
    "Rows that are none, with their line and column",
    arguments: [
      ("05/01/2026,EUR,1", "2:1: date must be a day of UTC such as 2026-05-01; a spreadsheet may have changed it"),
      ("2026-5-1,EUR,1", "2:1: date must be a day of UTC such as 2026-05-01"),
      ("2026-02-29,EUR,1", "2:1: date must be a day of UTC such as 2026-05-01"),
      ("2026-05-01T00:00:00Z,EUR,1", "2:1: date must be a day of UTC such as 2026-05-01"),
      (",EUR,1", "2:1: date must be a day of UTC such as 2026-05-01"),
      ("2026-05-01,eur,1", "2:12: currency must be three capital letters, such as EUR"),
      ("2026-05-01,,1", "2:12: currency must be three capital letters, such as EUR"),
      ("2026-05-01,EUR,0", "2:16: rate must be a number above 0, such as 0.92"),
      ("2026-05-01,EUR,-0.92", "2:16: rate must be a number above 0, such as 0.92"),
      ("2026-05-01,EUR,nan", "2:16: rate must be a number above 0, such as 0.92"),
      ("2026-05-01,EUR,1e999", "2:16: rate must be a number above 0, such as 0.92"),
      ("2026-05-01,EUR,0x1", "2:16: rate must be a number above 0, such as 0.92"),
      ("2026-05-01,EUR,", "2:16: rate must be a number above 0, such as 0.92"),
      (
        "2026-05-01,EUR,\"0,92\"", "2:16: rate must be a number above 0, such as 0.92; the decimal separator is a point"
      ),
      ("2026-05-01,EUR", "2:1: this row has 2 fields, the header has 3"),
      ("2026-05-01,EUR,1,1", "2:18: this row has 4 fields, the header has 3"),
      ("2026-05-01,EUR,\"1", "2:16: the field that begins with this quote never ends"),
      (
        "2026-05-01,EUR,1\n2026-05-02,EUR,1\n2026-05-01,EUR,1",
        "4:1: line 2 has a rate of EUR for this day already: keep one"
      ),
    ])
  func wrongRows(rows: String, message: String) {
    #expect(problems(Array("\(Self.header)\n\(rows)".utf8)) == [message])
  }

  @Test(
    "Headers that are none",
    arguments: [
      ("", "1:1: it is empty; its first line names the columns: date,currency,rate"),
      ("date,currency,rate\n", "1:1: there is no row under the header"),
      ("date,currency\n2026-05-01,EUR", "1:1: the column rate is missing"),
      ("date;currency;rate", "1:1: the columns are separated by \";\": save the table with commas"),
      ("date,currency,rate,rate", "1:20: the column rate is there twice"),
    ])
  func wrongHeaders(text: String, message: String) { #expect(problems(Array(text.utf8)) == [message]) }

  @Test("Every problem of a table is found; the columns may be in any order, with quotes and a byte order mark")
  func several() throws {
    #expect(problems(Array("rate,date,curency\n".utf8)).count == 2)
    #expect(
      problems(Array("\(Self.header)\nx,y,z\n1,2,3\n".utf8)).map { $0.prefix(4) } == [
        "2:1:", "2:3:", "2:5:", "3:1:", "3:3:",
      ])
    #expect(problems(Array("\(Self.header)\n2026-05-01,EUR,".utf8) + [0xFF]) == ["2:16: this is not UTF-8"])
    let text = "\u{FEFF}\"rate\",currency,date\r\n 0.8 ,EUR,2026-05-01\r\n\r\n"
    #expect(try ExchangeRates(table: Array(text.utf8)) == rates(["2026-05-01,EUR,0.8"]))
  }

  @Test(
    "Which file is a table",
    arguments: [
      ("date,currency,rate", "r", true), ("\"date\",x", "r", true), ("\u{FEFF}\n DATE;x", "r", true),
      ("date\tx", "r", true),
      ("", "r.csv", true), ("{}", "r.csv", true), ("{\"EUR\":1,\"GBP\":1}", "r", false), ("[1,2]", "r", false),
      ("", "r", false), ("date", "r", false), ("1,2", "r", false), ("null", "r", false), ("\"EUR\"", "r.json", false),
      (" \n{\"EUR\":1,\n", "r", false), ("x\n,", "r", false),
    ])
  func tables(text: String, file: String, isTable: Bool) {
    #expect(ExchangeRates.isTable(Array(text.utf8), file: file) == isTable)
  }
}
