import SKANBase
import Testing

@testable import SKANRun

@Suite("The page of a replay")
struct HTMLReportTests {
  private func text(_ report: ReplayReport) -> String { ReportForm.html.text(of: report) }

  @Test("It may run and load nothing, and asks for nothing")
  func isSelfContained() {
    let page = text(report(of: .ran(1), .failed(2, .unmet("window", .integer(1), .integer(0)))))
    #expect(
      page.contains(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          + "img-src data:\">"))
    for word in ["<script", "http:", "https:", "<link", "@import", "src=", "onload"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("prefers-color-scheme:dark") && page.hasSuffix("</html>\n"))
  }

  @Test("A list that passes is folded; of one that fails what failed is open")
  func folded() {
    let passed = text(report(of: .ran(7) { $0.label = "a <b>" }, .skipped(8, "not yet")))
    #expect(passed.contains("<h1>skan replay: passed</h1>"))
    #expect(passed.contains("<details><summary>ok lists/a.jsonl: 2 steps</summary>"))
    #expect(passed.contains("<tr id=L7><td><a href=#L7>7</a><td>details: a &lt;b&gt;<td>read<td>Nothing is kept yet."))
    #expect(passed.contains("<td>skipped<td>Skipped: not yet"))
    let failed = text(report(of: .ran(1), .failed(2, .unmet("window", .string("<i>"), .integer(0)))))
    #expect(failed.contains("<h1>skan replay: failed</h1>"))
    #expect(failed.contains("<h2>FAIL lists/a.jsonl: 1 of 2 steps</h2>"))
    #expect(failed.contains("<article id=L2><h3><a href=#L2>lists/a.jsonl:2</a> details</h3>"))
    #expect(failed.contains("<pre>window\n  expected  &quot;&lt;i&gt;&quot;\n  actual    0</pre>"))
    #expect(failed.contains("<details><summary>1 step that passed</summary>"))
  }

  @Test("Each step has a name of its own, over all lists and for lines that are included again")
  func ids() {
    let included: [StepRecord] = [.ran(1), .ran(3, in: "common.jsonl"), .ran(3, in: "common.jsonl"), .ran(4)]
    let page = text(report(of: [list("lists/a.jsonl", included), list("lists/a.jsonl", [.ran(1)])]))
    let ids = page.matches(of: /<tr id=([A-Z0-9]+)>/).map { String($0.output.1) }
    #expect(ids == ["L1", "F1I1", "F1I2", "L4", "F2L1"])
    for id in ids { #expect(page.contains("<a href=#\(id)>")) }
  }

  @Test("Problems of lists, and why the run ended")
  func problems() {
    let page = text(report(of: [list("b", problems: ["b:1:1: <wrong>"])], stop: .error("interrupted")))
    #expect(page.contains("<h1>skan replay: stopped</h1>") && page.contains("interrupted</p>"))
    #expect(page.contains("<li>b:1:1: &lt;wrong&gt;</li>"))
  }

  @Test("Findings are failures where that is asked")
  func findings() {
    let step = StepRecord.ran(1) { $0.findings = [.emptyName] }
    #expect(text(report(of: step)).contains("<br>finding: The event name is empty. [empty-name]"))
    #expect(text(report(of: step, isStrict: true)).contains("<article id=L1>"))
  }

  @Test("The SDK key is in none of it")
  func redacted() {
    let step = StepRecord.failed(1, .unmet("secret", .string("secret"), .string("a secret")))
    let one = list("secret.jsonl", [step, .ran(2) { $0.device = "secret" }], problems: ["secret"])
    let report = report(of: [one], stop: .error("secret")) { $0.replacing("secret", with: "REDACTED") }
    for form in [ReportForm.html, .markdown] { #expect(!form.text(of: report).contains("secret")) }
    #expect(!GitHubAnnotations.lines(of: report).joined().contains("secret"))
  }

  @Test("Below 1 MiB, however many steps and lists; what is left out is said", arguments: [1, 4000])
  func size(lists: Int) {
    let steps: [StepRecord] = (1...(lists == 1 ? 20_000 : 2)).map { line in
      let change: (inout StepRecord) -> Void = {
        $0.device = "phone-\(line % 97)"
        $0.label = "the first purchase of the day"
      }
      return line % 4 == 0 && lists == 1
        ? .ran(line) {
          change(&$0)
          $0.failures = [.unmet("details.window", .string(String(repeating: "x", count: 9000)), .null)]
        } : .ran(line, change)
    }
    let all = (0..<lists).map { list("lists/a.jsonl", steps.map { $0 }, problems: $0 == 7 ? ["wrong"] : []) }
    let page = text(report(of: all))
    #expect(page.utf8.count < 1 << 20)
    if lists == 1 {
      #expect(page.contains("more steps that failed: not shown") && page.contains("more steps that passed: not shown"))
      #expect(!page.contains("Nothing is kept yet.</td>"))
    } else {
      #expect(page.contains("more lists that passed: not shown"))
      #expect(page.contains("<li>wrong</li>"))
    }
  }

  @Test("Drawings are folded, as many as there is room for")
  func drawings() {
    var one = list("l", [.ran(1, in: "l")])
    one.drawings = (0..<9).map {
      LifeDrawing(phone: "p\($0)", html: "<svg>\(String(repeating: " ", count: 30_000))</svg>")
    }
    one.drawingNote = "Time lines are drawn of some."
    let page = text(report(of: [one]))
    #expect(page.contains("<details><summary>Time line of p0</summary>\n<div class=\"life\"><svg>"))
    #expect(page.components(separatedBy: "<svg>").count - 1 == 5)
    #expect(page.contains("4 more time lines: not shown"))
    #expect(page.contains("Time lines are drawn of some."))
  }
}
