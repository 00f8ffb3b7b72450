import SKANText

/// Rows of texts, one under the other.
enum TextTable {
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
