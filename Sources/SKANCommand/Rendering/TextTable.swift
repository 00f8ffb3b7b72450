import SKANText

/// Rows of texts, one under the other.
enum TextTable {
  /// The same for a terminal: where a row is too long for it, its last text goes on below itself.
  static func styled(_ rows: [[String]]) -> [StyledText] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<max(0, columns - 1)).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return zip(rows, lines(rows)).map { row, text in
      var line = StyledText(text)
      if row.count == columns { line.indent = widths.reduce(0) { $0 + $1 + 2 } }
      return line
    }
  }

  /// Columns as wide as their widest text, two spaces between them, and none at a line's end.
  ///
  /// - Parameter numbers: the columns whose texts end one under the other.
  static func lines(_ rows: [[String]], numbers: Range<Int> = 0..<0) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        numbers.contains(index) ? cell.0.leftPadded(to: cell.1) : cell.0.padded(to: cell.1)
      }
      return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
    }
  }
}
