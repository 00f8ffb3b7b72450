import SKANRun

extension [ReceiverFinding] {
  /// The report in JUnit's form: one suite, a case a delivery.
  ///
  /// - Parameters:
  ///   - receiver: its address.
  ///   - time: of the test, as the schema wants it: ISO 8601 without a zone.
  package func junit(receiver: String, time: String) -> [UInt8] {
    var xml = XMLWriter()
    xml.begin("testsuites")
    xml.begin(
      "testsuite",
      [
        ("name", "receiver \(receiver)"), ("package", "skan"), ("id", "0"), ("timestamp", time),
        ("hostname", "localhost"), ("tests", "\(count)"), ("failures", "\(count { $0.isWrong })"), ("errors", "0"),
        ("skipped", "\(count { !$0.isEvaluated })"), ("time", "0.000"),
      ])
    xml.element("properties")
    for finding in self {
      let attributes = [
        ("classname", "skan.receiver-test"), ("name", finding.delivery.id), ("time", "0.000000"),
      ]
      switch finding.outcome {
      case .right: xml.element("testcase", attributes)
      case .wrong(let answer):
        xml.begin("testcase", attributes)
        xml.element(
          "failure",
          [("message", "answered \(answer), must be \(finding.delivery.right.rawValue)"), ("type", "answer")],
          text: "\(finding.delivery.request)\n\(finding.delivery.why)")
        xml.end()
      case .notEvaluated(let reason):
        xml.begin("testcase", attributes)
        xml.element("skipped", [("message", "not evaluated: \(reason)")])
        xml.end()
      }
    }
    xml.element("system-out")
    xml.element("system-err")
    xml.end()
    xml.end()
    return xml.bytes
  }
}
