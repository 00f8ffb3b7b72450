import SKANBase
import SKANDevice

/// The report in the XML form of JUnit: a suite a list, a case a step. It is valid by `fixtures/reports/junit.xsd`, and by
/// the schemas of Apache Ant's JUnit task and of Jenkins's xUnit plugin, whose common part that is.
struct JUnitReport: ReportWriter {
  /// How many findings of a list are reported; readers of XML refuse a text of 10 MB.
  private static let mostFindings = 1000

  private let report: ReplayReport
  private var names = JUnitNames()
  private var xml = XMLWriter()
  private var suites = 0
  // Of the suite that was begun last.
  private var className = ""
  private var cases = JUnitCaseNames()
  private var findings: [String] = []
  /// Steps with findings that are counted only.
  private var more = 0

  init(of report: ReplayReport) { self.report = report }

  var size: Int { xml.bytes.count }

  mutating func takeBytes() -> [UInt8] { xml.takeBytes() }

  mutating func begin() { xml.begin("testsuites") }

  mutating func end() {
    if case .error? = report.stop { stop() }
    xml.end()
  }

  mutating func begin(_ list: ListRecord) {
    let file = report.redact(list.file)
    className = names.className(of: file)
    let totals = list.steps.totals
    begin(
      file.allSatisfy { $0 == " " } ? className : file, className, start: list.start, time: list.time,
      tests: totals.steps + (list.problems.isEmpty ? 0 : 1), failures: report.failed(totals),
      errors: list.problems.isEmpty ? 0 : 1, skipped: totals.skipped)
    cases = JUnitCaseNames(of: list)
    (findings, more) = ([], 0)
  }

  mutating func add(_ step: ReportedStep) {
    let name = cases.name(of: step)
    self.step(step, named: name, className)
    guard !step.hasFailed, !step.record.findings.isEmpty else { return }
    if findings.count < Self.mostFindings {
      findings += step.findingLines.map { "\(name): \($0)" }
    } else {
      more += 1
    }
  }

  mutating func end(_ list: ListRecord) {
    if more > 0 { findings.append("and \(more) more steps with findings") }
    if !list.problems.isEmpty {
      error("the list", className, type: "list", lines: list.problems.map { report.redact($0.text) })
    }
    xml.endSuite(output: findings)
  }

  private mutating func step(_ step: ReportedStep, named name: String, _ className: String) {
    var outcome: JUnitOutcome?
    if let skip = step.skip {
      outcome = .skipped(skip)
    } else if step.hasFailed {
      let type = step.record.failures.isEmpty ? step.record.fault == nil ? "finding" : "endpoint" : "expectation"
      outcome = .failure(step.summary, type: type, step.account.joined(separator: "\n"))
    }
    xml.testCase(className, name, time: step.record.time, outcome)
  }

  /// A suite of its own for what stopped the run.
  private mutating func stop() {
    let className = names.unique("skan.replay")
    begin("skan replay", className, start: report.start, tests: 1, errors: 1)
    error("the run", className, type: "run", lines: [report.stopText ?? ""])
    xml.endSuite()
  }

  private mutating func error(_ name: String, _ className: String, type: String, lines: [String]) {
    let text = lines.joined(separator: "\n")
    xml.testCase(className, name, .error(String(text.prefix { !$0.isNewline }), type: type, text))
  }

  private mutating func begin(
    _ name: String, _ className: String, start: Instant, time: TimeSpan = .zero, tests: Int, failures: Int = 0,
    errors: Int, skipped: Int = 0
  ) {
    let parent = className.lastIndex(of: ".").map { String(className[..<$0]) } ?? ""
    xml.beginSuite(
      name, in: parent, index: suites, start: start, time: time, tests: tests, failures: failures, errors: errors,
      skipped: skipped)
    suites += 1
  }
}

/// The names by which a viewer groups cases and tells them apart; no two are the same.
struct JUnitNames {
  private var used: Set<String> = []

  /// `lists/days/first.jsonl` as `lists.days.first`: viewers take what stands before the last dot for a package.
  mutating func className(of file: String) -> String {
    var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    if let last = parts.last, last.hasSuffix(".jsonl") { parts[parts.count - 1] = last.dropLast(6) }
    let name = parts.map { $0.replacing(".", with: "_") }.joined(separator: ".")
    return unique(name == "-" ? "stdin" : name.allSatisfy { $0 == " " } ? "list" : name.oneLine)
  }

  /// A name as it is, or with the first number behind it that no other has. Names that differ in the number of blanks
  /// are the same to readers of XML.
  mutating func unique(_ name: String) -> String {
    let plain = name.split(separator: " ").joined(separator: " ")
    var (suffix, number) = ("", 1)
    while !used.insert(plain + suffix).inserted {
      number += 1
      suffix = " (\(number))"
    }
    return name + suffix
  }
}

/// The names of the cases of one list.
struct JUnitCaseNames {
  private let file: String
  private let width: Int
  /// A line of the list itself holds one step, a line of an included one may come again.
  private var included = JUnitNames()

  /// Of no list yet.
  init() { (file, width) = ("", 0) }

  init(of list: ListRecord) {
    file = list.file
    width = max(3, String(list.steps.lastLine).count)
  }

  /// `007 session: label`: digits of the same number, since some viewers sort by name. `in common.jsonl:7 session` where
  /// the step is an included one.
  mutating func name(of step: ReportedStep) -> String {
    guard step.record.file == file else { return included.unique("in \(step.location.oneLine) \(step.title)") }
    return "\(String(step.record.line).leftPadded(to: width, with: "0")) \(step.title)"
  }
}
