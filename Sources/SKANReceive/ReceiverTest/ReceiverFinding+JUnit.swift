import SKANRun

extension [ReceiverFinding] {
  /// The report in JUnit's form: one suite, a case a delivery, and one a count that differs.
  ///
  /// - Parameters:
  ///   - comparison: of the receiver's own counts; nil where they were not compared.
  ///   - isStrict: whether advice is a failure, too.
  ///   - receiver: its address.
  ///   - time: of the test, as the schema wants it: ISO 8601 without a zone.
  package func junit(
    _ comparison: ReceiverComparison? = nil, isStrict: Bool = false, receiver: String, time: String
  ) -> [UInt8] {
    let counts = comparison.map { $0.differences.isEmpty ? 1 : $0.differences.count } ?? 0
    let failures = count { $0.isFailure(isStrict: isStrict) } + (comparison?.differences.count ?? 0)
    var advice: [String] = []
    var xml = XMLWriter()
    xml.begin("testsuites")
    xml.begin(
      "testsuite",
      [
        ("name", "receiver \(receiver)"), ("package", "skan"), ("id", "0"), ("timestamp", time),
        ("hostname", "localhost"), ("tests", "\(count + counts)"), ("failures", "\(failures)"), ("errors", "0"),
        ("skipped", "\(count { !$0.isEvaluated })"), ("time", "0.000"),
      ])
    xml.element("properties")
    for finding in self {
      let attributes = Self.attributes(finding.delivery.id)
      switch finding.outcome {
      case .wrong(let answer) where finding.isFailure(isStrict: isStrict):
        xml.failure(
          attributes, "answered \(answer), \(finding.delivery.level.rawValue) be \(finding.delivery.right.rawValue)",
          type: finding.delivery.level.rawValue, "\(finding.delivery.request)\n\(finding.delivery.why)")
      case .wrong(let answer):
        xml.element("testcase", attributes)
        advice.append(
          "\(finding.delivery.id): answered \(answer), should be \(finding.delivery.right.rawValue): "
            + finding.delivery.why)
      case .right: xml.element("testcase", attributes)
      case .notEvaluated(let reason), .limited(let reason):
        xml.begin("testcase", attributes)
        xml.element("skipped", [("message", "not evaluated: \(reason)")])
        xml.end()
      }
    }
    if let comparison, comparison.differences.isEmpty { xml.element("testcase", Self.attributes("counts")) }
    for difference in comparison?.differences ?? [] {
      xml.failure(
        Self.attributes("counts \(difference.path)"), "\(difference.actualText), must be \(difference.expectedText)",
        type: "count", difference.hint ?? "")
    }
    xml.element("system-out", text: advice.joined(separator: "\n"))
    xml.element("system-err")
    xml.end()
    xml.end()
    return xml.bytes
  }

  private static func attributes(_ name: String) -> [(String, String)] {
    [("classname", "skan.receiver-test"), ("name", name), ("time", "0.000000")]
  }
}

extension ReceiverFinding {
  fileprivate func isFailure(isStrict: Bool) -> Bool { isStrict ? isWrong : breaksMust }
}

extension XMLWriter {
  fileprivate mutating func failure(
    _ attributes: [(String, String)], _ message: String, type: String, _ text: String
  ) {
    begin("testcase", attributes)
    element("failure", [("message", message), ("type", type)], text: text)
    end()
  }
}
