import SKANBase
import SKANDevice
import SKANRun

/// The report as JUnit XML: a suite for each device, a case for each rule. The name of a case contains the device,
/// since GitLab identifies cases only by name and shows the first of equal ones.
extension TrafficReport {
  /// - Parameters:
  ///   - level: the lowest level at which a finding is a failure.
  ///   - time: the time of the check.
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

  /// The problems of files that could not be read, as a separate suite.
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

/// The report in SARIF 2.1.0 (OASIS), which code hosts show beside files.
extension TrafficReport {
  private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

  /// - Parameter version: the version of the program.
  package func sarif(version: String) -> JSON {
    let rules = TrafficRule.allCases.map(\.sarif)
    let driver = JSON.object([("name", .string("skan")), ("rules", .array(rules)), ("version", .string(version))])
    let notifications = tally.problems.map { problem in
      JSON.object([
        ("level", .string("error")), ("locations", .array([problem.location.sarif])),
        ("message", .object([("text", .string(problem.message))])),
      ])
    }
    let invocation = JSON.object([
      ("executionSuccessful", .bool(tally.problems.isEmpty)), ("toolExecutionNotifications", .array(notifications)),
    ])
    let run = JSON.object([
      ("columnKind", .string("utf16CodeUnits")), ("invocations", .array([invocation])),
      ("results", .array(groups.map(\.sarif) + notEvaluated)),
      ("tool", .object([("driver", driver)])),
    ])
    return .object([("$schema", .string(Self.schema)), ("runs", .array([run])), ("version", .string("2.1.0"))])
  }

  /// The rules that these captures cannot answer, and the undecided requests at their end.
  private var notEvaluated: [JSON] {
    unevaluated.map { Self.open($0.rule, $0.reason, []) }
      + open.map { Self.open($0.finding.rule, $0.reason, [$0.finding.location.sarif]) }
  }

  private static func open(_ rule: TrafficRule, _ reason: String, _ locations: [JSON]) -> JSON {
    let places: [(key: String, value: JSON)] = locations.isEmpty ? [] : [("locations", .array(locations))]
    return .object(
      [("kind", .string("open")), ("level", .string("none"))] + places + [
        ("message", .object([("text", .string("Not evaluated: \(reason)"))])), ("ruleId", .string(rule.rawValue)),
      ])
  }
}

extension TrafficReport.Group {
  fileprivate var sarif: JSON {
    var message = finding.message
    if let device = finding.device { message += " (\(device))" }
    return .object([
      ("kind", .string("fail")), ("level", .string(finding.rule.level.rawValue)),
      ("locations", .array([finding.location.sarif])), ("message", .object([("text", .string(message))])),
      ("occurrenceCount", .integer(Int64(count))), ("ruleId", .string(finding.rule.rawValue)),
    ])
  }
}

extension TrafficRule {
  fileprivate var sarif: JSON {
    .object([
      ("defaultConfiguration", .object([("level", .string(level.rawValue))])),
      ("help", .object([("text", .string(remedy))])), ("id", .string(rawValue)),
      ("properties", .object([("article", .string(article)), ("basis", .string(basis.rawValue))])),
      ("shortDescription", .object([("text", .string(text))])),
    ])
  }
}

extension CaptureLocation {
  fileprivate var sarif: JSON {
    let physical = JSON.object([
      ("artifactLocation", .object([("uri", .string(file.percentEncoded(keeping: "/")))])),
      ("region", .object([("startLine", .integer(Int64(max(1, line))))])),
    ])
    return .object([("physicalLocation", physical)])
  }
}
