import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// The results of steps as text for people.
enum StepText {
  /// `outcome explanation`, the endpoint's explanation, and a line for each warning.
  ///
  /// - Parameter hidesStale: whether to omit ``WarningCode/detailsStale``, which most updates cause, since it was shown
  ///   before.
  static func lines(_ result: StepResult, hidesStale: Bool) -> [StyledText] {
    var first = StyledLine()
    writeEnd(result.report, to: &first)
    return [first.styled] + endpoint(result, indent: 2) + forwarded(result, indent: 2)
      + warnings(of: result, hidesStale: hidesStale, indent: 2) + postbacks(result, indent: 2)
  }

  /// Whether a step warns that reading the details right after it is too early.
  static func showsStale(_ result: StepResult) -> Bool { result.report.warnings.contains { $0.kind == .detailsStale } }

  /// Writes the line of a list's step: its line number, the instant, the step, and its outcome.
  static func write(
    _ step: Step, _ at: Instant, _ report: StepReport, line: Int, _ columns: StepColumns, to text: inout StyledLine
  ) {
    writeBeginning(step, at: at, line: line, columns, to: &text)
    writeEnd(report, to: &text)
  }

  /// The lines below a step's line.
  ///
  /// - Parameter hidesStale: whether to omit ``WarningCode/detailsStale``, which most updates cause, since it was shown
  ///   before.
  static func furtherLines(
    _ result: StepResult, _ columns: StepColumns, showsNotes: Bool, hidesStale: Bool
  ) -> [StyledText] {
    let indent = columns.indent
    let postbacks = postbacks(result, indent: indent)
    if !showsNotes { return postbacks }
    return endpoint(result, indent: indent) + forwarded(result, indent: indent)
      + warnings(of: result, hidesStale: hidesStale, indent: indent) + postbacks
  }

  /// Writes the line of a step that is skipped.
  static func writeSkipped(
    _ step: Step, _ explanation: String, line: Int, _ columns: StepColumns, to text: inout StyledLine
  ) {
    writeBeginning(step, at: nil, line: line, columns, to: &text)
    writeOutcome(SkippedStep.outcome, .dim, to: &text)
    text.text.append(oneLine: explanation)
  }

