import SKANBase

/// The report as a page for browsers: one file without scripts, which asks for nothing else and stays below 1 MiB,
/// however many steps there are. It holds no times, so that the same run gives the same bytes.
struct HTMLReport: ReportWriter {
  /// What a browser lets the page do: nothing but show itself.
  static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  /// Steps of a run from which on those that pass have no explanation.
  private static let mostExplained = 2000

  let report: ReplayReport
  var page = HTMLWriter()
  /// How much is written in full of each kind; the rest is counted.
  var failedSize = HTMLBudget(bytes: 280_000)
  var passedSize = HTMLBudget(bytes: 500_000)
  var drawingSize = HTMLBudget(bytes: 160_000)
  let explainsAll: Bool
  // Of the list that was begun last.
  var list = HTMLList()
  /// Lists that are not written.
  private var failedLeftOut = 0
  private var passedLeftOut = 0

  init(of report: ReplayReport) {
    self.report = report
    explainsAll = report.lists.reduce(0) { $0 + $1.steps.totals.steps } <= Self.mostExplained
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
    let counts = ReplayCounts(report.lists)
    var numbers = [
      ("lists", counts.lists), ("steps", counts.steps), ("skipped", counts.skipped),
      ("expectations", counts.expectations), ("failed", counts.failures), ("with findings", counts.findings),
    ]
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
    for part in report.summary?.failureParts ?? [] { page.section(part) }
  }

  mutating func begin(_ record: ListRecord) {
    let hasFailed = report.hasFailed(record)
    list = HTMLList(number: list.number + 1, record, hasFailed: hasFailed)
    let head = hasFailed ? sectionHead(of: record) : foldedHead(of: record)
    list.isShown = hasFailed ? failedSize.takes(head) : passedSize.takes(head)
    if list.isShown { page.add(head) } else if hasFailed { failedLeftOut += 1 } else { passedLeftOut += 1 }
  }

  mutating func add(_ step: ReportedStep) {
    let id = list.id(of: step.record)
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
    for part in report.summary?.otherParts ?? [] {
      page.add("<details><summary>\(part.title.html)</summary>\n")
      page.section(part)
      page.add("</details>\n")
    }
    page.endPage()
  }
}

/// How much of something is written: nothing more once a piece did not fit.
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
  /// In a word.
  var verdict: String { hasPassed ? "passed" : stop == nil ? "failed" : "stopped" }

  /// Whether something of a list is wrong.
  func hasFailed(_ list: ListRecord) -> Bool { !list.problems.isEmpty || failed(list.steps.totals) > 0 }
}
