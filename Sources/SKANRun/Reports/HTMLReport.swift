import SKANBase

/// The report as an HTML page: one file below 1 MiB without scripts and external resources, however many steps there
/// are. It contains no times, so that equal runs give equal bytes.
struct HTMLReport: ReportWriter {
  /// The page's content security policy.
  static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  /// The number of steps in a run up to which passed steps are shown with explanations.
  private static let mostExplained = 2000

  let report: ReplayReport
  var page = HTMLWriter()
  /// The bytes available for each kind of content; the rest is only counted.
  var failedSize = HTMLBudget(bytes: 280_000)
  var passedSize = HTMLBudget(bytes: 500_000)
  var drawingSize = HTMLBudget(bytes: 160_000)
  let explainsAll: Bool
  // The list that was begun last.
  var list = HTMLList()
  /// Lists that are left out.
  private var failedLeftOut = 0
  private var passedLeftOut = 0

  init(of report: ReplayReport) {
    self.report = report
    explainsAll = report.counts.allSteps <= Self.mostExplained
  }

  var size: Int { page.text.utf8.count }

  mutating func takeBytes() -> [UInt8] { Array(page.takeText().utf8) }

  mutating func begin() {
    let verdict = report.verdict
    page.beginPage(
      title: "skan replay: \(verdict)", policy: Self.policy, style: HTMLReportStyle.text + report.drawingStyle)
    page.element("h1", text: "skan replay: \(verdict)")
    if let stop = report.stopText {
      page.element("p", [("class", "fail")], text: "The run ended before its lists: \(stop)")
    }
    let counts = report.counts
    var numbers = [
      ("lists", report.lists.count), ("steps", counts.steps), ("skipped", counts.skipped),
      ("expectations", counts.expectations), ("failed", counts.failures), ("with findings", counts.findings),
    ]
    if counts.elsewhere > 0 { numbers.append(("expectations for other phones", counts.elsewhere)) }
    if counts.endpointFailures > 0 { numbers.append(("failed by the endpoint", counts.endpointFailures)) }
    page.element("dl") { list in
      for (name, count) in numbers {
        list.element("div") { pair in
          pair.element("dt", text: name)
          pair.element("dd", text: "\(count)")
        }
      }
    }
    if let updates = report.summary?.counts.updatesText { page.element("p", text: updates) }
    if let matrix = report.matrix { page.section(matrix.part) }
    for part in report.summary?.failureParts ?? [] { page.section(part) }
  }

  mutating func begin(_ record: ListRecord) {
    list = HTMLList(number: list.number + 1, record)
    let head = list.hasFailed ? sectionHead(of: record) : foldedHead(of: record)
    list.isShown = list.hasFailed ? failedSize.takes(head) : passedSize.takes(head)
    if list.isShown { page.add(head) } else if list.hasFailed { failedLeftOut += 1 } else { passedLeftOut += 1 }
  }

  mutating func add(_ step: StepRecord) {
    let id = list.id(of: step)
    if step.hasFailed {
      let text = Self.failed(step, id: id)
      if list.isShown, failedSize.takes(text) { page.add(text) } else { list.failedLeftOut += 1 }
    } else {
      list.passed += 1
      let text = row(step, id: id)
      if list.isShown, passedSize.takes(text) { list.rows += text } else { list.passedLeftOut += 1 }
    }
  }

  mutating func end(_ record: ListRecord) {
    guard list.isShown else { return }
    if list.hasFailed { return endSection(of: record) }
    writeRows()
    drawLives(of: record)
    page.add("</details>\n")
  }

  mutating func end() {
    let leftOut = [(failedLeftOut, "that failed"), (passedLeftOut, "that passed")].filter { $0.0 > 0 }
    for (count, what) in leftOut {
      page.element("p", text: "\(count.counted("more list")) \(what): not shown, as the page stays below 1 MiB.")
    }
    for (index, part) in (report.summary?.otherParts ?? []).enumerated() {
      // The first has the outcomes with their bars.
      page.add("<details\(index == 0 ? " open" : "")><summary>\(part.title.html)</summary>\n")
      page.section(part)
      page.add("</details>\n")
    }
    page.endPage()
  }
}

/// Limits the size of some content: after the first text that does not fit, no more is written.
struct HTMLBudget {
  private var bytes: Int
  private(set) var isUsedUp = false

  init(bytes: Int) { self.bytes = bytes }

  mutating func takes(_ text: String) -> Bool {
    if !isUsedUp { isUsedUp = text.utf8.count > bytes }
    if !isUsedUp { bytes -= text.utf8.count }
    return !isUsedUp
  }
}

extension ReplayReport {
  /// The verdict on the run in one word.
  var verdict: String { hasPassed ? "passed" : stop == nil ? "failed" : "stopped" }
}

extension HTMLReport {
  /// The most characters for one failed expectation or one explanation.
  private static let longest = 4000

  /// The part above the steps of a list that failed.
  func sectionHead(of record: ListRecord) -> String {
    let counts = record.steps.counts
    let failed = "\(counts.failed) of \(counts.allSteps.counted("step"))"
    var head = HTMLWriter()
    head.add("<section id=F\(list.number)>\n")
    head.element("h2", text: "FAIL \(record.file.oneLine): \(failed)")
    if record.problems.isEmpty { return head.text }
    head.element("ul") { items in
      for problem in record.problems { items.element("li", text: Self.cut(problem.text)) }
    }
    return head.text
  }