  /// Writes the line number, the instant and the step.
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
    // A time with fractions of a second is longer; the title's column makes up for it where there is room.
    text.pad(from: title, to: 22 + columns.title + 2 - width, atLeast: 2)
  }

  /// The number of columns that a step's title needs, or `known` if that is larger.
  ///
  /// - Parameter title: memory for the title.
  static func columns(of step: Step, atLeast known: Int, in title: inout ByteText) -> Int {
    title.removeAll()
    writeTitle(step, to: &title)
    // A character never has more columns than bytes.
    return title.count <= known ? known : max(known, title.columns(from: 0))
  }

  /// Writes the phone and the operation.
  private static func writeTitle(_ step: Step, to text: inout ByteText) {
    // The phone of a list with only one usually has no name.
    let device = step.device
    if !device.isEmpty {
      text.append(oneLine: device)
      text.append(UInt8(ascii: " "))
    }
    text.append(titleOf: step)
  }

  private static func writeEnd(_ report: StepReport, to text: inout StyledLine) {
    writeOutcome(report.outcome.name, report.outcome.role, to: &text)
    let start = text.text.count
    text.text.append(report.explanation)
    text.text.makeOneLine(from: start)
  }

  /// Writes the outcome in a column that is always wider than the text.
  private static func writeOutcome(_ name: String, _ role: TextRole?, to text: inout StyledLine) {
    let start = text.text.count
    text.text.append(name)
    text.pad(from: start, to: 19, atLeast: 1)
    text.style(from: start, role)
    text.indent(atOffset: text.text.count)
  }

  /// The endpoint's explanation of its answer, if it gives one.
  private static func endpoint(_ result: StepResult, indent: Int) -> [StyledText] {
    (result.exchange?.endpointExplanation).map { ["\(spaces(indent))\("endpoint:", .dim) \($0.oneLine)"] } ?? []
  }

  /// The outcome of the server's report of a session or an event. The explanation of op `s2s` already states it, and so
  /// does the warning of a report that failed.
  private static func forwarded(_ result: StepResult, indent: Int) -> [StyledText] {
    if case .forward = result.step.operation { return [] }
    guard let call = result.forwarded, call.outcome == .ok else { return [] }
    return ["\(spaces(indent))\("server:", .dim) \(call.explanation.oneLine)"]
  }

  /// A line for each postback that the step reports.
  private static func postbacks(_ result: StepResult, indent: Int) -> [StyledText] {
    (result.postbacks ?? []).map { postback in
      var line: StyledText = "\(spaces(indent))P\(postback.sequenceIndex) "
      line.append("\(postback.state.displayText.padded(to: 10, atLeast: 1)) ", postback.state == .sent ? .success : nil)
      line.indent = line.text.columns
      line.append(postback.why)
      return line
    }
  }

  private static func warnings(of result: StepResult, hidesStale: Bool, indent: Int) -> [StyledText] {
    result.report.warnings.filter { !hidesStale || $0.kind != .detailsStale }.map { warning in
      var line = StyledLine()
      write(warning, indent: indent, to: &line)
      return line.styled
    }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Writes the line of a warning.
  static func write(_ warning: Warning, indent: Int, to text: inout StyledLine) {
    text.text.append(UInt8(ascii: " "), times: indent)
    let level = text.text.count
    text.text.append(warning.level.rawValue)
    text.text.append(UInt8(ascii: ":"))
    text.style(from: level, warning.level.role)
    text.indent(atOffset: level + 2)
    text.text.append(UInt8(ascii: " "))
    text.text.append(oneLine: warning.message)
    text.text.append(UInt8(ascii: " "))
    let code = text.text.count
    text.text.append(UInt8(ascii: "["))
    text.text.append(warning.code)
    text.text.append(UInt8(ascii: "]"))
    text.style(from: code, .dim)
  }

  /// The lines about a failure of a list's step, with its location.
  static func lines(of failure: FailureKind, _ step: StepRecord, at location: String) -> [StyledText] {
    let remarks = remarks(device: step.device, label: step.label)
    switch failure {
    case .expectation(let verdict):
      let end = step.outcome.map { [StyledText("  step      \($0.name): \(step.reason)")] } ?? []
      return self.failure(verdict, remarks, at: location, end)
    case .endpoint(let fault):
      let head = "the endpoint failed\(remarks):"
      return [withIndent("\(location, .bold): \(head, .failure) \(fault.reason.oneLine)")]
    case .finding(let finding):
      let level = "\(Warning.Level.finding.rawValue)\(remarks):"
      return ["\(location, .bold): \(level, .finding) \(finding.message.oneLine) \("[\(finding.code)]", .dim)"]
    }
  }

  /// The requests of a step and their answers, shown below its failure.
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

  /// The lines of a failed expectation of a single step.
  static func failure(_ verdict: Expectation.Verdict, of result: StepResult, at location: String?) -> [StyledText] {
    let step = result.step
    let report = result.report
    return failure(
      verdict, remarks(device: step.device, label: step.label), at: location,
      [.init("  step      \(report.outcome.name): \(report.explanation)")])
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
        // A differing line of a document begins with a sign.
        let isOfDocument = ["+", "-", " "].contains(line.text.dropFirst(2).first)
        line.indent = isOfDocument ? "  +     ".count : "  expected  ".count
        return line
      }
  }

  /// The step's phone and label, for a message.
  private static func remarks(device: String, label: String?) -> String {
    (device.isEmpty ? "" : " on \(device.oneLine)") + (label.map { " (\($0.oneLine))" } ?? "")
  }
}

extension Warning.Level {
  var role: TextRole { self == .finding ? .finding : .dim }
}

/// The widths of the columns in front of a step's outcome.
///
/// A replay prints each step as it runs and cannot know the following lines. The check before the first step has read
/// every list that can be read twice, so the line numbers and names of those are known, and both columns are as wide as
/// their content. The width of the names is limited, so that short lists look alike and a long name does not shift all
/// outcomes. The lines of a pipe are unknown, so it gets the minimum.
struct StepColumns: Sendable, Equatable {
  /// The minimum width of a step's name.
  static let least = 20
  /// The maximum width of a step's name. A longer one shifts only its own outcome. The wide limit fits an identifier
  /// and an event; the narrow one leaves room for the outcome on a terminal of 80 columns.
  static let most = (narrow: 32, wide: 56)
  /// The number of columns below which a terminal is narrow.
  private static let wideTerminal = 120

  /// The digits of the largest line number.
  var number: Int
  /// The columns of the phone's and the step's names.
  var title: Int

  /// The indentation of the lines below a step.
  var indent: Int { number + 4 }

  /// - Parameters:
  ///   - widest: the columns of the widest name.
  ///   - terminal: the width of the terminal in columns; nil if the lines go elsewhere.
  init(lines: Int, widest: Int, terminal: Int? = nil) {
    number = String(lines).count
    let isNarrow = terminal.map { $0 < Self.wideTerminal } ?? false
    title = min(max(widest, Self.least), isNarrow ? Self.most.narrow : Self.most.wide)
  }
}

extension Outcome {
  /// The role of the outcome's text: success, failure, or nil for neither.
  var role: TextRole? {
    switch self {
    case .registered, .updated, .added, .forwarded, .opened: .success
    case .frameworkError, .serverError, .unparsable, .illegalValues, .transportError, .crashed,
      .adAttributionKitError, .killed:
      .failure
    case .alreadyRegistered, .noUpdate, .windowOver, .notRegistered, .blocked, .notHigher, .iosTooOld, .ignored, .read,
      .relaunched, .set, .uncompleted:
      nil
    }
  }
}
