import Foundation
import SKANSystem
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("The JUnit report")
struct JUnitReportTests {
  private func text(_ report: ReplayReport) -> String { ReportForm.junit.text(of: report) }

  /// The values of an attribute, in their order.
  private func values(of attribute: String, in text: String) -> [String] {
    text.split(separator: " \(attribute)=\"", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  @Test("A suite a list, a case a step")
  func whole() {
    let odd = StepRecord.ran(12) {
      $0.device = "alice"
      $0.label = "the \"label\""
      $0.findings = [.emptyName]
    }
    let report = report(
      of: .ran(2), .skipped(3, "not yet"),
      .failed(
        4, .unmet("outcome", .string("set"), .string("read")),
        .unmet("details", .object([("a", .integer(1))]), .object([("a", .integer(2))]))), odd)
    #expect(
      text(report) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="lists/a.jsonl" package="lists" id="0" timestamp="2026-01-01T00:00:00" hostname="localhost" \
        tests="4" failures="1" errors="0" skipped="1" time="1.500">
            <properties/>
            <testcase classname="lists.a" name="002 details" time="0.001234"/>
            <testcase classname="lists.a" name="003 session" time="0.000000">
              <skipped message="not yet"/>
            </testcase>
            <testcase classname="lists.a" name="004 details" time="0.001234">
              <failure message="outcome: expected &quot;set&quot;, got &quot;read&quot; (and 1 more)" type="expectation">\
        lists/a.jsonl:4: expectation failed: outcome
          expected  &quot;set&quot;
          actual    &quot;read&quot;
        lists/a.jsonl:4: expectation failed: details
            {
          -   &quot;a&quot;: 1
          +   &quot;a&quot;: 2
            }
        step: read: Nothing is kept yet.</failure>
            </testcase>
            <testcase classname="lists.a" name="012 alice details: the &quot;label&quot;" time="0.001234"/>
            <system-out>012 alice details: the &quot;label&quot;: finding: The event name is empty. [empty-name]</system-out>
            <system-err/>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("With --strict a finding is a failure, and not told again")
  func strict() {
    let odd = StepRecord.ran(1) { $0.findings = [.emptyName, .plusInName] }
    var both = StepRecord.failed(2, .unmet("window", .integer(0), .integer(1)))
    both.findings = [.emptyName]
    let text = text(report(of: odd, both, isStrict: true))
    #expect(values(of: "failures", in: text) == ["2"])
    #expect(values(of: "type", in: text) == ["finding", "expectation"])
    #expect(
      values(of: "message", in: text)
        == ["finding: The event name is empty. [empty-name] (and 1 more)", "window: expected 0, got 1 (and 1 more)"])
    #expect(text.contains("[empty-name]\nfinding: The + in the event name is sent unescaped"))
    #expect(text.contains("  actual    1\nfinding: The event name is empty. [empty-name]\nstep: read: "))
    #expect(text.contains("<system-out/>"))
  }

  @Test("A list that cannot run, and a run that was stopped")
  func errors() {
    let text = text(report(of: .ran(1), problems: ["a:2:1: one", "a:3:1: <two>"], stop: .error("no\nmore")))
    #expect(
      text.contains(
        """
            <testcase classname="lists.a" name="the list" time="0.000000">
              <error message="a:2:1: one" type="list">a:2:1: one
        a:3:1: &lt;two&gt;</error>
            </testcase>
        """))
    #expect(
      text.contains(
        """
          <testsuite name="skan replay" package="skan" id="1" timestamp="2026-01-01T00:00:00" hostname="localhost" \
        tests="1" failures="0" errors="1" skipped="0" time="0.000">
            <properties/>
            <testcase classname="skan.replay" name="the run" time="0.000000">
              <error message="no" type="run">no
        more</error>
            </testcase>
        """))
    #expect(values(of: "tests", in: text) == ["2", "1"])
    #expect(values(of: "errors", in: text) == ["1", "1"])
    // That it was told to stop is no error.
    #expect(!self.text(report(of: .ran(1), stop: .atFailure)).contains("error "))
  }