  /// The folded part above the steps of a list that passed.
  func foldedHead(of record: ListRecord) -> String {
    let steps = record.steps.counts.allSteps.counted("step")
    return "<details><summary>ok \(record.file.oneLine.html): \(steps)</summary>\n"
  }

  mutating func endSection(of record: ListRecord) {
    if list.failedLeftOut > 0 { writeLeftOut(list.failedLeftOut, "failed") }
    if list.passed > 0 {
      page.add("<details><summary>\(list.passed.counted("step")) that passed</summary>\n")
      writeRows()
      page.add("</details>\n")
    }
    drawLives(of: record)
    page.add("</section>\n")
  }

  /// Writes the rows of passed steps.
  mutating func writeRows() {
    if !list.rows.isEmpty {
      page.add("<div class=\"wide\"><table class=\"steps\">\n\(list.rows)</table></div>\n")
      list.rows = ""
    }
    if list.passedLeftOut > 0 { writeLeftOut(list.passedLeftOut, "passed") }
  }

  private mutating func writeLeftOut(_ count: Int, _ what: String) {
    page.element("p", text: "\(count.counted("more step")) that \(what): not shown, as the page stays below 1 MiB.")
  }

  mutating func drawLives(of record: ListRecord) {
    var leftOut = 0
    for drawing in record.drawings {
      guard drawingSize.takes(drawing.html) else {
        leftOut += 1
        continue
      }
      let phone = drawing.phone.oneLine
      page.add("<details><summary>Time line\(phone.isEmpty ? "" : " of \(phone.html)")</summary>\n")
      page.add("<div class=\"life\">\(drawing.html)</div>\n</details>\n")
    }
    if leftOut > 0 {
      page.element("p", text: "\(leftOut.counted("more time line")): not shown, as the page stays below 1 MiB.")
    }
    if let note = record.drawingNote { page.element("p", text: note) }
  }

  /// The row of a passed step: its location, title, outcome and explanation.
  func row(_ step: StepRecord, id: String) -> String {
    let place = id.contains("I") ? step.location.oneLine : "\(step.line)"
    var row = "<tr id=\(id)><td><a href=#\(id)>\(place.html)</a><td>\(step.title.html)<td>\(step.outcomeName)"
    let lines = (explainsAll || step.skip != nil ? [step.explanation] : []) + step.findingLines
    if !lines.isEmpty { row += "<td>" + lines.map { Self.cut($0).oneLine.html }.joined(separator: "<br>") }
    return row + "\n"
  }

  /// A failed step with all its problems.
  static func failed(_ step: StepRecord, id: String) -> String {
    var article = HTMLWriter()
    article.add("<article id=\(id)><h3><a href=#\(id)>\(step.location.oneLine.html)</a> \(step.title.html)</h3>\n")
    article.element("p", text: cut("\(step.outcomeName): \(step.explanation)").oneLine)
    for failure in step.failures {
      let lines = cut(([failure.path.oneLine] + failure.difference).joined(separator: "\n")).split(separator: "\n")
      article.add("<pre>\(lines.map { String($0).html }.joined(separator: "\n"))</pre>\n")
    }
    if let line = step.faultLine { article.element("p", [("class", "fail")], text: cut(line).oneLine) }
    for line in step.findingLines { article.element("p", text: cut(line).oneLine) }
    let exchange = step.exchangeLines.map { cut($0).html }
    if !exchange.isEmpty { article.add("<pre>\(exchange.joined(separator: "\n"))</pre>\n") }
    article.add("</article>\n")
    return article.text
  }

  private static func cut(_ text: String) -> String { text.truncated(to: longest, "… (cut)") }
}

/// The list that is being written.
struct HTMLList {
  /// The list's number, from 1; 0 before the first.
  var number = 0
  let hasFailed: Bool
  /// Whether there is room for it.
  var isShown = false
  private let file: String
  /// The number of steps of included lists so far.
  private var included = 0
  /// The rows of passed steps.
  var rows = ""
  var passed = 0
  var passedLeftOut = 0
  var failedLeftOut = 0

  /// No list yet.
  init() { (file, hasFailed) = ("", false) }

  init(number: Int, _ record: ListRecord) {
    self.number = number
    (file, hasFailed) = (record.file, record.hasFailed)
  }

  /// The anchor of a step in the page: `L23` for a line of the first list, `F2L23` for one of the second, and `F1I4`
  /// for the fourth step of included lists, because an included line may run several times.
  mutating func id(of step: StepRecord) -> String {
    if step.file == file { return number == 1 ? "L\(step.line)" : "F\(number)L\(step.line)" }
    included += 1
    return "F\(number)I\(included)"
  }
}

/// The style of a replay's page, added to ``HTMLStyle``. The words alone show what failed; a border only repeats it.
enum HTMLReportStyle {
  static let text = """
    article{border-left:4px solid var(--fail);padding:.1rem 0 .1rem .9rem;margin:1rem 0}article h3{margin:.25rem 0}
    a{color:inherit}:target{background:var(--soft);outline:2px solid var(--bar)}
    pre{background:var(--soft);border:1px solid var(--rule);border-radius:6px;padding:.5rem .75rem;overflow-x:auto;\
    font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
    .steps td{text-align:left;vertical-align:top}.steps td:nth-child(4){white-space:normal}.fail{color:var(--fail);font-weight:600}
    section td.text{white-space:normal;overflow-wrap:anywhere;vertical-align:top}
    .life svg{max-width:40rem;height:auto}

    """
}
