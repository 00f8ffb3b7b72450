import SKANBase

extension TrafficReport {
  /// The first object: what was read, what was counted, and what was not evaluated.
  package var summaryJSON: JSON {
    .object([
      ("requests", count(counts.total)), ("devices", count(counts.devices)), ("launch", count(counts.launches)),
      ("evt", count(counts.events)), ("conversion_value", count(counts.conversionValues)),
      ("errors", count(count(.error))), ("warnings", count(count(.warning))), ("notes", count(count(.note))),
      ("other_hosts", Self.object(tally.others)), ("not_decrypted", Self.object(tally.undecrypted)),
      ("websockets", count(tally.webSockets)),
      (
        "not_evaluated",
        .array(
          gaps.map { rule, gap in
            let (extent, reason) = gap.parts
            return .object([
              ("rule", .string(rule.rawValue)), ("extent", .string(extent)), ("reason", .string(reason)),
            ])
          } + open.map(\.json))
      ),
      ("problems", .array(tally.problems.map(\.json))), ("more_problems", count(tally.moreProblems)),
      ("remarks", .array(tally.remarks.map(\.json))), ("more_remarks", count(tally.moreRemarks)),
    ])
  }

  private func count(_ number: Int) -> JSON { .integer(Int64(number)) }

  private static func object(_ counts: [String: Int]) -> JSON {
    .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
  }
}

extension TrafficSummary.Gap {
  /// How far it goes, and why.
  package var parts: (extent: String, reason: String) {
    switch self {
    case .all(let reason): ("all", reason)
    case .part(let reason): ("part", reason)
    }
  }
}

extension CaptureProblem {
  fileprivate var json: JSON { .object(location.members + [("message", .string(message))]) }
}

extension CaptureLocation {
  fileprivate var members: [(key: String, value: JSON)] {
    [("file", .string(file)), ("entry", .integer(Int64(entry))), ("line", .integer(Int64(line)))]
  }
}

extension TrafficReport.Open {
  fileprivate var json: JSON {
    .object([
      ("rule", .string(finding.rule.rawValue)), ("extent", .string("part")), ("reason", .string(reason)),
      (
        "request",
        .object(
          finding.location.members + [
            ("request", .string(name)), ("device", .optional(finding.device)), ("at", finding.at?.json ?? .null),
            ("url", .optional(shown.url)),
          ])
      ),
    ])
  }
}

extension JSON {
  fileprivate static func optional(_ device: TrafficDevice?) -> JSON {
    guard let device else { return .null }
    return .object([
      ("app", .string(device.app)), ("kind", .string(device.kind.rawValue)), ("id", .string(device.id)),
    ])
  }
}

extension TrafficReport.Group {
  /// The object of a group of equal findings.
  package func json(_ shown: TrafficReport.Shown) -> JSON {
    let rule = finding.rule
    return .object(
      finding.location.members + [
        ("rule", .string(rule.rawValue)), ("level", .string(rule.level.rawValue)),
        ("basis", .string(rule.basis.rawValue)), ("message", .string(finding.message)),
        ("remedy", .string(rule.remedy)), ("article", .string(rule.article)), ("device", .optional(finding.device)),
        ("at", finding.at?.json ?? .null), ("count", .integer(Int64(count))), ("url", .optional(shown.url)),
      ])
  }
}
