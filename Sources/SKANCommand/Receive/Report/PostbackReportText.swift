import SKANDevice
import SKANReceive
import SKANBase

/// What `skan report` prints for a person: a table each kind of key, and what all of its postbacks say below it.
struct PostbackReportText {
  /// Of more groups that nothing vouches for, the others are counted.
  private static let mostUnverified = 20

  private let report: PostbackReport
  private let date: ReportDate
  private let dimensions: [ReportDimension]

  init(_ report: PostbackReport, by date: ReportDate, grouping dimensions: [ReportDimension]) {
    (self.report, self.date, self.dimensions) = (report, date, dimensions)
  }

  var lines: [String] {
    guard let span = report.span else { return ["0 postbacks received"] }
    let (first, last) = (span.lowerBound, span.upperBound)
    let times = first == last ? "at \(first)" : "from \(first) to \(last)"
    var lines = ["\(report.received.counted("postback")) received \(times)"]
    if dimensions.contains(.day) { lines += date.explanation }
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
    let columns = PostbackReportColumn.verified(withWindows: !dimensions.contains(.window))
    return grid(table, columns) + counts.remarks + fine(counts) + coarse(counts) + revenue(counts)
      + events(counts)
  }

  /// The groups, and the sum of all. What they have in common stands above.
  private func grid(_ table: ReportTable, _ columns: [PostbackReportColumn], most: Int = .max) -> [String] {
    let (differing, common) = (table.differing, table.common(dimensions))
    var cells = [differing.map { dimensions[$0].heading } + columns.map(\.name)]
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
