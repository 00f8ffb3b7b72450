/// Formats rows of texts in aligned columns.
package enum TextTable {
  /// The rows as styled lines. On a terminal that is too narrow for a row, its last text continues below itself.
  ///
  /// - Parameters:
  ///   - numbers: the columns that are aligned on the right.
  ///   - firsts: the role of the first text of each row.
  package static func styled(_ rows: [[String]], numbers: Range<Int> = 0..<0, firsts: [TextRole?] = []) -> [StyledText]
  {
    let columns = rows.map(\.count).max() ?? 0
    let widths = widths(rows, of: max(0, columns - 1))
    return zip(rows, lines(rows, numbers: numbers)).enumerated().map { index, texts in
      let (row, text) = texts
      let first = text.prefix(row.first?.count ?? 0)
      var line = StyledText(String(first), index < firsts.count ? firsts[index] : nil)
      line.append(String(text[first.endIndex...]))
      if row.count == columns { line.indent = widths.reduce(0) { $0 + $1 + 2 } }
      return line
    }
  }

  /// The rows with columns as wide as their widest text, separated by two spaces, without trailing spaces.
  ///
  /// - Parameter numbers: the columns that are aligned on the right.
  package static func lines(_ rows: [[String]], numbers: Range<Int> = 0..<0) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = widths(rows, of: columns)
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        numbers.contains(index) ? cell.0.leftPadded(to: cell.1) : cell.0.padded(to: cell.1)
      }
      return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
    }
  }

  /// The width of each column in terminal columns, for the first `columns` ones.
  private static func widths(_ rows: [[String]], of columns: Int) -> [Int] {
    (0..<columns).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
  }
}

/// The parts of a report as text.
package enum ReportText {
  /// - Parameter headline: the lines above all parts.
  package static func lines(_ headline: [String], _ parts: [ReportPart]) -> [StyledText] {
    headline.map { StyledText($0) }
      + parts.flatMap { part in
        ["", StyledText(part.title, .bold)]
          + lines(of: part).map { line in
            var indented: StyledText = "  \(line)"
            indented.indent = line.indent.map { $0 + 2 }
            return indented
          }
      }
  }

  private static func lines(of part: ReportPart) -> [StyledText] {
    let most = part.bars.max() ?? 0
    var rows = [part.columns.map(\.name)] + part.rows
    if most > 0 {
      // The bars stand in front of the long texts that follow the numbers.
      let index = part.columns.lastIndex(where: \.isNumber).map { $0 + 1 } ?? part.columns.count
      rows = rows.enumerated().map { position, row in
        var row = row
        row.insert(position == 0 ? "" : bar(part.bars[position - 1], of: most), at: index)
        return row
      }
    }
    let numbers = part.columns.firstIndex(where: \.isNumber).map { first in
      first..<(part.columns.lastIndex(where: \.isNumber) ?? first) + 1
    }
    return part.notes.map { StyledText($0) } + TextTable.styled(rows, numbers: numbers ?? 0..<0)
  }

  /// A bar of up to 24 characters, proportional to `most`. It is empty only for a count of 0.
  package static func bar(_ count: Int, of most: Int) -> String {
    count == 0 ? "" : String(repeating: "#", count: max(1, count * 24 / most))
  }
}