  @Test(
    "Texts in XML",
    arguments: [
      ("<a> & \"b\" 'c'", "&lt;a&gt; &amp; &quot;b&quot; 'c'", "&lt;a&gt; &amp; &quot;b&quot; 'c'"),
      ("]]>", "]]&gt;", "]]&gt;"), ("ü → 🎉", "ü → 🎉", "ü → 🎉"), ("<\u{301}", "&lt;\u{301}", "&lt;\u{301}"),
      ("a\nb\tc\rd\r\n", "a&#10;b&#9;c&#13;d&#13;&#10;", "a\nb\tc&#13;d&#13;\n"),
      (
        "\u{0}\u{1}\u{8}\u{B}\u{C}\u{1F}", #"\u0000\u0001\u0008\u000b\u000c\u001f"#,
        #"\u0000\u0001\u0008\u000b\u000c\u001f"#
      ),
      (
        "\u{7F}\u{85}\u{FFFD}\u{FFFE}\u{FFFF}\u{202E}\u{E0041}",
        "\\u007f\\u0085\u{FFFD}\\ufffe\\uffff\\u202e\\u{e0041}",
        "\\u007f\\u0085\u{FFFD}\\ufffe\\uffff\\u202e\\u{e0041}"
      ),
    ])
  func escapes(text: String, attribute: String, content: String) {
    var xml = XMLWriter()
    xml.element("e", [("a", text)], text: text)
    #expect(
      String(decoding: xml.bytes, as: UTF8.self)
        == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<e a=\"\(attribute)\">\(content)</e>\n")
  }

  @Test(
    "Times are plain decimals",
    arguments: [
      (0, "0.000", "0.000000"), (1, "0.000", "0.000001"), (499, "0.000", "0.000499"), (500, "0.001", "0.000500"),
      (999_999, "1.000", "0.999999"), (1_000_000, "1.000", "1.000000"), (86_400_000_000, "86400.000", "86400.000000"),
      (-5_000_000, "0.000", "0.000000"),
    ])
  func times(microseconds: Int64, suite: String, step: String) {
    var one = list("a", [.ran(1) { $0.time = TimeSpan(microseconds: microseconds) }])
    one.time = TimeSpan(microseconds: microseconds)
    #expect(values(of: "time", in: text(report(of: [one]))) == [suite, step])
  }

  @Test("Of very many findings the first thousand")
  func manyFindings() {
    let steps = (1...1500).map { StepRecord.ran($0) { $0.findings = [.emptyName] } }
    let text = text(report(of: [list("lists/a.jsonl", steps)]))
    #expect(text.contains("\nand 500 more steps with findings</system-out>"))
    #expect(text.split(separator: "[empty-name]").count == 1001)
  }

  @Test(
    "A list's path with dots",
    arguments: [
      ("a.jsonl", "a"), ("lists/days/first.jsonl", "lists.days.first"), ("./lists/a.jsonl", "lists.a"),
      ("../../lists//a.jsonl", "lists.a"), ("/tmp/a.jsonl", "tmp.a"), ("v1.2/first.day.jsonl", "v1_2.first_day"),
      ("a.txt", "a_txt"), ("-", "stdin"), (".jsonl", "list"), (" ", "list"), ("..", "list"),
      ("a b\n\u{1}.jsonl", #"a b\n\u0001"#),
    ])
  func className(file: String, name: String) {
    var names = JUnitNames()
    #expect(names.className(of: file) == name)
  }

  @Test("No two lists have the same")
  func classNames() {
    var names = JUnitNames()
    let files = ["a.jsonl", "a.jsonl", "./a.jsonl", "a (2).jsonl", "b.c.jsonl", "b_c.jsonl", "a"]
    #expect(
      files.map { names.className(of: $0) } == ["a", "a (2)", "a (3)", "a (2) (2)", "b_c", "b_c (2)", "a (4)"])
  }

  @Test("Blanks make no difference")
  func blanks() {
    var names = JUnitNames()
    #expect(["a b", "a  b", " a b"].map { names.unique($0) } == ["a b", "a  b (2)", " a b (3)"])
  }

  private func caseNames(_ list: ListRecord) -> [String] {
    var names = JUnitCaseNames(of: list)
    var found: [String] = []
    do throws(FileError) {
      try list.steps.forEach({ $0 }) { (step) throws(FileError) in found.append(names.name(of: step)) }
    } catch {
      Issue.record(error)
    }
    return found
  }

  @Test("Line, step and label; an included list by its name")
  func caseNames() {
    let steps: [StepRecord] = [
      .ran(2) { $0.label = "l" }, .ran(10) { $0.label = "l" },
      .ran(2, in: "lists/b.jsonl") { $0.device = "p\n" }, .ran(2, in: "lists/b.jsonl") { $0.device = "p\n" },
      .ran(2, in: "lists/c.jsonl") { $0.name = "event x" },
    ]
    #expect(
      caseNames(list("lists/a.jsonl", steps)) == [
        "002 details: l", "010 details: l", #"in lists/b.jsonl:2 p\n details"#, #"in lists/b.jsonl:2 p\n details (2)"#,
        "in lists/c.jsonl:2 event x",
      ])
  }

  @Test("Lines have the same number of digits, at least three", arguments: [(99, "009"), (1000, "0009")])
  func width(last: Int, first: String) {
    #expect(caseNames(list("lists/a.jsonl", [.ran(9), .ran(last)]))[0] == "\(first) details")
    // However long an included list is.
    #expect(caseNames(list("lists/a.jsonl", [.ran(9), .ran(5000, in: "b")]))[0] == "009 details")
  }
}

