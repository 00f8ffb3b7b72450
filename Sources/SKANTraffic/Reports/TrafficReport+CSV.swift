import SKANDevice
import SKANText

/// The columns of Singular's SDK audit, and ours behind them, so that both can stand side by side.
///
/// Source: Singular's article 4410128885787 ("SDK Audit"): App Name to Error Description.
extension TrafficReport {
  private static let columns = [
    "App Name", "App Bundle", "Platform", "App Version", "Validation Name", "Type", "Error Description", "Device",
    "Rule Basis", "Remedy", "Article", "File", "Entry", "Line", "Time", "Count", "URL",
  ]

  /// A line a group of equal findings and a line a request that the end leaves open, in the form of RFC 4180, but with
  /// line feeds.
  package var csv: String {
    ([Self.columns] + groups.map(\.columns) + open.map(\.columns))
      .map { $0.map(\.csvField).joined(separator: ",") + "\n" }.joined()
  }
}

extension TrafficReport.Group {
  fileprivate var columns: [String] {
    finding.columns(of: app, type: finding.rule.level.auditName, finding.message, count: count, url: url)
  }
}

extension TrafficReport.Open {
  fileprivate var columns: [String] { finding.columns(of: app, type: "Not evaluated", reason, count: 1, url: url) }
}

extension TrafficFinding {
  fileprivate func columns(
    of app: TrafficApp, type: String, _ description: String, count: Int, url: String?
  ) -> [String] {
    [
      app.name, app.bundle, app.platform, app.version, rule.rawValue, type, description,
      device.map { "\($0.kind.rawValue) \($0.id)" } ?? "", rule.basis.rawValue, rule.remedy, rule.article,
      location.file, String(location.entry), String(location.line), at?.description ?? "", String(count), url ?? "",
    ]
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
