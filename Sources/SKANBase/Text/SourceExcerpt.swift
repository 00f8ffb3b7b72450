extension SourceNote {
  /// `FILE:LINE:COLUMN: message`, followed by the line of the file with carets under the location.
  package func lines(file: String) -> [StyledText] { [heading(file: file)] + (location.text.isEmpty ? [] : [excerpt]) }

  /// `FILE:LINE:COLUMN: message`.
  package func heading(file: String) -> StyledText {
    var line: StyledText = "\("\(file.oneLine):\(location.line):\(location.column):", .bold) "
    if isWarning { line.append("\("warning:", .finding) ") }
    line.append(message)
    return line
  }

  /// The part of the line around the location that fits a wide terminal, with carets under the location.
  private var excerpt: StyledText {
    let width = 120
    let characters = location.text.map { $0.isNewline || $0.isControl ? " " : $0.isHidden ? "\u{FFFD}" : $0 }
    let column = location.column - 1 - location.skipped
    let start = max(0, min(column - width / 2, characters.count - width))
    let end = min(characters.count, start + width)
    let isCut = start > 0 || location.skipped > 0
    let text =
      (isCut ? "…" : "") + String(characters[start..<end]) + (end < characters.count || location.isCut ? "…" : "")
    // The carets span terminal columns; a character may take two of them, or none.
    let first = min(max(start, column), end)
    let marked = String(characters[first..<min(end, first + location.length)])
    let before = String(characters[start..<first]).columns + column - first + (isCut ? 1 : 0)
    return .excerpt(text, marked: before..<before + max(1, marked.columns))
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.allSatisfy { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } }

  fileprivate var isHidden: Bool { unicodeScalars.contains(where: \.isHidden) }
}

extension StyledText {
  /// A line of a file, with carets below the given columns.
  static func excerpt(_ text: String, marked: Range<Int>) -> StyledText {
    var line = StyledText("  \(text)\n")
    line.append("  " + Self.carets(marked), .success)
    line.marked = marked
    return line
  }

  private static func carets(_ columns: Range<Int>) -> String {
    String(repeating: " ", count: columns.lowerBound) + String(repeating: "^", count: columns.count)
  }

  /// The two lines of an excerpt in at most `width` columns, cut to the text around the carets.
  func excerptLines(width: Int) -> [[StyledCell]] {
    let lines = visibleLines(joinsParagraphs: false)
    guard let marked, lines.count == 2, lines[0].columns > width || 2 + marked.upperBound > width else { return lines }
    let line = Array(lines[0].dropFirst(2))
    let first = line.index(ofColumn: marked.lowerBound) ?? line.count
    let last = line.index(ofColumn: marked.upperBound) ?? line.count
    // The number of characters that fit, even if all are as wide as the widest one.
    let room = max(TerminalStyle.leastColumns, width) - 4
    let count = room / max(1, line.map(\.columns).max() ?? 1)
    let start = max(0, min(first - count / 2, line.count - count))
    let end = min(line.count, start + count)
    let text = String(line[start..<end].map(\.character))
    let before = Array(line[start..<min(first, end)]).columns + (start > 0 ? 1 : 0)
    let length = max(1, Array(line[min(first, end)..<min(max(first, last), end)]).columns)
    return Self.excerpt(
      "\(start > 0 ? "…" : "")\(text)\(end < line.count ? "…" : "")", marked: before..<before + length
    ).visibleLines(joinsParagraphs: false)
  }
}
