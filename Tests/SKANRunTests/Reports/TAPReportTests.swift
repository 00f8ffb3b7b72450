import SKANDevice
import Testing

@testable import SKANRun

@Suite("The TAP report")
struct TAPReportTests {
  private func document(_ report: ReplayReport) throws -> TAPDocument {
    try TAPDocument(ReportForm.tap.text(of: report))
  }

  @Test("A point a step")
  func whole() {
    let odd = StepRecord.ran(12) {
      $0.label = "l"
      $0.findings = [.emptyName]
    }
    let report = report(
      of: .ran(2), .skipped(3, "not yet"),
      .failed(
        4, .unmet("outcome", .string("set"), .string("read")), .unmet("details", .object([("a", .integer(1))]), .null)),
      odd, problems: ["lists/a.jsonl:13:1: one", "two"], stop: .error("interrupted\nsecond line"))
    #expect(
      ReportForm.tap.text(of: report) == """
        TAP version 14
        1..5
        ok 1 - lists/a.jsonl:2 details
        ok 2 - lists/a.jsonl:3 session # SKIP not yet
        not ok 3 - lists/a.jsonl:4 details
          ---
          message: "outcome: expected \\"set\\", got \\"read\\" (and 1 more)"
          severity: "fail"
          file: "lists/a.jsonl"
          line: 4
          outcome: "read"
          explanation: "Nothing is kept yet."
          expectations:
            - path: "outcome"
              expected: "set"
              actual: "read"
            - path: "details"
              expected: {"a":1}
              actual: null
          ...
        ok 4 - lists/a.jsonl:12 details: l
        # finding: The event name is empty. [empty-name]
        not ok 5 - lists/a.jsonl: the list
          ---
          message: "lists/a.jsonl:13:1: one"
          severity: "error"
          problems:
            - message: "lists/a.jsonl:13:1: one"
            - message: "two"
          ...
        Bail out! interrupted

        """)
    #expect(throws: Never.self) { try document(report) }
  }

  @Test("With --strict a finding is a failure")
  func strict() throws {
    let point = try #require(
      try document(report(of: .ran(1) { $0.findings = [.emptyName] }, isStrict: true)).points.first)
    #expect(!point.isOK && point.comments.isEmpty)
    #expect(
      point.block.suffix(3) == [
        "findings:", "  - code: \"empty-name\"", "    message: \"The event name is empty.\"",
      ])
  }

  @Test("Nothing ran")
  func nothing() throws {
    let empty = try document(report(of: []))
    #expect(empty.points.isEmpty && empty.planReason == "no steps" && empty.bailOut == nil)
    #expect(try document(report(of: [], stop: .error("a # and \\"))).bailOut == "a # and \\")
    #expect(try document(report(of: .ran(1), stop: .atFailure)).bailOut != nil)
  }

  @Test(
    "Whatever a label or a reason is, it reads back",
    arguments: [
      "plain", "# SKIP", "a # SKIP b", ##"a \# SKIP"##, #"\"#, ##"\\#"##, "#\u{301} \\\u{301}", "ends with #", " ",
      "TODO",
      "1..5", "ok 2 - x", "Bail out!", "ü 🎉",
    ])
  func escapes(text: String) throws {
    let document = try document(report(of: .ran(1) { $0.label = text }, .skipped(2, text)))
    #expect(document.points[0].description == "lists/a.jsonl:1 details: \(text)")
    #expect(document.points[0].skip == nil)
    #expect(document.points[1].skip == text)
  }

  @Test("Lines stay lines", arguments: ["\n", "\r\n", "\u{1}", "\u{85}", "\u{2028}", "\t"])
  func lines(text: String) throws {
    let step = StepRecord.failed(1, .unmet("label", .string(text), .string("\u{FEFF}\u{FFFE}\u{FFFF}\(text)")))
    let document = try document(
      report(
        of: .ran(1) { $0.label = "a\(text)b" }, .skipped(2, "a\(text)b"), step, problems: ["a\(text)b"],
        stop: .error("a\(text)b")))
    #expect(document.points[0].description == "lists/a.jsonl:1 details: a\("\(text)".oneLine)b")
    #expect(document.points[1].skip == "a\("\(text)".oneLine)b")
    #expect(document.points[2].block.contains { $0.contains(#"actual: "\ufeff\ufffe\uffff"#) })
    #expect(document.points.count == 4)
  }
}
