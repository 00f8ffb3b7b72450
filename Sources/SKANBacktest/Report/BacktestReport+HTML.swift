import SKANText

extension BacktestReport {
  /// The report as a page for browsers: one file without scripts, which asks for nothing else.
  package var html: String {
    HTMLWriter.page(title: "Backtest of \(header.model.name)") { main in
      main.element("h1", text: "Backtest of \(header.model.name)")
      for line in headline { main.element("p", text: "\(line).") }
      for part in parts {
        main.element("section") { section in
          section.element("h2", text: part.title)
          for note in part.notes { section.element("p", text: note) }
          section.element("div", [("class", "wide")]) { Self.write(part, into: &$0) }
        }
      }
    }
  }

  private static func write(_ part: ReportPart, into wide: inout HTMLWriter) {
    let most = part.bars.max() ?? 0
    // Bars stand behind the numbers, in front of the texts that explain them.
    let barColumn = most == 0 ? -1 : (part.columns.lastIndex(where: \.isNumber) ?? -1) + 1
    wide.element("table") { table in
      table.element("thead") { head in
        head.element("tr") { row in
          for (index, column) in part.columns.enumerated() {
            if index == barColumn { row.element("th", [("class", "text")], text: part.barName) }
            row.element("th", alignment(column), text: column.name)
          }
          if barColumn == part.columns.count { row.element("th", [("class", "text")], text: part.barName) }
        }
      }
      table.element("tbody") { body in
        for (index, cells) in part.rows.enumerated() {
          body.element("tr") { row in
            for (position, (column, cell)) in zip(part.columns, cells).enumerated() {
              if position == barColumn { row.bar(part.bars[index], of: most, part.barName) }
              row.element("td", alignment(column), text: cell)
            }
            if barColumn == part.columns.count { row.bar(part.bars[index], of: most, part.barName) }
          }
        }
      }
    }
  }

  private static func alignment(_ column: ReportPart.Column) -> [(name: String, value: String)] {
    column.isNumber ? [] : [("class", "text")]
  }
}
