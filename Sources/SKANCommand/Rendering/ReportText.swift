import SKANBase

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
