import SKANDevice
import SKANBase

/// The columns of Singular's SDK audit, and ours behind them, so that both can stand side by side.
///
/// Source: Singular's article 4410128885787 ("SDK Audit"): App Name to Error Description.
extension TrafficReport {
  private static let columns = [
    "App Name", "App Bundle", "Platform", "App Version", "Validation Name", "Type", "Error Description", "Device",
    "Rule Basis", "Remedy", "Article", "File", "Entry", "Line", "Time", "Count", "URL",
  ]

  /// The line of the columns' names, in the form of RFC 4180, but with a line feed.
  package static var csvHead: String { csvLine(columns) }

  fileprivate static func csvLine(_ fields: [String]) -> String {
    fields.map(\.csvField).joined(separator: ",") + "\n"
  }
}

extension TrafficReport.Group {
  /// The line of a group of equal findings.
  package func csvLine(_ shown: TrafficReport.Shown) -> String {
    finding.csvLine(shown, type: finding.rule.level.auditName, finding.message, count: count)
  }
}

extension TrafficReport.Open {
  /// The line of a request that the end leaves open.
  package var csvLine: String { finding.csvLine(shown, type: "Not evaluated", reason, count: 1) }
}

extension TrafficFinding {
  fileprivate func csvLine(
    _ shown: TrafficReport.Shown, type: String, _ description: String, count: Int
  ) -> String {
    let app = shown.app
    return TrafficReport.csvLine([
      app.name, app.bundle, app.platform, app.version, rule.rawValue, type, description,
      device.map { "\($0.kind.rawValue) \($0.id)" } ?? "", rule.basis.rawValue, rule.remedy, rule.article,
      location.file, String(location.entry), String(location.line), at?.description ?? "", String(count),
      shown.url ?? "",
    ])
  }
}

extension TrafficRule.Level {
  /// What the audit calls it.
  fileprivate var auditName: String {
    switch self {
    case .error: "Error"
    case .warning: "Warning"
    case .note: "Info"
    }
  }
}
