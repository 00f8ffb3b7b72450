import SKANBase
import SKANDevice

extension PostbackReport {
  /// The report as an HTML page: one file without scripts and external resources.
  package func html(by date: ReportDate, grouping dimensions: [ReportDimension]) -> String {
    HTMLWriter.page(title: "Received postbacks") { write(into: &$0, date, dimensions) }
  }

  private func write(into main: inout HTMLWriter, _ date: ReportDate, _ dimensions: [ReportDimension]) {
    main.element("h1", text: "Received postbacks")
    let times = span.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    main.element("p", text: "\(received) received\(times).")
    if dimensions.contains(.day) { for sentence in date.explanation { main.element("p", text: sentence) } }
    if let sentence = uncountedText { main.element("p", text: sentence) }
    for table in tables(by: date, grouping: dimensions) {
      main.element("section") { section in
        section.element("h2", text: table.kind.title)
        ReportSection(table, self, dimensions, charts(table.kind, date)).write(into: &section)
      }
    }
  }
}

extension PostbackReport {
  /// Charts of the postbacks that a kind of key verified: installs by day, and installs with and without a value by campaign.
  private func charts(_ kind: ReportTable.Kind, _ date: ReportDate) -> [BarChart] {
    if kind == .unverified { return [] }
    func rows(_ dimension: ReportDimension, _ counts: (ReportCounts) -> [Int]) -> [BarChart.Row] {
      let table = tables(by: date, grouping: [dimension]).first { $0.kind == kind }
      return (table?.rows ?? []).map { row in
        let name = row.group[0].isEmpty ? "-" : row.group[0]
        return BarChart.Row(name, counts(row.counts).map { BarChart.Bar(Double($0), "\($0)") })
      }
    }
    var days = BarChart("Installs by day", series: ["installs"])
    days.rows = rows(.day) { [$0.installs] }
    var campaigns = BarChart("Installs by campaign", series: ["with a value", "without"])
    campaigns.rows = rows(.campaign) { [$0.installsWithValue, $0.installs - $0.installsWithValue] }
    return [days, campaigns]
  }
}

/// A table of the report on the page: its figures, its groups, and its values.
struct ReportSection {
  private let table: ReportTable
  private let dimensions: [ReportDimension]
  /// The names of the dimensions.
  private let headings: [String]
  private let charts: [BarChart]

  init(_ table: ReportTable, _ report: PostbackReport, _ dimensions: [ReportDimension], _ charts: [BarChart]) {
    (self.table, self.dimensions, self.charts) = (table, dimensions, charts)
    headings = dimensions.map(report.heading)
  }

  private var figures: [(name: String, text: (ReportCounts) -> String)] {
    if table.kind == .unverified { return [("invalid", { "\($0.invalid)" }), ("not checked", { "\($0.notChecked)" })] }
    return [
      ("installs", { "\($0.installs)" }), ("redownloads", { "\($0.redownloads)" }),
    ] + reEngagements + [
      ("not won", { "\($0.notWon)" }),
      ("P0", { "\($0.windows[0])" }), ("P1", { "\($0.windows[1])" }), ("P2", { "\($0.windows[2])" }),
      ("no value", \.shareText), ("duplicates", { "\($0.duplicates)" }), ("conflicts", { "\($0.conflicts)" }),
    ]
  }

  private var reEngagements: [(name: String, text: (ReportCounts) -> String)] {
    table.total.reEngagements > 0 ? [("re-engagements", { "\($0.reEngagements)" })] : []
  }

  func write(into section: inout HTMLWriter) {
    section.element("dl") { list in
      for figure in figures {
        list.element("div") { item in
          item.element("dt", text: figure.name)
          item.element("dd", text: figure.text(table.total))
        }
      }
    }
    if table.kind != .unverified {
      for remark in table.total.remarks(dimensions) { section.element("p", text: "\(remark).") }
    }
    let common = table.common(headings)
    if !common.isEmpty { section.element("p", text: "All: \(common).") }
    for chart in charts { section.add(chart.element) }
    if table.rows.count > 1 { groups(&section) }
    guard table.kind != .unverified else { return }
    values(table.total, &section)
    guard table.rows.count > 1 else { return }
    section.element("h3", text: "Values by \(by)")
    for row in table.rows {
      section.element("details") { details in
        details.element("summary", text: cells(row).joined(separator: " · "))
        values(row.counts, &details)
      }
    }
  }

  private var by: String { table.differing.map { headings[$0] }.joined(separator: ", ") }

  /// The cells that identify a row.
  private func cells(_ row: ReportTable.Row) -> [String] {
    table.differing.map { row.group[$0].isEmpty ? "-" : row.group[$0] }
  }

  private func groups(_ section: inout HTMLWriter) {
    let figures = figures
    let most = table.rows.map { first($0.counts) }.max() ?? 0
    section.element("h3", text: "By \(by)")
    section.element("div", [("class", "wide")]) { wide in
      wide.element("table") { grid in
        grid.element("thead") { head in
          head.element("tr") { line in
            for index in table.differing { line.element("th", [("class", "text")], text: headings[index]) }
            for (index, figure) in figures.enumerated() {
              line.element("th", index == 0 ? [("class", "text")] : [], text: figure.name)
            }
          }
        }
        grid.element("tbody") { body in
          for row in table.rows {
            body.element("tr") { line in
              for cell in cells(row) { line.element("th", [("class", "text")], text: cell) }
              line.bar(first(row.counts), of: most, figures[0].name)
              for figure in figures.dropFirst() { line.element("td", text: figure.text(row.counts)) }
            }
          }
        }
      }
    }
  }

  /// The figure that is shown as a bar.
  private func first(_ counts: ReportCounts) -> Int { table.kind == .unverified ? counts.invalid : counts.installs }

  private func values(_ counts: ReportCounts, _ section: inout HTMLWriter) {
    bars("Fine values", counts.fine.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }, &section)
    for window in ConversionWindow.allCases {
      let mix = CoarseValue.allCases.map { ($0.rawValue, counts.coarse[window.rawValue][$0.index]) }
      if mix.contains(where: { $0.1 > 0 }) { bars("Coarse values of P\(window.rawValue)", mix, &section) }
    }
    sums(
      "Revenue", ["currency", "postbacks", "at least", "below"],
      counts.sortedRevenue.map { [$0.currency, "\($0.sum.postbacks)", "\($0.sum.min)", $0.sum.belowText] }, &section)
    sums(
      "Events", ["event", "postbacks", "at least", "at most"],
      counts.sortedEvents.map { [$0.name, "\($0.sum.postbacks)", "\($0.sum.least)", $0.sum.mostText] }, &section)
  }

  /// Writes a bar for each value, with its name and count.
  private func bars(_ title: String, _ rows: [(name: String, count: Int)], _ section: inout HTMLWriter) {
    guard let most = rows.map(\.count).max() else { return }
    section.element("h3", text: title)
    section.element("table", [("class", "bars")]) { grid in
      for row in rows {
        grid.element("tr") { line in
          line.element("th", text: row.name)
          line.bar(row.count, of: most, row.name)
        }
      }
    }
  }

  private func sums(_ title: String, _ head: [String], _ rows: [[String]], _ section: inout HTMLWriter) {
    if rows.isEmpty { return }
    section.element("h3", text: title)
    section.element("table") { grid in
      for (index, row) in ([head] + rows).enumerated() {
        grid.element("tr") { line in
          for (column, text) in row.enumerated() {
            line.element(
              index == 0 || column == 0 ? "th" : "td", column == 0 ? [("class", "text")] : [], text: text)
          }
        }
      }
    }
  }
}
