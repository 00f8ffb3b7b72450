import SKANBase

/// Messages as lines for people: what is wrong, its location in a file, and the part of the file it is about.
enum MessageText {
  /// - Parameters:
  ///   - role: of the program's name in front.
  ///   - columns: of the terminal.
  static func lines(_ message: String, _ role: TextRole = .bold, columns: Int?) -> [StyledText] {
    let lines = (message.hasSuffix("\n") ? message.dropLast() : Substring(message))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var styled: [StyledText] = []
    var index = 0
    while index < lines.count {
      if index + 1 < lines.count, let excerpt = ShownExcerpt(lines[index], caret: lines[index + 1]) {
        let cut = columns.map { excerpt.cut(to: $0) } ?? excerpt
        styled += [.fixed(cut.text), .fixed(cut.caret, .success)]
        index += 2
        continue
      }
      styled.append(line(lines[index], role))
      index += 1
    }
    return styled
  }

  private static func line(_ text: String, _ role: TextRole) -> StyledText {
    var line = StyledText()
    var rest = Substring(text)
    if rest.hasPrefix("skan: ") {
      line.append("skan:", role)
      line.indent = "skan: ".count
      rest = rest.dropFirst("skan:".count)
    } else if let location = location(rest) {
      line.append(String(location), .bold)
      rest = rest[location.endIndex...]
      if rest.hasPrefix(" warning:") {
        line.append(" ")
        line.append("warning:", .finding)
        rest = rest.dropFirst(" warning:".count)
      }
    }
    line.append(String(rest))
    return line
  }

  /// `FILE:LINE:` or `FILE:LINE:COLUMN:` in front, the file without a space in its name.
  private static func location(_ text: Substring) -> Substring? {
    let word = text.prefix { $0 != " " }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.last?.isEmpty == true, !parts[0].isEmpty,
      let number = parts.dropLast().last, !number.isEmpty, number.allSatisfy(\.isASCIIDigit)
    else { return nil }
    return word
  }
}

/// A line of a file and the carets under a part of it, as a message has them.
private struct ShownExcerpt {
  var text: String
  var caret: String

  /// Nil where the second line does not point into the first.
  init?(_ text: String, caret: String) {
    guard text.hasPrefix("  "), caret.hasPrefix("  "), caret.hasSuffix("^"),
      caret.allSatisfy({ $0 == " " || $0 == "^" })
    else { return nil }
    self.text = text
    self.caret = caret
  }

  /// What stands around the carets, in at most `width` columns.
  func cut(to width: Int) -> ShownExcerpt {
    let line = text.dropFirst(2).map { StyledCell(character: $0, role: nil) }
    let marks = Array(caret.dropFirst(2))
    let room = max(TerminalStyle.leastColumns, width) - 4
    guard text.columns > width || caret.count > width, let column = marks.firstIndex(of: "^") else { return self }
    let first = line.index(ofColumn: column) ?? line.count
    let last = line.index(ofColumn: marks.count) ?? line.count
    // As many characters as are sure to fit.
    let widest = line.map(\.columns).max() ?? 1
    let count = room / max(1, widest)
    let start = max(0, min(first - count / 2, line.count - count))
    let end = min(line.count, start + count)
    let isCut = start > 0
    var cut = self
    cut.text = "  \(isCut ? "…" : "")\(String(line[start..<end].map(\.character)))\(end < line.count ? "…" : "")"
    let before = Array(line[start..<min(first, end)]).columns + (isCut ? 1 : 0)
    let length = max(1, Array(line[min(first, end)..<min(max(first, last), end)]).columns)
    cut.caret = "  " + String(repeating: " ", count: before) + String(repeating: "^", count: length)
    return cut
  }
}
