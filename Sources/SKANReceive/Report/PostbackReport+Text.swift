import SKANBase
import SKANDevice

/// The report as text for people, as `skan report` prints it: a table for each kind of key, followed by totals of its postbacks.
package struct PostbackReportText {
  /// The maximum number of groups without a valid signature to show. The others are counted.
  private static let mostUnverified = 20

  private let report: PostbackReport
  private let date: ReportDate
  private let dimensions: [ReportDimension]

  package init(_ report: PostbackReport, by date: ReportDate, grouping dimensions: [ReportDimension]) {
    (self.report, self.date, self.dimensions) = (report, date, dimensions)
  }

  package var lines: [String] {
    guard let span = report.span else { return ["0 postbacks received"] }
    let (first, last) = (span.lowerBound, span.upperBound)
    let times = first == last ? "at \(first)" : "from \(first) to \(last)"
    var lines = ["\(report.received.counted("postback")) received \(times)"]
    if dimensions.contains(.day) { lines += date.explanation }
    if let sentence = report.uncountedText { lines.append(sentence) }
    for table in report.tables(by: date, grouping: dimensions) {
      lines += ["", table.kind.title] + self.lines(of: table).map { $0.isEmpty ? "" : "  \($0)" }
    }
    return lines
  }

  private func lines(of table: ReportTable) -> [String] {
    if table.kind == .unverified {
      let rest = table.rows.count - Self.mostUnverified
      return grid(table, PostbackReportColumn.unverified, most: Self.mostUnverified)
        + (rest > 0 ? ["and \(rest.counted("more group", "more groups"))"] : [])
    }
    let counts = table.total
    let columns = PostbackReportColumn.verified(
      withWindows: !dimensions.contains(.window), withReEngagements: counts.reEngagements > 0)
    return grid(table, columns) + counts.remarks(dimensions) + fine(counts) + coarse(counts) + revenue(counts)
      + events(counts)
  }

  /// The table of groups and their total. Dimensions with the same value in all groups stand above it.
  private func grid(_ table: ReportTable, _ columns: [PostbackReportColumn], most: Int = .max) -> [String] {
    let (differing, common) = (table.differing, table.common(dimensions.map(report.heading)))
    var cells = [differing.map { report.heading(of: dimensions[$0]) } + columns.map(\.name)]
    cells += table.rows.prefix(most).map { row in
      differing.map { row.group[$0].isEmpty ? "-" : row.group[$0].oneLine } + columns.map { $0.text(row.counts) }
    }
    if !differing.isEmpty {
      let blanks = differing.dropFirst().map { _ in "" }
      cells.append(["total"] + blanks + columns.map { $0.text(table.total) })
    }
    return (common.isEmpty ? [] : [common.oneLine])
      + TextTable.lines(cells, numbers: differing.count..<differing.count + columns.count)
  }

  private func fine(_ counts: ReportCounts) -> [String] {
    let values = counts.fine.sorted { $0.key < $1.key }
    guard let most = values.map(\.value).max() else { return [] }
    let rows = values.map { value, count in ["\(value)", "\(count)", ReportText.bar(count, of: most)] }
    return [""] + TextTable.lines([["fine value", "postbacks"]] + rows, numbers: 0..<2)
  }

  private func coarse(_ counts: ReportCounts) -> [String] {
    guard counts.coarse.joined().contains(where: { $0 > 0 }) else { return [] }
    let rows = CoarseValue.allCases.map { value in
      [value.rawValue] + counts.coarse.map { "\($0[value.index])" }
    }
    return [""] + TextTable.lines([["coarse value", "P0", "P1", "P2"]] + rows, numbers: 1..<4)
  }

  private func revenue(_ counts: ReportCounts) -> [String] {
    if counts.revenue.isEmpty { return [] }
    let rows = counts.sortedRevenue.map { currency, sum in
      [currency.oneLine, "\(sum.postbacks)", "\(sum.min)", sum.belowText]
    }
    return [""] + TextTable.lines([["revenue", "postbacks", "at least", "below"]] + rows, numbers: 1..<4)
  }

  private func events(_ counts: ReportCounts) -> [String] {
    if counts.events.isEmpty { return [] }
    let rows = counts.sortedEvents.map { name, sum in
      [name.oneLine, "\(sum.postbacks)", "\(sum.least)", sum.mostText]
    }
    return [""] + TextTable.lines([["event", "postbacks", "at least", "at most"]] + rows, numbers: 1..<4)
  }
}

/// A column of numbers in `skan report`.
struct PostbackReportColumn {
  let name: String
  let text: (ReportCounts) -> String

  static var unverified: [Self] { [Self("invalid", \.invalid), Self("not checked", \.notChecked)] }

  /// - Parameter withWindows: whether a group has postbacks of several windows.
  static func verified(withWindows: Bool, withReEngagements: Bool) -> [PostbackReportColumn] {
    let windows =
      withWindows
      ? (0...2).map { window in Self("P\(window)") { $0.windows[window] } } : [Self("postbacks", \.postbacks)]
    return [Self("installs", \.installs), Self("redownloads", \.redownloads)]
      + (withReEngagements ? [Self("re-engagements", \.reEngagements)] : []) + windows
      + [Self(name: "no value", text: \.shareText)]
  }

  private init(name: String, text: @escaping (ReportCounts) -> String) {
    (self.name, self.text) = (name, text)
  }

  private init(_ name: String, _ count: @escaping (ReportCounts) -> Int) {
    self.init(name: name) { "\(count($0))" }
  }
}
