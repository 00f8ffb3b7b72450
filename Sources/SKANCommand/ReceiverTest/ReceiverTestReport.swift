import SKANJSON
import SKANReceive
import SKANText

/// What `skan receiver-test` prints.
struct ReceiverTestReport {
  private let output: Output
  private let isJSON: Bool
  private(set) var findings: [ReceiverFinding] = []

  init(_ output: Output, isJSON: Bool) {
    self.output = output
    self.isJSON = isJSON
  }

  func note(_ text: String) { output.note("skan: \(text)") }

  /// Prints a finding when it is there: the deliveries take some seconds.
  mutating func show(_ finding: ReceiverFinding) throws(CommandError) {
    findings.append(finding)
    if isJSON { return try output.result(JSONWriter.text(finding.json)) }
    var line = StyledText(finding.name.padded(to: 15, atLeast: 2), finding.role)
    line.append(finding.delivery.id.padded(to: 23, atLeast: 2))
    line.indent = line.text.columns
    line.append(finding.answer.oneLine)
    try output.line(line)
    guard finding.isWrong else { return }
    try output.line("  sent: \(finding.delivery.request)")
    try output.line("  must be \(finding.delivery.right.rawValue): \(finding.delivery.why)")
  }

  /// The last line.
  func end() throws(CommandError) {
    let wrong = findings.count { $0.isWrong }
    let evaluated = findings.count { $0.isEvaluated }
    let counts = [
      ("deliveries", findings.count), ("ok", evaluated - wrong), ("wrong", wrong),
      ("not_evaluated", findings.count - evaluated),
    ]
    if isJSON {
      return try output.result(JSONWriter.text(.object(counts.map { ($0.0, .integer(Int64($0.1))) })))
    }
    let rest = counts.dropFirst().map { "\($0.1) \($0.0.replacing("_", with: " "))" }
    try output.line("\(findings.count.counted("delivery", "deliveries")): \(rest.joined(separator: ", "))")
    // Some deliveries have the name of what a receiver must make of them.
    let ids = findings.filter(\.isWrong).map(\.delivery.id)
    if let code = ids.lazy.compactMap({ id in CodeCatalog.all.first { $0.code == id } }).first {
      output.note(ExplanationHint.line(code))
    }
  }

  /// There is no receiver.
  func unreachable(_ receiver: TestedReceiver) throws(CommandError) -> ExitCode {
    output.error("skan: \(receiver.failure ?? "no connection")")
    return .unavailable
  }
}

extension ReceiverFinding {
  fileprivate var role: TextRole? { isWrong ? .failure : isEvaluated ? .success : nil }
}
