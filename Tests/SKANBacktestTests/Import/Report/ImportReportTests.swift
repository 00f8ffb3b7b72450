import SKANBase
import Testing

@testable import SKANBacktest

@Suite struct ImportReportTests {
  private static let table = """
    device,time,name,revenue,currency
    a,1767225600,short,1
    a,1767225600,"bad"x,1,USD
    ,1767225600,nobody,,
    a,never,when,,
    a,2026-01-01 00:00:00,where,,
    a,1767225600,,,
    a,1767225600,amount,1x,USD
    a,1767225600,comma,"1,5",USD
    a,1767225600,bare,1,
    a,1767225600,free,0,
    a,1767225600,spaces,  ,
    """

  private func report(_ text: String, model: Bool = false) throws -> ImportReport {
    let export = try ExportText(text)
    let columns = try #require(export.layout?.columns)
    var report = ImportReport(ExportPreset(columns: columns)?.mapping, models: [], rates: nil)
    report.tally = export.tally
    return report
  }

  @Test func everyReasonHasNameAndMessage() throws {
    let rejected =
      try report(Self.table).rejected
      + report("{\"event\":\"x\",\"properties\":{\"time\":1,\"$device_id\":\"a\"}}\n[1]\n").rejected.prefix(1)
    #expect(
      rejected.map { "\($0.count) \($0.reason.name): \($0.reason.message)" } == [
        "1 fields: it has another number of fields than the header",
        "1 quotes: text follows the quote that ends a field", "1 no-device: it names no device",
        "1 time: its time cannot be read, or is not between 2000 and 2100", "1 time-zone: its time has no zone",
        "1 no-name: it has neither an event's name nor revenue", "1 amount: its amount is not a decimal number",
        "1 decimal-comma: its amount has a comma; a decimal point is read, and nothing between thousands",
        "1 currency: it has revenue without a currency (three letters)", "1 json: it is not a JSON object",
      ])
    #expect(Set(rejected.map(\.reason.name)).count == ImportRejection.allCases.count)
  }

  @Test func json() throws {
    let json = try report(Self.table).json
    #expect(
      json["rejected"].map { JSONWriter.text($0) }
        == #"{"amount":1,"currency":1,"decimal-comma":1,"fields":1,"no-device":1,"no-name":1,"quotes":1,"time":1,"time-zone":1}"#
    )
    guard case .array(let rows)? = json["rejected_rows"] else {
      Issue.record("no rows")
      return
    }
    #expect(rows.count == 9)
    #expect(JSONWriter.text(rows[0]) == #"{"file":"export","line":2,"reason":"fields","value":null}"#)
    #expect(JSONWriter.text(rows[6]) == #"{"file":"export","line":8,"reason":"amount","value":"1x"}"#)
    #expect(json["rows"]?["read"] == .integer(11))
    #expect(json["zero_amounts"] == .integer(1))
    #expect(
      json["time"].map { JSONWriter.text($0) }
        == #"{"first":1767225600,"forms":{"Unix seconds":2},"last":1767225600}"#)
    #expect(json["missing"] == .null && json["unused"] == .null && json["steps"] == .null)
    let none = ImportReport(nil, models: [], rates: nil).json
    #expect(none["mapping"] == .string("none"))
    #expect(none["time"].map { JSONWriter.text($0) } == #"{"first":null,"forms":{},"last":null}"#)
  }

  @Test(arguments: [
    ("1767225600", "Unix seconds"), ("1767225600123", "Unix milliseconds"), ("1767225600123456", "Unix microseconds"),
    ("1767225600123456789", "Unix nanoseconds"),
  ])
  func timeForms(time: String, form: String) throws {
    let json = try report("device,time,name\na,\(time),x\n").json
    #expect(json["time"]?["forms"] == .object([(form, .integer(1))]))
  }
}
