extension StyledText {
  /// The width that the lines of a text in sections are filled to.
  private static let filledWidth = 80

  /// The lines of a text in sections: headings begin a line, all else is below them. What is wider than 80 columns is to be
  /// copied, and never wrapped. Lines that were broken to fill 80 columns are one paragraph, so that a narrower terminal
  /// breaks it anew.
  static func sections(_ text: String) -> [StyledText] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
      .map(String.init)
    var styled: [StyledText] = []
    var index = 0
    while index < lines.count {
      let first = lines[index]
      index += 1
      if first.count > filledWidth {
        styled.append(.fixed(first))
        continue
      }
      let isHeading = first.first.map { $0 != " " } ?? false
      var line = StyledText(first, isHeading ? .bold : nil)
      let column = textColumn(of: first)
      while index < lines.count, goesOn(lines[index - 1], with: lines[index], at: column) {
        line.append("\n\(lines[index])", isHeading ? .bold : nil)
        line.isParagraph = true
        index += 1
      }
      // A row of a table goes on below its text, and a sentence at its beginning.
      if line.isParagraph || column > leadingSpaces(first) || column > 0 && first.hasSuffix(".") {
        line.indent = column
      }
      styled.append(line)
    }
    return styled
  }

  /// The column where the text of a row begins, two spaces or more behind its name; of prose that of its first word.
  private static func textColumn(of line: String) -> Int {
    let spaces = leadingSpaces(line)
    let rest = line.dropFirst(spaces)
    guard spaces > 0, let gap = rest.firstRange(of: "  ") else { return spaces }
    let name = rest[..<gap.lowerBound].count
    return spaces + name + rest.dropFirst(name).prefix { $0 == " " }.count
  }

  /// Whether a line was broken since the next one's first word did not fit: code and lists are not.
  private static func goesOn(_ line: String, with next: String, at column: Int) -> Bool {
    guard column > 0, leadingSpaces(next) == column, textColumn(of: next) == column, next.count <= filledWidth,
      let last = line.last, !";{}".contains(last)
    else { return false }
    return line.count + 1 + next.dropFirst(column).prefix { $0 != " " }.count > filledWidth
  }

  private static func leadingSpaces(_ line: String) -> Int { line.prefix { $0 == " " }.count }
}