/// Our schema is what the schemas of Apache Ant's JUnit task and Jenkins's xUnit plugin have in common.
@Suite("The JUnit report and its schema", .enabled(if: XMLLint.path != nil, "xmllint is not on the PATH"))
struct JUnitSchemaTests {
  @Test("Every report is valid", arguments: [false, true])
  func valid(isStrict: Bool) throws {
    let odd = "<&>\"'\n\t\r\u{0}\u{1F}\u{7F}\u{85}\u{2028}\u{FFFE}\u{FFFF}]]>🎉 "
    let steps: [StepRecord] = [
      .ran(1), .skipped(2, odd), .failed(3, .unmet("details.\(odd)", .string(odd), .null)),
      .ran(4) {
        ($0.device, $0.label, $0.name) = (odd, odd, odd)
        $0.findings = [.of(.oddType(field: odd, value: odd, expected: odd))]
        $0.isStrict = isStrict
      },
      .ran(7, in: odd), .ran(7, in: odd), .ran(1_000_000) { $0.time = TimeSpan(microseconds: -1) },
    ]
    let reports = [
      report(of: []), report(of: [], stop: .error(odd)), report(of: .ran(1), stop: .atFailure),
      report(
        of: [
          list("a.jsonl", steps), list("a.jsonl", steps, problems: [odd, odd]), list("", problems: ["p"]),
          list(" ", steps),
        ], stop: .error("interrupted")),
    ]
    for report in reports {
      let problems = try XMLLint.problems(of: ReportForm.junit.text(of: report))
      #expect(problems == "")
    }
  }

  @Test(
    "The schema refuses what is wrong",
    arguments: [
      ("name=\"002 ", "name=\"001 "), (" tests=\"2\"", " tests=\"-2\""), ("<properties/>", ""),
      ("time=\"0.001234\"", "time=\"0.1s\""), ("<system-err/>", "<system-err/><testcase/>"), ("\u{2D}04-", "\u{2D}13-"),
      ("T00:00:00", "T00:00:00Z"),
    ])
  func invalid(right: String, wrong: String) throws {
    let text = ReportForm.junit.text(of: report(of: .ran(1), .ran(2))).replacing("2026-01-01", with: "2026-04-01")
    #expect(try XMLLint.problems(of: text) == "")
    let changed = text.replacing(right, with: wrong)
    #expect(changed != text)
    #expect(try XMLLint.problems(of: changed) != "")
  }
}

/// The validator of libxml2.
enum XMLLint {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/xmllint" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let schema = Checkout.fixtures.appendingPathComponent("reports/junit.xsd").path

  /// What is wrong with a document; empty when it is valid.
  static func problems(of document: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).xml")
    try Data(document.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = ["--noout", "--nonet", "--schema", schema, file.path]
    let output = Pipe()
    process.standardError = output
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : words
  }
}
