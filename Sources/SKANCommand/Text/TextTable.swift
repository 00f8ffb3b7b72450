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

/// The parts of a report as lines of text.
enum ReportText {
  /// - Parameter headline: the lines above all parts.
  static func lines(_ headline: [String], _ parts: [ReportPart]) -> [StyledText] {
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
      // In front of the texts behind the numbers, which are long.
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

  /// A bar of at most 24 characters; what occurs has one.
  static func bar(_ count: Int, of most: Int) -> String {
    count == 0 ? "" : String(repeating: "#", count: max(1, count * 24 / most))
  }
}

extension String {
  /// As one word of a shell: as it is where that is enough, else in quotes.
  var shellWord: String {
    !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-./".utf8.contains($0) } ? self : quotedForShell
  }

  /// In quotes for a shell.
  var quotedForShell: String { "'\(replacing("'", with: "'\\''"))'" }
}
