import SKANBase
import Testing

@testable import SKANRun

@Suite("The report in Markdown")
struct MarkdownReportTests {
  private func text(_ report: ReplayReport) -> String { ReportForm.markdown.text(of: report) }

  @Test("Counts, the lists, and what failed")
  func whole() {
    let failed = StepRecord.failed(2, .unmet("window", .integer(1), .integer(0)))
    #expect(
      text(report(of: [list("ok.jsonl", [.ran(1, in: "ok.jsonl")]), list("lists/a.jsonl", [.ran(1), failed])])) == """
        ## skan replay: failed

        2 lists, 3 steps, 2 expectations, 1 failed

        | | list | steps | expectations | failed | findings |
        | --- | --- | ---: | ---: | ---: | ---: |
        | FAIL | lists/a.jsonl | 2 | 2 | 1 | 0 |
        | ok | ok.jsonl | 1 | 0 | 0 | 0 |

        <details><summary>lists/a.jsonl:2 details</summary>

        ```text
        lists/a.jsonl:2: expectation failed: window
          expected  1
          actual    0
        step: read: Nothing is kept yet.
        ```

        </details>


        """)
  }

  @Test(
    "Nothing of a list is markup",
    arguments: [
      ("a|b", #"a\|b"#), ("<img src=x>", "&lt;img src=x&gt;"), ("[x](y)", #"\[x\]\(y\)"#), ("`a` *b*", #"\`a\` \*b\*"#),
      ("a\nb", "a\\\\nb"), ("#1", "\\#1"),
    ])
  func escapes(text: String, markdown: String) { #expect(text.markdown == markdown) }

  @Test("A text with a fence in it stays in its own")
  func fence() {
    let page = text(report(of: .failed(1, .unmet("a", .string("x\n```\n````"), .null))))
    #expect(page.contains("`````text\n") && page.contains("\n`````\n"))
  }

  @Test("Fifty failed steps and two hundred lists, those that failed first; the others are counted")
  func limits() {
    let steps = (1...60).map { StepRecord.failed($0, .unmet("a", .null, .bool(true))) }
    let lists = (0..<250).map { list("\($0)", $0 == 249 ? steps : []) }
    let page = text(report(of: lists))
    #expect(page.contains("| FAIL | 249 |") && page.contains("and 50 more lists") && !page.contains("| ok | 248 |"))
    #expect(page.components(separatedBy: "<details>").count == 51 && page.contains("and 10 more steps that failed"))
  }

  @Test("A long account is cut, and no list is no table")
  func edges() {
    let page = text(report(of: .failed(1, .unmet("a", .string(String(repeating: "x", count: 1 << 20)), .null))))
    #expect(page.contains("… (cut)\n```\n") && page.count < 1 << 18)
    let empty = text(report(of: []))
    #expect(empty.contains("0 lists, 0 steps, 0 expectations, 0 failed\n") && !empty.contains("| list |"), "\(empty)")
  }
}
