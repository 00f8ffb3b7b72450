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
    #expect(text.contains("[empty-name]\nfinding: The + in the event name goes out bare"))
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
}
