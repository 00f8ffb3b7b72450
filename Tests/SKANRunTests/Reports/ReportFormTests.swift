import SKANBase
import Testing

@testable import SKANDevice
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

  @Test("Below 1 MiB, however many steps and lists; what is left out is said", arguments: [1, 4000])
  func size(lists: Int) {
    let steps: [StepRecord] = (1...(lists == 1 ? 8_000 : 1)).map { line in
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

  @Test("Of many lists those that failed come first")
  func order() {
    let failed = list("249", [.failed(1, .unmet("a", .null, .bool(true)))])
    let page = text(report(of: (0..<249).map { list("\($0)") } + [failed]))
    #expect(page.contains("| FAIL | 249 |") && page.contains("| ok | 198 |") && !page.contains("| ok | 199 |"))
  }

  @Test("A long account is cut, and no list is no table")
  func edges() {
    let page = text(report(of: .failed(1, .unmet("a", .string(String(repeating: "x", count: 1 << 20)), .null))))
    #expect(page.contains("… (cut)\n```\n") && page.count < 1 << 18)
    let empty = text(report(of: []))
    #expect(empty.contains("0 lists, 0 steps, 0 expectations, 0 failed\n") && !empty.contains("| list |"), "\(empty)")
  }
}

@Suite("Annotations of GitHub Actions")
struct GitHubAnnotationTests {
  private func lines(_ steps: [StepRecord], problems: [String] = [], stop: ReplayReport.Stop? = nil) -> [String] {
    var summary = ListSummary()
    for step in steps { summary.failures.add(step, of: step.file) }
    var counts = ReplayCounts()
    counts.lists = 1
    var report = report(of: [list("a,b:c.jsonl", problems: problems)], stop: stop)
    report.summary = SummaryReport(counts, summary)
    return GitHubAnnotations.lines(of: report)
  }

  private func failed(_ line: Int, _ text: String, on phone: String = "") -> StepRecord {
    var step = StepRecord.failed(line, .unmet("details.a", .string(text), .null))
    step.device = phone
    return step
  }

  @Test("Failures that are alike are one, at the first of them")
  func groups() {
    #expect(
      lines([failed(3, "x", on: "ann"), failed(4, "x", on: "ben"), failed(5, "y", on: "ann")]) == [
        #"::error file=lists/a.jsonl,line=3,title=skan replay::details.a: expected "x", got null (2 times: ann, ben)"#
          + Self.sentence,
        #"::error file=lists/a.jsonl,line=5,title=skan replay::details.a: expected "y", got null (ann)"#
          + Self.sentence,
      ])
  }

  /// How the sample's steps end.
  private static let sentence = "%0Aread: \(Explanation.detailsRead(0))"

  @Test("With the label of the first of them, its sentence, and what came")
  func account() {
    var step = failed(3, "x")
    step.label = "first launch"
    step.exchanges = [.page]
    let words = #"details.a: expected "x", got null%0Afirst launch\#(Self.sentence)"#
    let exchange = "%0Aanswer: HTTP 500, text/html: <html>REDACTED\\n%0Arequest: GET https://h/api?a=REDACTED&n=x"
    #expect(lines([step]) == ["::error file=lists/a.jsonl,line=3,title=skan replay::\(words)\(exchange)"])
    step = .ran(4) {
      $0.fault = EndpointFault(failure: .badAnswer, reason: "read: \(Explanation.detailsRead(0))")
      $0.exchanges = [.page]
    }
    #expect(
      lines([step]) == [
        "::error file=lists/a.jsonl,line=4,title=skan replay::the endpoint failed: read: \(Explanation.detailsRead(0))"
          + exchange
      ])
  }

  @Test("A list that cannot run is annotated at the place of its mistake")
  func places() {
    var report = report(of: [list("a.jsonl")])
    report.lists[0].problems = [
      .init("b.jsonl:3:7: no op", at: .init(file: "b.jsonl", line: 3, column: 7, message: "no op")),
      .init("and 1 more problems"),
    ]
    #expect(
      GitHubAnnotations.lines(of: report) == [
        "::error file=b.jsonl,line=3,col=7,title=skan replay::no op",
        "::error file=a.jsonl,title=skan replay::and 1 more problems",
      ])
  }

  @Test("Escaped as the toolkit does: in a property also : and ,")
  func escapes() {
    #expect(
      lines([], problems: ["100 %: wrong\r\nand\nmore"], stop: .error("a,b: c")) == [
        "::error title=skan replay::a,b: c",
        "::error file=a%2Cb%3Ac.jsonl,title=skan replay::100 %25: wrong%0D%0Aand%0Amore",
      ])
  }

  @Test("Nothing of a run that passes or stops at a failure")
  func nothing() {
    #expect(lines([], stop: .atFailure) == [] && lines([.ran(1)]) == [])
  }
}
