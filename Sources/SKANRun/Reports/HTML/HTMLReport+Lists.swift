import SKANBase

extension HTMLReport {
  /// Characters of what is written of one failed expectation, and of an explanation of the run's own.
  private static let longest = 4000

  /// What stands above the steps of a list that failed.
  func sectionHead(of record: ListRecord) -> String {
    let totals = record.steps.totals
    let failed = "\(report.failed(totals)) of \(totals.steps.counted("step"))"
    var head = HTMLWriter()
    head.add("<section id=F\(list.number)>\n")
    head.element("h2", text: "FAIL \(report.redact(record.file).oneLine): \(failed)")
    if record.problems.isEmpty { return head.text }
    head.element("ul") { items in
      for problem in record.problems { items.element("li", text: Self.cut(report.redact(problem.text))) }
    }
    return head.text
  }

  /// The same of one that passed, which is folded.
  func foldedHead(of record: ListRecord) -> String {
    let steps = record.steps.totals.steps.counted("step")
    return "<details><summary>ok \(report.redact(record.file).oneLine.html): \(steps)</summary>\n"
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

  /// The steps that pass.
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
      let phone = report.redact(drawing.phone).oneLine
      page.add("<details><summary>Time line\(phone.isEmpty ? "" : " of \(phone.html)")</summary>\n")
      page.add("<div class=\"life\">\(drawing.html)</div>\n</details>\n")
    }
    if leftOut > 0 {
      page.element("p", text: "\(leftOut.counted("more time line")): not shown, as the page stays below 1 MiB.")
    }
    if let note = record.drawingNote { page.element("p", text: note) }
  }

  /// A step that passes: its line, what it is, how it ended, and why.
  func row(_ step: ReportedStep, id: String) -> String {
    let place = id.contains("I") ? step.location.oneLine : "\(step.record.line)"
    var row = "<tr id=\(id)><td><a href=#\(id)>\(place.html)</a><td>\(step.title.html)<td>\(step.outcome)"
    let lines = (explainsAll || step.skip != nil ? [step.explanation] : []) + step.findingLines
    if !lines.isEmpty { row += "<td>" + lines.map { Self.cut($0).oneLine.html }.joined(separator: "<br>") }
    return row + "\n"
  }

  /// A step that failed, with all that is wrong with it.
  static func failed(_ step: ReportedStep, id: String) -> String {
    var article = HTMLWriter()
    article.add("<article id=\(id)><h3><a href=#\(id)>\(step.location.oneLine.html)</a> \(step.title.html)</h3>\n")
    article.element("p", text: cut("\(step.outcome): \(step.explanation)").oneLine)
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
