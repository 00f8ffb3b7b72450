extension HTMLWriter {
  /// A part of a report: its title, its notes and its table.
  package mutating func section(_ part: ReportPart) {
    element("section") { section in
      section.element("h2", text: part.title)
      for note in part.notes { section.element("p", text: note) }
      section.element("div", [("class", "wide")]) { $0.table(part) }
    }
  }

  /// The table of a part, with bars where it has them.
  package mutating func table(_ part: ReportPart) {
    let most = part.bars.max() ?? 0
    // Bars stand behind the numbers, in front of the texts that explain them.
    let barColumn = most == 0 ? -1 : (part.columns.lastIndex(where: \.isNumber) ?? -1) + 1
    element("table") { table in
      table.element("thead") { head in
        head.element("tr") { row in
          for (index, column) in part.columns.enumerated() {
            if index == barColumn { row.element("th", [("class", "text")], text: part.barName) }
            row.element("th", Self.alignment(column), text: column.name)
          }
          if barColumn == part.columns.count { row.element("th", [("class", "text")], text: part.barName) }
        }
      }
      table.element("tbody") { body in
        for (index, cells) in part.rows.enumerated() {
          body.element("tr") { row in
            for (position, (column, cell)) in zip(part.columns, cells).enumerated() {
              if position == barColumn { row.bar(part.bars[index], of: most, part.barName) }
              row.element("td", Self.alignment(column), text: cell)
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
