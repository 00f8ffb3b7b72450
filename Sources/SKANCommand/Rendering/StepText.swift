import SKANDevice
import SKANRun
import SKANBase

/// A result as a person reads it.
enum StepText {
  /// `outcome  explanation`, why the endpoint answered so, and a line for each warning.
  ///
  /// - Parameter hidesStale: whether ``WarningCode/detailsStale`` was shown before; it comes with most updates.
  static func lines(_ result: StepResult, hidesStale: Bool) -> [StyledText] {
    [end(result.report, StyledText())] + endpoint(result, indent: "") + forwarded(result, indent: "")
      + warnings(result.report.warnings.filter { !hidesStale || $0.kind != .detailsStale }, indent: "")
      + postbacks(result, indent: "")
  }

  /// Whether a step says that reading the details right after it is too early.
  static func showsStale(_ result: StepResult) -> Bool { result.report.warnings.contains { $0.kind == .detailsStale } }

  /// The same in a list: with the line, the instant and the step in front. Of the warnings only the findings, unless
  /// `showsNotes`.
  static func lines(
    _ result: StepResult, line: Int, _ columns: StepColumns, showsNotes: Bool, hidesStale: Bool
  ) -> [StyledText] {
    let warnings = result.report.warnings.filter {
      $0.level == .finding || showsNotes && !(hidesStale && $0.kind == .detailsStale)
    }
    let indent = String(repeating: " ", count: columns.number + 2)
    let first = end(result.report, beginning(result.step, "\(result.at)", line: line, columns))
    return [first] + (showsNotes ? endpoint(result, indent: indent) + forwarded(result, indent: indent) : [])
      + self.warnings(warnings, indent: indent)
      + postbacks(result, indent: indent)
  }

  /// A step of a list that is skipped.
  static func skipped(_ step: Step, _ explanation: String, line: Int, _ columns: StepColumns) -> StyledText {
    var text = beginning(step, "", line: line, columns)
    text.append(padded("skipped", 19), .dim)
    text.indent = text.text.columns
    text.append(explanation)
    return text
  }

  /// The line of a list, the instant and the step.
  private static func beginning(_ step: Step, _ at: String, line: Int, _ columns: StepColumns) -> StyledText {
    var text = StyledText(String(line).leftPadded(to: columns.number), .dim)
    text.append("  ")
    let time = padded(at, 22)
    text.append(time, .dim)
    // A time with fractions of a second is longer, and the name gives way where it can.
    text.append(title(step).padded(to: 22 + columns.title + 2 - time.columns, atLeast: 2))
    return text
  }

  /// The phone and what it does.
  static func title(_ step: Step) -> String {
    let title = step.title
    // Where there is one phone, most have no name.
    let device = step.device
    return device.isEmpty ? title : "\(device.oneLine) \(title)"
  }

  /// The outcome and its explanation.
  private static func end(_ report: StepReport, _ beginning: StyledText) -> StyledText {
    var text = beginning
    text.append(padded(report.outcome.name, 19), report.outcome.role)
    text.indent = text.text.columns
    text.append(report.explanation.description.oneLine)
    return text
  }

  /// Why the endpoint answered so, where it says.
  private static func endpoint(_ result: StepResult, indent: String) -> [StyledText] {
    (result.exchange?.endpointExplanation).map { ["\(indent)  \("endpoint:", .dim) \($0.oneLine)"] } ?? []
  }

  /// What became of the server's report of a session or an event; of op `s2s` the explanation says it, and of a report
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
      line.append("\(padded(postback.state.displayText, 10)) ", postback.state == .sent ? .success : nil)
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

  /// A column; its text is never joined to the next.
  private static func padded(_ text: String, _ width: Int) -> String { text.padded(to: width, atLeast: 1) }

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
