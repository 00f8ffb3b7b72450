import SKANReceive

/// A column of numbers of `skan report`.
struct PostbackReportColumn {
  let name: String
  let text: (ReportCounts) -> String

  static var unverified: [Self] { [Self("invalid", \.invalid), Self("not checked", \.notChecked)] }

  /// - Parameter withWindows: whether a row has postbacks of several windows.
  static func verified(withWindows: Bool) -> [PostbackReportColumn] {
    let windows =
      withWindows
      ? (0...2).map { window in Self("P\(window)") { $0.windows[window] } } : [Self("postbacks", \.postbacks)]
    return [Self("installs", \.installs), Self("redownloads", \.redownloads)] + windows
      + [Self(name: "no value", text: \.shareText)]
  }

  private init(name: String, text: @escaping (ReportCounts) -> String) {
    (self.name, self.text) = (name, text)
  }

  private init(_ name: String, _ count: @escaping (ReportCounts) -> Int) {
    self.init(name: name) { "\(count($0))" }
  }
}
