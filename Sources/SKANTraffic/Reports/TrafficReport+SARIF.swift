import SKANBase

/// The report in SARIF 2.1.0 (OASIS), which code hosts show beside files.
extension TrafficReport {
  private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

  /// - Parameter version: of the program.
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

  /// The rules that these captures cannot answer, and the requests at their end.
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
