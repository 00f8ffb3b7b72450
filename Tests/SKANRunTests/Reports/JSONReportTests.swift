import SKANDevice
import SKANBase
import Testing

@testable import SKANRun

@Suite("The JSON report")
struct JSONReportTests {
  private func json(_ report: ReplayReport) throws -> JSON {
    try JSONReader.read(ReportForm.json.bytes(of: report)).value
  }

  @Test("One object, a step a line")
  func whole() {
    let odd = StepRecord.ran(12) {
      $0.device = "alice"
      $0.label = "l"
      $0.findings = [.emptyName]
    }
    let report = report(
      of: [
        list(
          "lists/a.jsonl",
          [odd, .skipped(13, "not yet"), .failed(14, .unmet("details", .object([("a", .double(9.5))]), .null))]),
        list("b", problems: ["b:1:1: wrong"]),
      ], stop: .error("interrupted"))
    #expect(
      ReportForm.json.text(of: report) == #"""
        {"files":[
        {"cases":[
        {"device":"alice","expectations":0,"explanation":"Nothing is kept yet.","failures":[],"file":"lists/a.jsonl",\#
        "findings":[{"code":"empty-name","message":"The event name is empty."}],"label":"l","line":12,\#
        "name":"details","op":"details","outcome":"read","skip":null},
        {"device":"","expectations":0,"explanation":"Skipped: not yet","failures":[],"file":"lists/a.jsonl",\#
        "findings":[],"label":null,"line":13,"name":"session","op":"session","outcome":"skipped","skip":"not yet"},
        {"device":"","expectations":2,"explanation":"Nothing is kept yet.",\#
        "failures":[{"actual":null,"expected":{"a":9.5},"path":"details"}],"file":"lists/a.jsonl","findings":[],\#
        "label":null,"line":14,"name":"details","op":"details","outcome":"read","skip":null}],"endpoint_failures":0,"expectations":2,\#
        "failures":1,"file":"lists/a.jsonl","findings":1,"problems":[],"skipped":1,"steps":2},
        {"cases":[],"endpoint_failures":0,"expectations":0,"failures":0,"file":"b","findings":0,"problems":["b:1:1: wrong"],"skipped":0,\#
        "steps":0}],"format":1,"summary":{"endpoint_failures":0,"expectations":2,"failures":1,"files":2,"findings":1,"passed":false,\#
        "problems":1,"skipped":1,"steps":2,"stopped":"interrupted"}}

        """#)
  }

  @Test("Keys stand in their order, however deep")
  func sorted() throws {
    let report = report(of: .ran(1), .failed(2, .unmet("a", .bool(true), .null)), problems: ["p"], stop: .atFailure)
    let value = try json(report)
    #expect(
      ReportForm.json.text(of: report).filter { $0 != "\n" } == JSONWriter.text(value))
  }

  @Test("Passed")
  func passed() throws {
    let odd = StepRecord.ran(1) { $0.findings = [.emptyName] }
    let table: [(ReplayReport, Bool)] = [
      (report(of: []), true), (report(of: .ran(1), .skipped(2, "r")), true), (report(of: odd), true),
      (report(of: odd, isStrict: true), false), (report(of: .failed(1, .unmet("a", .null, .bool(true)))), false),
      (report(of: .ran(1), problems: ["p"]), false), (report(of: .ran(1), stop: .error("e")), false),
    ]
    for (report, passed) in table { #expect(try json(report)["summary"]?["passed"] == .bool(passed)) }
  }
}
