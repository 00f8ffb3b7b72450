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
    wide.element("table") { table in
      table.element("thead") { head in
        head.element("tr") { row in
          for column in part.columns { row.element("th", alignment(column), text: column.name) }
          if most > 0 { row.element("th", [("class", "text")], text: "users") }
        }
      }
      table.element("tbody") { body in
        for (index, cells) in part.rows.enumerated() {
          body.element("tr") { row in
            for (column, cell) in zip(part.columns, cells) { row.element("td", alignment(column), text: cell) }
            if most > 0 { row.bar(part.bars[index], of: most, "users") }
          }
        }
      }
    }
  }

  private static func alignment(_ column: ReportPart.Column) -> [(name: String, value: String)] {
    column.isNumber ? [] : [("class", "text")]
  }
}
