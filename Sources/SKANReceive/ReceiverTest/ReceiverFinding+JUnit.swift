import SKANDevice
import SKANRun

extension [ReceiverFinding] {
  /// The report in JUnit's form: one suite, a case a delivery, and one a count that differs.
  ///
  /// - Parameters:
  ///   - comparison: of the receiver's own counts; nil where they were not compared.
  ///   - isStrict: whether advice is a failure, too.
  ///   - receiver: its address.
  ///   - time: of the test.
  package func junit(
    _ comparison: ReceiverComparison? = nil, isStrict: Bool = false, receiver: String, at time: Instant
  ) -> [UInt8] {
    let counts = comparison.map { $0.differences.isEmpty ? 1 : $0.differences.count } ?? 0
    let failures = count { $0.isFailure(isStrict: isStrict) } + (comparison?.differences.count ?? 0)
    var advice: [String] = []
    var xml = XMLWriter()
    xml.begin("testsuites")
    xml.beginSuite(
      "receiver \(receiver)", start: time, tests: count + counts, failures: failures, skipped: count { !$0.isEvaluated }
    )
    for finding in self {
      let delivery = finding.delivery
      let outcome: JUnitOutcome?
      switch finding.outcome {
      case .wrong(let answer) where finding.isFailure(isStrict: isStrict):
        outcome = .failure(
          "answered \(answer), \(delivery.level.rawValue) be \(delivery.right.rawValue)",
          type: delivery.level.rawValue, "\(delivery.request)\n\(delivery.why)")
      case .wrong(let answer):
        outcome = nil
        advice.append("\(delivery.id): answered \(answer), should be \(delivery.right.rawValue): \(delivery.why)")
      case .right: outcome = nil
      case .notEvaluated(let reason), .limited(let reason): outcome = .skipped("not evaluated: \(reason)")
      }
      xml.testCase(Self.className, delivery.id, outcome)
    }
    if let comparison, comparison.differences.isEmpty { xml.testCase(Self.className, "counts") }
    for difference in comparison?.differences ?? [] {
      xml.testCase(
        Self.className, "counts \(difference.path)",
        .failure(
          "\(difference.actualText), must be \(difference.expectedText)", type: "count", difference.hint ?? ""))
    }
    xml.endSuite(output: advice)
    xml.end()
    return xml.bytes
  }

  private static var className: String { "skan.receiver-test" }
}

extension ReceiverFinding {
  fileprivate func isFailure(isStrict: Bool) -> Bool { isStrict ? isWrong : breaksMust }
}
