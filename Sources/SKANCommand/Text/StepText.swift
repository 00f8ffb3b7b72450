import SKANBase
import SKANDevice
import SKANRun

/// A result as a person reads it.
enum StepText {
  /// `outcome  explanation`, why the endpoint answered so, and a line for each warning.
  ///
  /// - Parameter hidesStale: whether ``WarningCode/detailsStale`` was shown before; it comes with most updates.
  static func lines(_ result: StepResult, hidesStale: Bool) -> [StyledText] {
    var first = StyledLine()
    writeEnd(result.report, to: &first)
    return [first.styled] + endpoint(result, indent: "") + forwarded(result, indent: "")
      + warnings(result.report.warnings.filter { !hidesStale || $0.kind != .detailsStale }, indent: "")
      + postbacks(result, indent: "")
  }

  /// Whether a step says that reading the details right after it is too early.
  static func showsStale(_ result: StepResult) -> Bool { result.report.warnings.contains { $0.kind == .detailsStale } }

  /// Writes the line of a step of a list: its place there, the instant, the step, and what came of it.
  static func write(
    _ step: Step, _ at: Instant, _ report: StepReport, line: Int, _ columns: StepColumns, to text: inout StyledLine
  ) {
    writeBeginning(step, at: at, line: line, columns, to: &text)
    writeEnd(report, to: &text)
  }

  /// The lines below that one where notes are not shown: a line for each finding.
  static func findings(_ report: StepReport, _ columns: StepColumns) -> [StyledText] {
    warnings(report.warnings.filter { $0.level == .finding }, indent: columns.indent)
  }

  /// The further lines below that one.
  ///
  /// - Parameter hidesStale: whether ``WarningCode/detailsStale`` was shown before; it comes with most updates.
  static func furtherLines(
    _ result: StepResult, _ columns: StepColumns, showsNotes: Bool, hidesStale: Bool
  ) -> [StyledText] {
    let indent = columns.indent
    let postbacks = postbacks(result, indent: indent)
    if !showsNotes { return postbacks }
    let warnings = result.report.warnings.filter { !hidesStale || $0.kind != .detailsStale }
    return endpoint(result, indent: indent) + forwarded(result, indent: indent)
      + self.warnings(warnings, indent: indent) + postbacks
  }

  /// Writes the line of a step that is skipped.
  static func writeSkipped(
    _ step: Step, _ explanation: String, line: Int, _ columns: StepColumns, to text: inout StyledLine
  ) {
    writeBeginning(step, at: nil, line: line, columns, to: &text)
    writeOutcome(SkippedStep.outcome, .dim, to: &text)
    text.text.append(oneLine: explanation)
  }

  /// The line of a list, the instant and the step.
  private static func writeBeginning(
    _ step: Step, at: Instant?, line: Int, _ columns: StepColumns, to text: inout StyledLine
  ) {
    text.text.append(Int64(line), width: columns.number)
    text.style(from: 0, .dim)
    text.text.append("  ")
    let time = text.text.count
    if let at { text.text.append(at) }
    let width = text.pad(from: time, to: 22, atLeast: 1)
    text.style(from: time, .dim)
    let title = text.text.count
    writeTitle(step, to: &text.text)
    // A time with fractions of a second is longer, and the name gives way where it can.
    text.pad(from: title, to: 22 + columns.title + 2 - width, atLeast: 2)
  }

  /// How many columns the phone and what it does take, or as many as are known already to be needed.
  static func columns(of step: Step, atLeast known: Int) -> Int {
    var title = ByteText()
    writeTitle(step, to: &title)
    // No character has more columns than bytes.
    return title.count <= known ? known : max(known, title.columns(from: 0))
  }

  /// The phone and what it does.
  private static func writeTitle(_ step: Step, to text: inout ByteText) {
    // Where there is one phone, most have no name.
    if !step.device.isEmpty {
      text.append(oneLine: step.device)
      text.append(" ")
    }
    text.append(titleOf: step)
  }

  /// The outcome and its explanation.
  private static func writeEnd(_ report: StepReport, to text: inout StyledLine) {
    writeOutcome(report.outcome.name, report.outcome.role, to: &text)
    let start = text.text.count
    text.text.append(report.explanation)
    text.text.makeOneLine(from: start)
  }

  /// A column that its text never fills to the end.
  private static func writeOutcome(_ name: String, _ role: TextRole?, to text: inout StyledLine) {
    let start = text.text.count
    text.text.append(name)
    text.pad(from: start, to: 19, atLeast: 1)
    text.style(from: start, role)
    text.indentHere()
  }

  /// Why the endpoint answered so, where it says.
  private static func endpoint(_ result: StepResult, indent: String) -> [StyledText] {
    (result.exchange?.endpointExplanation).map { ["\(indent)  \("endpoint:", .dim) \($0.oneLine)"] } ?? []
  }

  /// The outcome of the server's report of a session or an event; of op `s2s` the explanation says it, and of a report
  /// that is not taken the warning.
  private static func forwarded(_ result: StepResult, indent: String) -> [StyledText] {
    if case .forward = result.step.operation { return [] }
    guard let call = result.forwarded, call.outcome == .ok else { return [] }
    return ["\(indent)  \("server:", .dim) \(call.explanation.oneLine)"]
  }

