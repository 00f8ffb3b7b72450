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
    if let matrix = report.matrix {
      begin(MatrixComparison.title, names.unique("skan.matrix"), start: report.start, tests: 0, errors: 0)
      xml.endSuite(output: matrix.lines)
    }
    if case .error? = report.stop { stop() }
    xml.end()
  }

  mutating func begin(_ list: ListRecord) {
    let file = list.file
    className = names.className(of: file)
    let counts = list.steps.counts
    begin(
      file.allSatisfy { $0 == " " } ? className : file, className, start: list.start, time: list.time,
      tests: counts.allSteps + (list.problems.isEmpty ? 0 : 1), failures: counts.failed,
      errors: list.problems.isEmpty ? 0 : 1, skipped: counts.skipped)
    cases = JUnitCaseNames(of: list)
    (findings, more) = ([], 0)
  }

  mutating func add(_ step: StepRecord) {
    let name = cases.name(of: step)
    self.step(step, named: name, className)
    guard !step.hasFailed, !step.findings.isEmpty else { return }
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

  private mutating func step(_ step: StepRecord, named name: String, _ className: String) {
    var outcome: JUnitOutcome?
    if let skip = step.skip {
      outcome = .skipped(skip)
    } else if step.hasFailed {
      let type = step.failures.isEmpty ? step.fault == nil ? "finding" : "endpoint" : "expectation"
      outcome = .failure(step.summary, type: type, step.account.joined(separator: "\n"))
    }
    xml.testCase(className, name, time: step.time, outcome)
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
  mutating func name(of step: StepRecord) -> String {
    guard step.file == file else { return included.unique("in \(step.location.oneLine) \(step.title)") }
    return "\(String(step.line).leftPadded(to: width, with: "0")) \(step.title)"
  }
}

/// Writes XML 1.0, one element on each line.
package struct XMLWriter {
  /// The text written so far.
  package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  /// The names of the open elements.
  private var open: [String] = []

  package init() {}

  /// Takes the text written so far.
  package mutating func takeBytes() -> [UInt8] { bytes.takeAll() }

  /// Begins an element that contains other elements.
  package mutating func begin(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    start(name, attributes)
    bytes += ">\n".utf8
    open.append(name)
  }

  /// Ends the element that was begun last.
  package mutating func end() {
    guard let name = open.popLast() else { return }
    indent()
    bytes += "</\(name)>\n".utf8
  }

  /// Writes an element without child elements.
  package mutating func element(_ name: String, _ attributes: [(name: String, value: String)] = [], text: String = "") {
    start(name, attributes)
    if text.isEmpty {
      bytes += "/>\n".utf8
    } else {
      bytes.append(UInt8(ascii: ">"))
      bytes.appendXML(text, isAttribute: false)
      bytes += "</\(name)>\n".utf8
    }
  }

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    indent()
    bytes += "<\(name)".utf8
    for (name, value) in attributes {
      bytes += " \(name)=\"".utf8
      bytes.appendXML(value, isAttribute: true)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func indent() { bytes += repeatElement(UInt8(ascii: " "), count: open.count * 2) }
}

extension [UInt8] {
  /// Appends a text, escaped. Characters that XML 1.0 cannot represent, and invisible ones, are shown as `\u0001`.
  fileprivate mutating func appendXML(_ text: String, isAttribute: Bool) {
    // Nearly every text needs no escape, and is appended at once.
    if text.utf8.allSatisfy({ $0.isPlainInXML }) {
      self += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      if let entity = scalar.xmlEntity {
        self += entity.utf8
        continue
      }
      switch scalar {
      // A reader would turn it into a line feed, and all three into blanks in an attribute.
      case "\r": self += "&#13;".utf8
      case "\t" where isAttribute: self += "&#9;".utf8
      case "\n" where isAttribute: self += "&#10;".utf8
      case "\t", "\n": append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where scalar.isHidden || scalar.isOutsideXML: self += scalar.hiddenText.utf8
      default: self += String(scalar).utf8
      }
    }
  }
}

extension UInt8 {
  /// Whether this is an ASCII character that needs no escape in a text or an attribute.
  fileprivate var isPlainInXML: Bool {
    (0x20...0x7E).contains(self) && self != 0x22 && self != 0x26 && self != 0x3C && self != 0x3E
  }
}

/// The result of a JUnit test case.
package struct JUnitOutcome {
  fileprivate let element: String
  fileprivate var attributes: [(name: String, value: String)]
  fileprivate var text = ""

  package static func failure(_ message: String, type: String, _ text: String) -> JUnitOutcome {
    JUnitOutcome(element: "failure", attributes: [("message", message), ("type", type)], text: text)
  }

  package static func error(_ message: String, type: String, _ text: String) -> JUnitOutcome {
    JUnitOutcome(element: "error", attributes: [("message", message), ("type", type)], text: text)
  }

  package static func skipped(_ message: String) -> JUnitOutcome {
    JUnitOutcome(element: "skipped", attributes: [("message", message)])
  }
}

extension XMLWriter {
  /// Begins a suite.
  ///
  /// - Parameters:
  ///   - parent: the prefix of the class names of its cases.
  ///   - index: the suite's index, from 0.
  package mutating func beginSuite(
    _ name: String, in parent: String = "skan", index: Int = 0, start: Instant, time: TimeSpan = .zero, tests: Int,
    failures: Int = 0, errors: Int = 0, skipped: Int = 0
  ) {
    // The schema requires a UTC time without fraction and zone.
    let timestamp = Instant(microseconds: start.wholeSeconds * 1_000_000).description.dropLast()
    begin(
      "testsuite",
      [
        ("name", name), ("package", parent), ("id", "\(index)"), ("timestamp", String(timestamp)),
        ("hostname", "localhost"), ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
        ("skipped", "\(skipped)"), ("time", time.decimal(digits: 3)),
      ])
    element("properties")
  }

  package mutating func endSuite(output: [String] = []) {
    element("system-out", text: output.joined(separator: "\n"))
    element("system-err")
    end()
  }

  /// Writes a test case.
  ///
  /// - Parameter outcome: nil for success.
  package mutating func testCase(
    _ className: String, _ name: String, time: TimeSpan = .zero, _ outcome: JUnitOutcome? = nil
  ) {
    let attributes = [("classname", className), ("name", name), ("time", time.decimal(digits: 6))]
    guard let outcome else { return element("testcase", attributes) }
    begin("testcase", attributes)
    element(outcome.element, outcome.attributes, text: outcome.text)
    end()
  }
}
