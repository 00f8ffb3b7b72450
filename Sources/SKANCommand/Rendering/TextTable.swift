import SKANText

/// Rows of texts, one under the other.
enum TextTable {
  /// Columns as wide as their widest text, two spaces between them, and none at a line's end.
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return String(line.trimmingSuffix { $0 == " " })
    }
  }
}
