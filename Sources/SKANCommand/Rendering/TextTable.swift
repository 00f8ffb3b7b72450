import SKANBase

/// Rows of texts, one under the other.
enum TextTable {
  /// The same for a terminal: where a row is too long for it, its last text goes on below itself.
  ///
  /// - Parameters:
  ///   - numbers: the columns whose texts end one under the other.
  ///   - firsts: what the first text of each row is.
  static func styled(_ rows: [[String]], numbers: Range<Int> = 0..<0, firsts: [TextRole?] = []) -> [StyledText] {
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

  /// Columns as wide as their widest text, two spaces between them, and none at a line's end.
  ///
  /// - Parameter numbers: the columns whose texts end one under the other.
  static func lines(_ rows: [[String]], numbers: Range<Int> = 0..<0) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = widths(rows, of: columns)
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        numbers.contains(index) ? cell.0.leftPadded(to: cell.1) : cell.0.padded(to: cell.1)
      }
      return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
    }
  }

  /// The columns of a terminal that the widest text of each of the first ones takes.
  private static func widths(_ rows: [[String]], of columns: Int) -> [Int] {
    (0..<columns).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
  }
}
