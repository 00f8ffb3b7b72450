import SKANBase

/// The report in Markdown, for the summary of a CI job: failures in full, and the counts of the rest. It contains no
/// times, so that equal runs give equal bytes.
struct MarkdownReport: ReportWriter {
  /// The most lists and steps that are shown; the others are counted.
  private static let mostLists = 200
  private static let mostSteps = 50
  /// The most characters for one step.
  private static let longest = 4000

  private let report: ReplayReport
  private var text = ""
  private var shown = 0
  private var leftOut = 0

  init(of report: ReplayReport) { self.report = report }

  var size: Int { text.utf8.count }

  mutating func takeBytes() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  mutating func begin() {
    let counts = report.counts
    text += "## skan replay: \(report.verdict)\n\n"
    if let stop = report.stopText { text += "\("The run ended before its lists: \(stop)".markdown)\n\n" }
    text += "\(report.lists.count.counted("list")), \(counts.steps.counted("step")), "
    text += "\(counts.expectations.counted("expectation")), \(counts.failures) failed"
    text += counts.elsewhere > 0 ? ", \(counts.elsewhere) for other phones" : ""
    text += counts.endpointFailures > 0 ? ", \(counts.endpointFailures) failed by the endpoint" : ""
    text += counts.skipped > 0 ? ", \(counts.skipped) skipped" : ""
    text += counts.findings > 0 ? "; \(counts.findings.counted("step")) with findings\n\n" : "\n\n"
    if let updates = report.summary?.counts.updatesText { text += "\(updates)\n\n" }
    writeLists()
    if let matrix = report.matrix { write(matrix.part) }
    for part in report.summary?.failureParts ?? [] { write(part) }
  }

  /// Writes the table of lists, those that failed first.
  private mutating func writeLists() {
    let lists = report.lists.filter(\.hasFailed) + report.lists.filter { !$0.hasFailed }
    if lists.isEmpty { return }
    text += "| | list | steps | expectations | failed | findings |\n| --- | --- | ---: | ---: | ---: | ---: |\n"
    for list in lists.prefix(Self.mostLists) {
      let counts = list.steps.counts
      let verdict = list.hasFailed ? "FAIL" : "ok"
      let problem =
        list.problems.first.map { "<br>\($0.text.truncated(to: Self.longest, "… (cut)").markdown)" }
        ?? ""
      text += "| \(verdict) | \(list.file.markdown)\(problem) | \(counts.steps) "
      text += "| \(counts.expectations) | \(counts.failures) | \(counts.findings) |\n"
    }
    let more = lists.count - Self.mostLists
    text += more > 0 ? "\nand \(more.counted("more list"))\n\n" : "\n"
  }

  private mutating func write(_ part: ReportPart) {
    text += "### \(part.title)\n\n"
    for note in part.notes { text += "\(note.markdown)\n\n" }
    text += "| \(part.columns.map(\.name).joined(separator: " | ")) |\n"
    text += "| \(part.columns.map { $0.isNumber ? "---:" : "---" }.joined(separator: " | ")) |\n"
    for row in part.rows { text += "| \(row.map(\.markdown).joined(separator: " | ")) |\n" }
    text += "\n"
  }

  mutating func begin(_ list: ListRecord) {}

  mutating func add(_ step: StepRecord) {
    guard step.hasFailed else { return }
    guard shown < Self.mostSteps else {
      leftOut += 1
      return
    }
    shown += 1
    let account = step.account.joined(separator: "\n").truncated(to: Self.longest, "… (cut)")
    let fence = String(repeating: "`", count: max(3, account.longestRun(of: "`") + 1))
    text += "<details><summary>\(step.location.oneLine.html) \(step.title.html)</summary>\n\n"
    text += "\(fence)text\n\(account)\n\(fence)\n\n</details>\n\n"
  }

  mutating func end(_ list: ListRecord) {}

  mutating func end() {
    if leftOut > 0 { text += "and \(leftOut.counted("more step")) that failed\n\n" }
    for part in report.summary?.otherParts ?? [] where part.title == SummaryReport.outcomesTitle { write(part) }
  }
}

extension String {
  /// The text on one line, escaped so that it contains no Markdown or HTML markup.
  var markdown: String {
    oneLine.unicodeScalars.reduce(into: "") { text, scalar in
      if let entity = scalar.xmlEntity {
        text += entity
      } else {
        if #"\`*_{}[]()#+!|~"#.unicodeScalars.contains(scalar) { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The length of the longest run of a character.
  fileprivate func longestRun(of character: Character) -> Int {
    var (longest, run) = (0, 0)
    for next in self {
      run = next == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

/// Failures as workflow commands of GitHub Actions, which shows them at the lines of the lists
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
package enum GitHubAnnotations {
  /// The most annotations; GitHub shows ten errors of a step.
  static let most = 50

  /// One line for the reason that stopped the run, for each reason that a list cannot run, and for each group of like
  /// failures.
  package static func lines(of report: ReplayReport) -> [String] {
    var lines: [String] = []
    let path = { (name: String) in report.matrix?.path(of: name) ?? name }
    if case .error? = report.stop { lines.append(line(nil, nil, report.stopText ?? "")) }
    for list in report.lists {
      for problem in list.problems {
        let place = problem.place
        lines.append(
          line(
            path(place?.file ?? list.file), place?.line, column: place?.column,
            place?.message ?? problem.text))
      }
    }
    if let summary = report.summary {
      for group in summary.summary.failures.sorted {
        let parts = [group.count > 1 ? "\(group.count) times" : nil, summary.phones(of: group)].compactMap(\.self)
        let remark = parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
        let text = ([group.text + remark] + group.account).joined(separator: "\n")
        lines.append(line(path(group.file), group.line, text))
      }
    }
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + [line(nil, nil, "and \(lines.count - most + 1) more")]
  }

  private static func line(_ file: String?, _ line: Int?, column: Int? = nil, _ message: String) -> String {
    let place = file.map { "file=\($0.property)," } ?? ""
    let column = column.map { "col=\($0)," } ?? ""
    return "::error \(place)\(line.map { "line=\($0)," } ?? "")\(column)title=skan replay::\(message.message)"
  }
}

extension String {
  /// The text escaped as the message of a command, as the GitHub Actions toolkit does.
  fileprivate var message: String {
    replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing(
      "\n", with: "%0A")
  }

  /// The text escaped as a property of a command.
  fileprivate var property: String { message.replacing(":", with: "%3A").replacing(",", with: "%2C") }
}
