package enum TextStream: Sendable { case results, messages }

/// The way a stream shows lines for people.
package struct TerminalStyle: Sendable, Equatable {
  /// Whether parts of a line are colored.
  package var isColored = false
  /// The width of the terminal in columns; nil if the stream is not a terminal, whose lines are not wrapped.
  package var columns: Int?

  /// The style of a stream that is not a terminal.
  package static let plain = TerminalStyle()
  /// The smallest width to which lines are wrapped.
  static let leastColumns = 20
  /// The number of columns that a continued column of text needs.
  private static let leastRoom = 28

  package init(isColored: Bool = false, columns: Int? = nil) { (self.isColored, self.columns) = (isColored, columns) }

  package var isPlain: Bool { self == .plain }

  /// The styled line, with its line end.
  package func text(_ line: StyledText) -> String {
    if isPlain { return Terminal.visible(line.text) + "\n" }
    var text = ""
    let width = line.marked == nil ? nil : columns
    for cells in width.map(line.excerptLines) ?? line.visibleLines(joinsParagraphs: columns != nil) {
      for row in rows(cells, of: line) { text += "\(self.text(row))\n" }
    }
    return text
  }

  private func rows(_ cells: [StyledCell], of line: StyledText) -> [[StyledCell]] {
    guard let columns, !line.isFixed, line.marked == nil else { return [cells] }
    let width = max(columns, Self.leastColumns)
    let start = cells.prefix(while: \.isSpace).count
    let indent = line.indent ?? start + 2
    if indent <= width / 2 || width - indent >= Self.leastRoom { return cells.wrapped(width, indent: indent) }
    // If little room is left behind a column, its text continues near the margin, on separate rows.
    let margin = min(start + 4, width / 4)
    guard cells.columns > width, let column = cells.index(ofColumn: indent) else {
      return cells.wrapped(width, indent: margin)
    }
    let head = Array(cells[..<column].trimmingSuffix(while: \.isSpace))
    let space = Array(repeating: StyledCell(character: " ", role: nil), count: margin)
    return head.wrapped(width, indent: margin) + (space + cells[column...]).wrapped(width, indent: margin)
  }

  private func text(_ row: [StyledCell]) -> String {
    var text = ""
    var role: TextRole?
    for cell in row {
      if isColored, cell.role != role {
        if role != nil { text += "\u{1B}[0m" }
        if let new = cell.role { text += "\u{1B}[\(new.code)m" }
        role = cell.role
      }
      text.append(cell.character)
    }
    return role == nil ? text : text + "\u{1B}[0m"
  }
}

/// A character on a terminal, with its role.
struct StyledCell: Equatable {
  let character: Character
  let role: TextRole?

  var columns: Int { String(character).columns }

  var isSpace: Bool { character == " " }
}

extension StyledText {
  /// The lines of the text as a terminal shows them, with control and invisible characters escaped.
  ///
  /// - Parameter joinsParagraphs: whether to join the lines of a paragraph.
  func visibleLines(joinsParagraphs: Bool) -> [[StyledCell]] {
    var lines: [[StyledCell]] = [[]]
    // The indentation of a paragraph's further lines is dropped.
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

  /// The index of the first character at or behind a column.
  func index(ofColumn column: Int) -> Int? {
    var width = 0
    return firstIndex { cell in
      defer { width += cell.columns }
      return width >= column
    }
  }

  /// Breaks the characters into rows of at most `width` columns, between words. A wider word stays whole.
  ///
  /// - Parameter indent: the column where the rows after the first begin.
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
  /// The end of a row of this width: the last space within it, or the end of a first word that is too wide. Nil if the
  /// rest fits.
  fileprivate func lineEnd(_ width: Int) -> Int? {
    var column = 0
    var hasWord = false
    var last: Int?
    for index in indices {
      if self[index].isSpace {
        // A word that is too wide ends its row.
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

/// The characters that text on standard output and standard error may contain: everything except what a terminal would
/// interpret or hide. Line ends and tabs are kept, and the rest is escaped. Formats for machines are escaped already
/// and pass unchanged.
package enum Terminal {
  static func visible(_ text: String) -> String {
    guard unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe mayHide($0) }) ?? true else { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if scalar.isHidden, scalar != "\n", scalar != "\t" {
        visible += scalar.hiddenText
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }

  package static func visible(_ bytes: [UInt8]) -> [UInt8] {
    guard unsafe bytes.withUnsafeBufferPointer({ unsafe mayHide($0) }) else { return bytes }
    return Array(visible(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// Whether a text may contain a character to escape. There are no false negatives, and few false positives.
  private static func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      // Eight bytes at a time while all are printable ASCII, as in megabytes of results.
      if index + 8 <= bytes.count,
        unsafe isPrintable(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
      if byte >= 0x20, byte < 0x7F || byte == 0xC3 { continue }
      if byte == 0x0A || byte == 0x09 { continue }
      if unsafe byte < 0x80 || bytes.mayHide(at: index - 1) { return true }
    }
    return false
  }

  /// Whether each of eight bytes is from 0x20 to 0x7E. A carry may cause a false negative, which only costs time.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let control = (word &- ones &* 0x20) & ~word
    let delete = word ^ (ones &* 0x7F)
    return (word | control | ((delete &- ones) & ~delete)) & highBits == 0
  }
}
