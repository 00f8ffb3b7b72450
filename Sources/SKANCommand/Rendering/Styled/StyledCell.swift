import SKANBase

/// A character of a line on a terminal.
struct StyledCell: Equatable {
  let character: Character
  let role: TextRole?

  var columns: Int { String(character).columns }

  var isSpace: Bool { character == " " }
}

extension StyledText {
  /// The lines of the text as a terminal shows them: nothing that it would act upon or hide.
  ///
  /// - Parameter joinsParagraphs: whether the lines of a paragraph are one.
  func visibleLines(joinsParagraphs: Bool) -> [[StyledCell]] {
    var lines: [[StyledCell]] = [[]]
    // What indents a further line of a paragraph is no part of its text.
    var isBeginning = false
    for (text, role) in runs {
      for character in Terminal.visible(String(text)) {
        let isEnd = character == "\n"
        if isEnd, !(joinsParagraphs && isParagraph) {
          lines.append([])
        } else if !isBeginning || character != " " {
          lines[lines.count - 1].append(StyledCell(character: isEnd ? " " : character, role: role))
          isBeginning = isEnd
        }
      }
    }
    return lines
  }
}

extension [StyledCell] {
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The first character that begins at this column or behind it.
  func index(ofColumn column: Int) -> Int? {
    var width = 0
    return firstIndex { cell in
      defer { width += cell.columns }
      return width >= column
    }
  }

  /// In rows of at most `width` columns, broken between words; a word that is wider stays whole.
  ///
  /// - Parameter indent: the column where rows after the first begin, which have no spaces of their own in front.
  func wrapped(_ width: Int, indent: Int) -> [[StyledCell]] {
    var rows: [[StyledCell]] = []
    var rest = ArraySlice(self)
    while let end = rest.lineEnd(width - (rows.isEmpty ? 0 : indent)) {
      rows.append(Array(rest[..<end].trimmingSuffix(while: \.isSpace)))
      rest = rest[end...].drop(while: \.isSpace)
    }
    if !rest.isEmpty || rows.isEmpty { rows.append(Array(rest)) }
    let space = repeatElement(StyledCell(character: " ", role: nil), count: indent)
    return rows.enumerated().map { $0 == 0 ? $1 : space + $1 }
  }
}

extension ArraySlice<StyledCell> {
  /// Where a row of this width ends: at the last space within it, or behind its first word. Nil when all of it fits.
  fileprivate func lineEnd(_ width: Int) -> Int? {
    var column = 0
    var hasWord = false
    var last: Int?
    for index in indices {
      if self[index].isSpace {
        // What follows a word that is too wide goes on the next row.
        if column > width, hasWord { return last ?? index }
        if hasWord { last = index }
      } else {
        hasWord = true
      }
      column += self[index].columns
      if column > width, let last { return last }
    }
    return nil
  }
}
