import SKANBase

/// The report in the Test Anything Protocol, version 14 (https://testanything.org/tap-version-14-specification.html),
/// with a test point for each step. It contains no times, so that equal runs give equal bytes.
struct TAPReport: ReportWriter {
  private let report: ReplayReport
  private var bytes = Array("TAP version 14\n".utf8)
  private var count = 0

  init(of report: ReplayReport) { self.report = report }

  var size: Int { bytes.count }

  mutating func takeBytes() -> [UInt8] { bytes.takeAll() }

  mutating func begin() {
    let planned = report.lists.reduce(0) { $0 + $1.steps.counts.allSteps + ($1.problems.isEmpty ? 0 : 1) }
    line("1..\(planned)\(planned == 0 ? " # no steps" : "")")
  }

  mutating func begin(_ list: ListRecord) {}

  mutating func end() {
    for line in report.matrix?.lines ?? [] { self.line("# \(line)") }
    if let text = report.stopText { line("Bail out! \(Self.escaped(text.firstLine))") }
  }

  mutating func end(_ list: ListRecord) {
    guard !list.problems.isEmpty else { return }
    let problems = list.problems.map(\.text)
    point(isOK: false, "\(list.file): the list")
    line("  ---")
    members([("message", .string(problems[0].firstLine)), ("severity", .string("error"))])
    items("problems", problems.map { [("message", .string($0))] })
    line("  ...")
  }

  mutating func add(_ step: StepRecord) {
    point(isOK: !step.hasFailed, "\(step.location) \(step.title)", skip: step.skip)
    guard step.hasFailed else {
      for line in step.findingLines { self.line("# \(line.oneLine)") }
      return
    }
    line("  ---")
    members([
      ("message", .string(step.summary)), ("severity", .string("fail")),
      ("file", .string(step.file)), ("line", .integer(Int64(step.line))),
      ("outcome", .string(step.outcomeName)), ("explanation", .string(step.explanation)),
    ])
    items(
      "exchanges",
      step.exchanges.map { [("answer", .string($0.answerText)), ("request", .string($0.requestText))] })
    items(
      "expectations",
      step.failures.map { [("path", .string($0.path)), ("expected", $0.expected), ("actual", $0.actual)] })
    items("findings", step.findings.map { [("code", .string($0.code)), ("message", .string($0.message))] })
    line("  ...")
  }

  private mutating func point(isOK: Bool, _ description: String, skip: String? = nil) {
    count += 1
    let directive = skip.map { " # SKIP \(Self.escaped($0))" } ?? ""
    line("\(isOK ? "" : "not ")ok \(count) - \(Self.escaped(description))\(directive)")
  }

  /// Writes members as lines of a YAML block, with values as JSON, which is valid YAML.
  private mutating func members(_ members: [(key: String, value: JSON)]) {
    for (key, value) in members { line("  \(key): \(Self.yaml(value))") }
  }

  /// Writes a list of objects, if there are any. It is not written as JSON, because Perl's TAP::Harness can only read
  /// lists in this form.
  private mutating func items(_ key: String, _ items: [[(key: String, value: JSON)]]) {
    if !items.isEmpty { line("  \(key):") }
    for item in items {
      for (index, member) in item.enumerated() {
        line("    \(index == 0 ? "-" : " ") \(member.key): \(Self.yaml(member.value))")
      }
    }
  }

  private mutating func line(_ text: String) { bytes += "\(text)\n".utf8 }

  private static func yaml(_ value: JSON) -> String {
    JSONWriter.text(value).escaping { scalar in
      switch scalar {
      // YAML readers refuse these characters even in quotes.
      case "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": "\\u\(String(scalar.value, radix: 16))"
      default: nil
      }
    }
  }

  /// A description or a reason on one line, with `#` and `\` escaped.
  private static func escaped(_ text: String) -> String {
    text.oneLine.escaping { $0 == "#" || $0 == "\\" ? "\\\($0)" : nil }
  }
}

extension String {
  /// The text with some scalars replaced, whichever combining marks follow them.
  fileprivate func escaping(_ escape: (Unicode.Scalar) -> String?) -> String {
    guard unicodeScalars.contains(where: { escape($0) != nil }) else { return self }
    return unicodeScalars.reduce(into: "") { $0 += escape($1) ?? String($1) }
  }

  fileprivate var firstLine: String { String(prefix { !$0.isNewline }) }
}
