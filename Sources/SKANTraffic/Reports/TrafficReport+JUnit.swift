import SKANRun
import SKANBase

/// The report in JUnit's form: a suite a device, a case a rule. The name of a case has the device in it, since GitLab
/// knows a case by its name alone and shows the first of equal ones.
extension TrafficReport {
  /// - Parameters:
  ///   - level: from which on a finding is a failure.
  ///   - time: of the check, as the schema wants it: ISO 8601 without a zone.
  package func junit(failingOn level: TrafficRule.Level, time: String) -> [UInt8] {
    var xml = XMLWriter()
    xml.begin("testsuites")
    let byDevice = Dictionary(grouping: groups) { $0.finding.device }
    let open = Dictionary(grouping: open) { $0.finding.device }
    for (index, device) in devices.enumerated() {
      suite(
        of: device, byDevice[device] ?? [], open[device] ?? [], index: index, failingOn: level, time: time, into: &xml)
    }
    if !tally.problems.isEmpty { problems(index: devices.count, time: time, into: &xml) }
    xml.end()
    return xml.bytes
  }

  private func suite(
    of device: TrafficDevice?, _ groups: [Group], _ open: [Open], index: Int, failingOn level: TrafficRule.Level,
    time: String,
    into xml: inout XMLWriter
  ) {
    let name = device?.description ?? "requests without a device"
    let findings = Dictionary(grouping: groups) { $0.finding.rule }
    let skipped = Dictionary(unevaluated + open.map { ($0.finding.rule, $0.reason) }) { "\($0); \($1)" }
    let failures = findings.keys.count { $0.level.isAtLeast(level) }
    let skips = skipped.keys.count { findings[$0] == nil }
    begin(name, index, tests: TrafficRule.allCases.count, failures: failures, errors: 0, skipped: skips, time, &xml)
    var output: [String] = []
    for rule in TrafficRule.allCases {
      let attributes = [("classname", "skan.check"), ("name", "\(rule.rawValue): \(name)"), ("time", "0.000000")]
      let lines = (findings[rule] ?? []).map(\.line)
      if !lines.isEmpty, let reason = skipped[rule] { output.append("\(rule.rawValue): not evaluated: \(reason)") }
      if !lines.isEmpty, rule.level.isAtLeast(level) {
        xml.begin("testcase", attributes)
        let text = (lines + [rule.remedy]).joined(separator: "\n")
        xml.element(
          "failure", [("message", findings[rule]?.first?.finding.message ?? ""), ("type", rule.level.rawValue)],
          text: text)
        xml.end()
      } else if lines.isEmpty, let reason = skipped[rule] {
        xml.begin("testcase", attributes)
        xml.element("skipped", [("message", "not evaluated: \(reason)")])
        xml.end()
      } else {
        xml.element("testcase", attributes)
        output += lines.map { "\(rule.rawValue): \($0)" }
      }
    }
    xml.element("system-out", text: output.joined(separator: "\n"))
    xml.element("system-err")
    xml.end()
  }

  /// What could not be read, as a suite of its own.
  private func problems(index: Int, time: String, into xml: inout XMLWriter) {
    begin("captures", index, tests: 1, failures: 0, errors: 1, skipped: 0, time, &xml)
    xml.begin("testcase", [("classname", "skan.check"), ("name", "captures are read"), ("time", "0.000000")])
    let lines = tally.problems.map { "\($0.location.file):\($0.location.line): \($0.message)" }
    xml.element("error", [("message", lines.first ?? ""), ("type", "capture")], text: lines.joined(separator: "\n"))
    xml.end()
    xml.element("system-out")
    xml.element("system-err")
    xml.end()
  }

  private func begin(
    _ name: String, _ index: Int, tests: Int, failures: Int, errors: Int, skipped: Int, _ time: String,
    _ xml: inout XMLWriter
  ) {
    xml.begin(
      "testsuite",
      [
        ("name", name), ("package", "skan"), ("id", "\(index)"), ("timestamp", time), ("hostname", "localhost"),
        ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)"), ("skipped", "\(skipped)"),
        ("time", "0.000"),
      ])
    xml.element("properties")
  }
}

extension TrafficReport.Group {
  /// The finding with its location.
  fileprivate var line: String {
    let times = count > 1 ? " (\(count) times)" : ""
    return "\(finding.location.file): entry \(finding.location.entry): \(finding.message)\(times)"
  }
}
