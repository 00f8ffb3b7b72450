import SKANBase
import SKANDevice
import SKANRun

/// The report in JUnit's form: a suite a device, a case a rule. The name of a case has the device in it, since GitLab
/// knows a case by its name alone and shows the first of equal ones.
extension TrafficReport {
  /// - Parameters:
  ///   - level: from which on a finding is a failure.
  ///   - time: of the check.
  package func junit(failingOn level: TrafficRule.Level, at time: Instant) -> [UInt8] {
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
    time: Instant, into xml: inout XMLWriter
  ) {
    let name = device?.description ?? "requests without a device"
    let findings = Dictionary(grouping: groups) { $0.finding.rule }
    let skipped = Dictionary(unevaluated + open.map { ($0.finding.rule, $0.reason) }) { "\($0); \($1)" }
    let failures = findings.keys.count { $0.level.isAtLeast(level) }
    let skips = skipped.keys.count { findings[$0] == nil }
    xml.beginSuite(
      name, index: index, start: time, tests: TrafficRule.allCases.count, failures: failures, skipped: skips)
    var output: [String] = []
    for rule in TrafficRule.allCases {
      let caseName = "\(rule.rawValue): \(name)"
      let lines = (findings[rule] ?? []).map(\.line)
      if !lines.isEmpty, let reason = skipped[rule] { output.append("\(rule.rawValue): not evaluated: \(reason)") }
      if !lines.isEmpty, rule.level.isAtLeast(level) {
        xml.testCase(
          Self.className, caseName,
          .failure(
            findings[rule]?.first?.finding.message ?? "", type: rule.level.rawValue,
            (lines + [rule.remedy]).joined(separator: "\n")))
      } else if lines.isEmpty, let reason = skipped[rule] {
        xml.testCase(Self.className, caseName, .skipped("not evaluated: \(reason)"))
      } else {
        xml.testCase(Self.className, caseName)
        output += lines.map { "\(rule.rawValue): \($0)" }
      }
    }
    xml.endSuite(output: output)
  }

  /// What could not be read, as a suite of its own.
  private func problems(index: Int, time: Instant, into xml: inout XMLWriter) {
    xml.beginSuite("captures", index: index, start: time, tests: 1, errors: 1)
    let lines = tally.problems.map { "\($0.location.file):\($0.location.line): \($0.message)" }
    xml.testCase(
      Self.className, "captures are read", .error(lines.first ?? "", type: "capture", lines.joined(separator: "\n")))
    xml.endSuite()
  }

  private static let className = "skan.check"
}

extension TrafficReport.Group {
  /// The finding with its location.
  fileprivate var line: String {
    let times = count > 1 ? " (\(count) times)" : ""
    return "\(finding.location.file): entry \(finding.location.entry): \(finding.message)\(times)"
  }
}