  /// A line for each postback that the step tells of.
  private static func postbacks(_ result: StepResult, indent: String) -> [StyledText] {
    (result.postbacks ?? []).map { postback in
      var line: StyledText = "\(indent)  P\(postback.sequenceIndex) "
      line.append("\(postback.state.displayText.padded(to: 10, atLeast: 1)) ", postback.state == .sent ? .success : nil)
      line.indent = line.text.columns
      line.append(postback.why)
      return line
    }
  }

  private static func warnings(_ warnings: [Warning], indent: String) -> [StyledText] {
    warnings.map { warning in
      var line: StyledText =
        "\(indent)  \("\(warning.level.rawValue):", warning.level.role) \(warning.message.oneLine) \("[\(warning.code)]", .dim)"
      line.indent = indent.count + 4
      return line
    }
  }

  /// A warning of level finding, with its location.
  static func finding(_ finding: StepRecord.Finding, of step: StepRecord, at location: String) -> StyledText {
    let level = "\(Warning.Level.finding.rawValue)\(remarks(device: step.device, label: step.label)):"
    return "\(location, .bold): \(level, .finding) \(finding.message.oneLine) \("[\(finding.code)]", .dim)"
  }

  /// A failure of a remote endpoint.
  static func fault(_ fault: EndpointFault, of step: StepRecord, at location: String) -> [StyledText] {
    let head = "the endpoint failed\(remarks(device: step.device, label: step.label)):"
    return [withIndent("\(location, .bold): \(head, .failure) \(fault.reason.oneLine)")]
  }

  /// The requests of a step and their answers, below what is wrong with the step.
  static func exchanges(_ exchanges: [StepRecord.Exchange]) -> [StyledText] {
    exchanges.flatMap { exchange in
      ["  answer    \(exchange.answerText)", "  request   \(exchange.requestText)"].map { withIndent(StyledText($0)) }
    }
  }

  private static func withIndent(_ line: StyledText) -> StyledText {
    var line = line
    line.indent = "  expected  ".count
    return line
  }

  /// A failed expectation, over several lines.
  static func failure(_ verdict: Expectation.Verdict, of result: StepResult, at location: String?) -> [StyledText] {
    let step = result.step
    let report = result.report
    return failure(
      verdict, remarks(device: step.device, label: step.label), at: location,
      [.init("  step      \(report.outcome.name): \(report.explanation)")])
  }

  /// The same of a step of a list.
  static func failure(_ verdict: Expectation.Verdict, of step: StepRecord, at location: String) -> [StyledText] {
    var rest: [StyledText] = []
    if case .ran(let outcome, let explanation) = step.fate {
      rest = [.init("  step      \(outcome.name): \(explanation)")]
    }
    return failure(verdict, remarks(device: step.device, label: step.label), at: location, rest)
  }

  private static func failure(
    _ verdict: Expectation.Verdict, _ remarks: String, at location: String?, _ rest: [StyledText]
  ) -> [StyledText] {
    var first = StyledText()
    if let location { first = "\(location, .bold): " }
    first.append("expectation failed\(remarks):", .failure)
    first.append(" \(verdict.path)")
    return [first]
      + (verdict.difference.map { StyledText($0) } + rest).map { line in
        var line = line
        // Lines of a document that differ begin with a sign.
        let isOfDocument = ["+", "-", " "].contains(line.text.dropFirst(2).first)
        line.indent = isOfDocument ? "  +     ".count : "  expected  ".count
        return line
      }
  }

  /// The step's phone and label.
  private static func remarks(device: String, label: String?) -> String {
    (device.isEmpty ? "" : " on \(device.oneLine)") + (label.map { " (\($0.oneLine))" } ?? "")
  }
}

extension Warning.Level {
  var role: TextRole { self == .finding ? .finding : .dim }
}

/// How wide the columns in front of a step's outcome are.
///
/// A replay prints each step when it has run, and cannot know the lines that follow. What is known is what the check
/// before the first step has read: the lines and names of all lists that can be read twice. So both columns are as wide as
/// their content; the names' one within limits, so that short lists look alike and a long name does not push all outcomes
/// away. Of a pipe nothing is known, and it gets the least.
struct StepColumns: Sendable, Equatable {
  /// The least for the name of a step.
  static let least = 20
  /// The most, beyond which a name pushes only its own outcome: room for an identifier and an event; on a terminal of 80
  /// columns as much as leaves the outcome on the line.
  static let most = (narrow: 32, wide: 56)
  /// Below this a terminal is narrow.
  private static let wideTerminal = 120

  /// Digits of the largest line number.
  var number: Int
  /// Of the phone's name and the step's.
  var title: Int

  /// In front of the lines below a step.
  var indent: String { String(repeating: " ", count: number + 2) }

  /// - Parameters:
  ///   - widest: the columns of the widest name.
  ///   - terminal: its columns; nil where the lines go elsewhere.
  init(lines: Int, widest: Int, terminal: Int? = nil) {
    number = String(lines).count
    let isNarrow = terminal.map { $0 < Self.wideTerminal } ?? false
    title = min(max(widest, Self.least), isNarrow ? Self.most.narrow : Self.most.wide)
  }
}

extension Outcome {
  /// Whether it went as it should.
  var role: TextRole? {
    switch self {
    case .registered, .updated, .added, .forwarded: .success
    case .frameworkError, .serverError, .unparsable, .illegalValues, .transportError, .crashed: .failure
    case .alreadyRegistered, .noUpdate, .windowOver, .notRegistered, .blocked, .notHigher, .iosTooOld, .ignored, .read,
      .relaunched, .set:
      nil
    }
  }
}
