import SKANBase
import SKANDevice

/// The report as JUnit XML: a suite for each list, a case for each step. It is valid by `fixtures/reports/junit.xsd`,
/// the common part of the schemas of Apache Ant's JUnit task and Jenkins's xUnit plugin.
struct JUnitReport: ReportWriter {
  /// The most findings reported for a list; XML readers refuse a text of 10 MB.
  private static let mostFindings = 1000

  private let report: ReplayReport
  private var names = JUnitNames()
  private var xml = XMLWriter()
  private var suites = 0
  // The suite that was begun last.
  private var className = ""
  private var cases = JUnitCaseNames()
  private var findings: [String] = []
  /// Steps with findings beyond ``mostFindings``.
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
    let file = list.file
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
      error("the list", className, type: "list", lines: list.problems.map(\.text))
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

  /// Writes a separate suite for the reason that stopped the run.
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

/// Makes the unique names by which viewers group and identify cases.
struct JUnitNames {
  private var used: Set<String> = []

  /// `lists/days/first.jsonl` becomes `lists.days.first`: viewers take the part before the last dot for a package.
  mutating func className(of file: String) -> String {
    var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    if let last = parts.last, last.hasSuffix(".jsonl") { parts[parts.count - 1] = last.dropLast(6) }
    let name = parts.map { $0.replacing(".", with: "_") }.joined(separator: ".")
    return unique(name == "-" ? "stdin" : name.allSatisfy { $0 == " " } ? "list" : name.oneLine)
  }

  /// Returns the name, with the lowest unused number appended if it was used before. XML readers treat names that
  /// differ only in the number of blanks as equal.
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

/// Makes the names of one list's cases.
struct JUnitCaseNames {
  private let file: String
  private let width: Int
  /// A line of the list itself has one step; a line of an included list may run several times.
  private var included = JUnitNames()

  /// No list yet.
  init() { (file, width) = ("", 0) }

  init(of list: ListRecord) {
    file = list.file
    width = max(3, String(list.steps.lastLine).count)
  }

  /// `007 session: label`, with the same number of digits in each name because some viewers sort by name; `in
  /// common.jsonl:7 session` for a step of an included list.
  mutating func name(of step: ReportedStep) -> String {
    guard step.record.file == file else { return included.unique("in \(step.location.oneLine) \(step.title)") }
    return "\(String(step.record.line).leftPadded(to: width, with: "0")) \(step.title)"
  }
}
