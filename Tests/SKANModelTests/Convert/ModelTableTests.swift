import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("A flat table as a model")
struct ModelTableTests {
  private static let header = ModelTable.columns.joined(separator: ",")

  /// What reading complains of, or the model's tables in lines.
  private func result(_ text: String, currency: String? = nil) -> [String] {
    do throws(SourceNotes) {
      let model = try ModelTable.read(Array(text.utf8), currency: currency, hint: "!")
      return model.tables.flatMap { table in table.rows.map { "\($0.value): \($0.meaning)" } }
    } catch {
      return error.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" }
    }
  }

  @Test("Rows of one value hold together; the order of rows says nothing")
  func rows() {
    let text = """
      \(Self.header)
      0,1,,__SESSION__,,,,,
      0,5,,level_5,2,4,,,
      0,9,,purchase,1,,0.99,4.99,EUR
      0,9,,__SESSION__,3,,,,
      1,,high,,,,20,,
      1,,low,__SESSION__,,,,,

      """
    #expect(
      result(text, currency: "USD") == [
        "1: a session at least once", "5: level_5 2 to 4 times",
        "9: purchase at least once with revenue from 0.99 to below 4.99 EUR and a session at least 3 times",
        "low: a session at least once", "high: revenue of at least 20 USD",
      ])
    #expect(result("window,coarse,event\n2,LOW,a") == ["low: a at least once"])
    #expect(result("\(Self.header)\n0,1,,a,3,3,,,\n0,2,,b,1,1,,,") == ["1: a exactly 3 times", "2: b exactly once"])
    #expect(result("\(Self.header)\n0,1,,a,,2,,3,USD") == ["1: a 1 to 2 times with revenue from 0 to below 3 USD"])
  }

  @Test(
    "What is wrong, with its column",
    arguments: [
      ("3,1,,a,,,,,", "2:1: window must be 0, 1 or 2, the index of a postback"),
      ("0,64,,a,,,,,", "2:3: value must be a whole number from 0 to 63"),
      ("0,1,low,a,,,,,", "2:5: a row is for a fine value or for a coarse one: give each its own row"),
      ("0,,,a,,,,,", "2:1: the row needs a value, 0 to 63, or a coarse value"),
      ("0,,mid,a,,,,,", "2:4: coarse must be low, medium or high"),
      ("1,1,,a,,,,,", "2:3: fine values belong to window 0"),
      ("0,1,,,,,,,", "2:6: the row asks for nothing: it needs an event or revenue"),
      ("0,1,,a,0,,,,", "2:8: min_count must be a whole number from 1"),
      ("0,1,,a,3,2,,,", "2:10: the counts end before they begin"),
      ("0,1,,a,,,-1,,USD", "2:10: min_revenue must be an amount such as 4.99, 0 or more"),
      ("0,1,,a,,,0,,USD", "2:10: everyone has revenue from 0 on: leave it out"),
      ("0,1,,a,,,2,2,USD", "2:12: no revenue is in this range: its end is not part of it"),
      ("0,1,,a,,,2,,", "2:10: the amount has no currency!"),
      ("0,1,,a,,,2,,usd", "2:13: currency must be three capital letters, such as USD"),
      ("0,1,,,2,,1,,USD", "2:7: revenue alone is not counted: name an event"),
      ("0,1,,,,2,1,,USD", "2:8: revenue alone is not counted: name an event"),
      ("0,1,,a,,,,0,USD", "2:11: no revenue is in this range: its end is not part of it"),
      ("0,1,,a,,,,2,", "2:11: the amount has no currency!"),
    ])
  func wrong(row: String, message: String) {
    #expect(result("\(Self.header)\n\(row)") == [message])
  }

  @Test("A row that is there twice")
  func twice() {
    #expect(
      result("\(Self.header)\n0,1,,a,2,,,,\n0,2,,a,2,,,,\n0,1,,a,2,,,,") == ["4:1: fine value 1 has this row already"])
  }

  @Test("A wrong header, and none")
  func header() {
    #expect(result("window,valeu,event\n").first?.contains("did you mean value?") == true)
    #expect(result("value,event\n1,a") == ["1:1: the column window is missing"])
    #expect(result(Self.header) == ["1:1: there is no row under the header"])
  }
}
