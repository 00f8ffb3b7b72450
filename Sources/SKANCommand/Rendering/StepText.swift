import SKANDevice
import SKANRun
import SKANText

/// A result as a person reads it.
enum StepText {
  /// `outcome  explanation`, why the endpoint answered so, and a line for each warning.
  static func lines(_ result: StepResult) -> [String] {
    let outcome = result.report.outcome.name
    return [padded(outcome, 19) + result.report.explanation.description.oneLine] + endpoint(result, indent: "")
      + forwarded(result, indent: "") + warnings(result.report.warnings, indent: "") + postbacks(result, indent: "")
  }

  /// The same in a list: with the line, the instant and the step in front. Of the warnings only the findings, unless
  /// `showsNotes`.
  static func lines(_ result: StepResult, line: Int, numberWidth: Int, showsNotes: Bool) -> [String] {
    let number = String(line).leftPadded(to: numberWidth)
    let device = result.step.device.isEmpty ? "" : "\(result.step.device.oneLine) "
    let first =
      "\(number)  " + padded(padded("\(result.at)", 22) + device + result.step.title, 44)
      + padded(result.report.outcome.name, 19) + result.report.explanation.description.oneLine
    let warnings = result.report.warnings.filter { showsNotes || $0.level == .finding }
    let indent = String(repeating: " ", count: numberWidth + 2)
    return [first] + (showsNotes ? endpoint(result, indent: indent) + forwarded(result, indent: indent) : [])
      + self.warnings(warnings, indent: indent)
      + postbacks(result, indent: indent)
  }

  /// A step of a list that is skipped.
  static func skipped(_ step: Step, _ explanation: String, line: Int, numberWidth: Int) -> String {
    let device = step.device.isEmpty ? "" : "\(step.device.oneLine) "
    let number = String(line).leftPadded(to: numberWidth)
    return "\(number)  " + padded(padded("", 22) + device + step.title, 44) + padded("skipped", 19) + explanation
  }

  /// Why the endpoint answered so, where it says.
  private static func endpoint(_ result: StepResult, indent: String) -> [String] {
    (result.exchange?.endpointExplanation).map { ["\(indent)  endpoint: \($0.oneLine)"] } ?? []
  }

  /// What became of the server's report of a session or an event; of op `s2s` the explanation says it, and of a report
  /// that is not taken the warning.
  private static func forwarded(_ result: StepResult, indent: String) -> [String] {
    if case .forward = result.step.operation { return [] }
    guard let call = result.forwarded, call.outcome == .ok else { return [] }
    return ["\(indent)  server: \(call.explanation.oneLine)"]
  }

  /// A line for each postback that the step tells of.
  private static func postbacks(_ result: StepResult, indent: String) -> [String] {
    (result.postbacks ?? []).map { postback in
      "\(indent)  P\(postback.sequenceIndex) \(padded(postback.state.displayText, 10)) \(postback.why)"
    }
  }

  private static func warnings(_ warnings: [Warning], indent: String) -> [String] {
    warnings.map { "\(indent)  \($0.level.rawValue): \($0.message.oneLine) [\($0.code)]" }
  }

  /// A column; its text is never joined to the next.
  private static func padded(_ text: String, _ width: Int) -> String { text.padded(to: width, atLeast: 1) }

  /// A warning of level finding, with its location.
  static func finding(_ finding: StepRecord.Finding, of step: StepRecord, at location: String) -> String {
    let remarks = remarks(device: step.device, label: step.label)
    return "\(location): \(Warning.Level.finding.rawValue)\(remarks): \(finding.message.oneLine) [\(finding.code)]"
  }

  /// A failed expectation, over several lines.
  static func failure(_ verdict: Expectation.Verdict, of result: StepResult, at location: String?) -> [String] {
    let step = result.step
    let remarks = remarks(device: step.device, label: step.label)
    let first = "\(location.map { "\($0): " } ?? "")expectation failed\(remarks): \(verdict.path)"
    return [first] + verdict.difference + ["  step      \(result.report.outcome.name): \(result.report.explanation)"]
  }

  /// The same of a step of a list.
  static func failure(_ verdict: Expectation.Verdict, of step: StepRecord, at location: String) -> [String] {
    let remarks = remarks(device: step.device, label: step.label)
    let first = "\(location): expectation failed\(remarks): \(verdict.path)"
    guard case .ran(let outcome, let explanation) = step.fate else { return [first] + verdict.difference }
    return [first] + verdict.difference + ["  step      \(outcome.name): \(explanation)"]
  }

  /// The step's phone and label.
  private static func remarks(device: String, label: String?) -> String {
    (device.isEmpty ? "" : " on \(device.oneLine)") + (label.map { " (\($0.oneLine))" } ?? "")
  }
}
