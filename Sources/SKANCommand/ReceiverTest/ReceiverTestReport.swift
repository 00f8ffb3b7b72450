import SKANBase
import SKANReceive

/// What `skan receiver-test` prints.
struct ReceiverTestReport {
  private let output: Output
  private let isJSON: Bool
  private(set) var findings: [ReceiverFinding] = []

  /// The most differing numbers that are shown.
  private static let mostDifferences = 20

  init(_ output: Output, isJSON: Bool) {
    self.output = output
    self.isJSON = isJSON
  }

  func note(_ text: String) { output.note(.remark(text)) }

  /// Prints a finding when it is there: the deliveries take some seconds.
  mutating func show(_ finding: ReceiverFinding) throws(CommandError) {
    findings.append(finding)
    if isJSON { return try output.result(JSONWriter.text(finding)) }
    var line = StyledText(finding.name.padded(to: 15, atLeast: 2), finding.role)
    line.append(finding.delivery.id.padded(to: 23, atLeast: 2))
    line.indent = line.text.columns
    line.append(finding.answer.oneLine)
    try output.line(line)
  }

  /// The causes of the wrong answers, with their counts.
  func end() throws(CommandError) {
    let causes = ReceiverCause.all(of: findings)
    for cause in causes { try show(cause) }
    if isJSON { return try output.result(Self.countFields.text(findings)) }
    let rest = ReceiverFinding.names.map { name in
      "\(findings.count { $0.name == name }) \(name.replacing("-", with: " "))"
    }
    try output.line("\(findings.count.counted("delivery", "deliveries")): \(rest.joined(separator: ", "))")
    // Some deliveries have the name of what a receiver must make of them.
    let ids = findings.filter(\.isWrong).map(\.delivery.id)
    if let code = ids.lazy.compactMap({ id in CodeCatalog.all.first { $0.code == id } }).first {
      output.note(ExplanationHint.line(code))
    }
  }

  private func show(_ cause: ReceiverCause) throws(CommandError) {
    if isJSON { return try output.result(JSONWriter.text(cause)) }
    let isMust = cause.level == .must
    try output.line("\(isMust ? "wrong" : "advice", isMust ? .failure : .finding): \(cause.text)")
    let ids = cause.findings.map(\.delivery.id).joined(separator: ", ")
    try output.line("  \(cause.findings.count == 1 ? "delivery" : "deliveries"): \(ids)")
    let right = cause.example.right.rawValue
    try output.line("  answered \(cause.answer.oneLine), \(cause.level.rawValue) be \(right): \(cause.example.why)")
  }

  /// The receiver's own counts, which no answer shows.
  ///
  /// - Parameters:
  ///   - comparison: nil where they are not named.
  ///   - name: of where they are.
  func show(
    _ counts: ReceiverCounts, _ comparison: ReceiverComparison?, of name: String
  ) throws(CommandError) {
    if isJSON {
      try output.result(Self.expectedFields.text(counts))
      guard let comparison else { return }
      for difference in comparison.differences { try output.result(JSONWriter.text(difference)) }
      return try output.result(Self.comparisonFields.text((name, comparison)))
    }
    for (sentence, ids) in openPoints { try output.line("open: \(ids.joined(separator: ", ")): \(sentence)") }
    guard let comparison else {
      let text = counts.summary.map { "now compare: \($0)" }
      let none = "no counts to compare: unsigned postbacks count nowhere, and --sign signs them"
      return try output.line(StyledText(text ?? none))
    }
    for difference in comparison.differences.prefix(Self.mostDifferences) {
      let hint = difference.hint.map { ": \($0)" } ?? ""
      try output.line(
        "\("wrong", .failure): \(difference.path.oneLine) is \(difference.actualText), must be \(difference.expectedText)\(hint)"
      )
    }
    let rest = comparison.differences.count - Self.mostDifferences
    if rest > 0 { try output.line("and \(rest) more") }
    let sent = counts.summary ?? "nothing that counts, since it is unsigned"
    try output.line(
      "counts of \(name): \(comparison.agreed) agree, \(comparison.differences.count) differ; sent: \(sent)")
  }

  /// The points that Apple leaves open, with their deliveries.
  private var openPoints: [(sentence: String, ids: [String])] {
    var points: [(sentence: String, ids: [String])] = []
    for finding in findings where finding.isEvaluated {
      guard let open = finding.delivery.open?.rawValue else { continue }
      if let index = points.firstIndex(where: { $0.sentence == open }) {
        points[index].ids.append(finding.delivery.id)
      } else {
        points.append((open, [finding.delivery.id]))
      }
    }
    return points
  }

  private static let countFields = JSONFields<[ReceiverFinding]> {
    JSONField("deliveries") { $0.count }
    ReceiverFinding.names.map { name in
      JSONField<[ReceiverFinding]>(name.replacing("-", with: "_")) { findings in findings.count { $0.name == name } }
    }
  }

  private static let expectedFields = JSONFields<ReceiverCounts> { JSONField("expected") { $0 } }

  private static let comparisonFields = JSONFields<(name: String, comparison: ReceiverComparison)> {
    JSONField("compared") { $0.name }
    JSONField("agreed") { $0.comparison.agreed }
    JSONField("differing") { $0.comparison.differences.count }
  }

  /// An object a delivery, a cause of wrong answers, and then of counts and a number that differs.
  static var form: JSONForm {
    .anyOf([
      ReceiverFinding.jsonForm, ReceiverCause.jsonForm, countFields.form, expectedFields.form,
      ReceiverComparison.Difference.jsonForm, comparisonFields.form,
    ])
  }

  /// Why the test cannot be made or ended.
  func fail(_ problem: ActualCounts.Problem) -> ExitCode {
    output.error(problem.lines)
    return problem.code
  }

  /// There is no receiver.
  func unreachable(_ receiver: TestedReceiver) -> ExitCode {
    output.error(.remark(receiver.failure ?? "no connection"))
    return .unavailable
  }
}

extension ReceiverFinding {
  fileprivate var role: TextRole? {
    switch name {
    case "ok": .success
    case "wrong": .failure
    case "advice": .finding
    default: nil
    }
  }
}
