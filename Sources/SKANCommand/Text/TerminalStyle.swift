import SKANBase

/// The two streams of text.
package enum TextStream: Sendable { case results, messages }

/// When parts of lines have colors: `--color`.
enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

/// How results and messages are shown.
struct TerminalStyles: Sendable {
  var results = TerminalStyle.plain
  var messages = TerminalStyle.plain

  static let plain = TerminalStyles()

  private init() {}

  /// The effect of the choice on each terminal.
  ///
  /// `NO_COLOR` (https://no-color.org) and a `TERM` of `dumb` count where the user chose nothing. `COLUMNS` is taken for
  /// the width of a terminal.
  init(_ choice: ColorChoice, _ environment: Environment) {
    let variable = { (name: String) in environment.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let mayColor = variable("NO_COLOR") == nil && (variable("TERM") ?? "dumb") != "dumb"
    let columns = variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let style = { (stream: TextStream) in
      let terminal = environment.terminalColumns(stream)
      return TerminalStyle(
        isColored: choice == .always || choice == .auto && mayColor && terminal != nil,
        columns: terminal.map { columns ?? $0 })
    }
    results = style(.results)
    messages = style(.messages)
  }

  subscript(stream: TextStream) -> TerminalStyle { stream == .results ? results : messages }
}

extension ColorChoice {
  /// What a command line says before it is known to be right, for the message that it is not.
  init(_ arguments: [String], _ environment: Environment) {
    let before = Array(arguments.prefix { $0 != "--" })
    let flag = OptionRow.color.flag
    var texts = before.filter { $0.hasPrefix("\(flag)=") }.map { String($0.dropFirst(flag.count + 1)) }
    if let index = before.firstIndex(of: flag), index + 1 < before.count { texts.append(before[index + 1]) }
    self = (texts.first ?? environment.variable(OptionRow.color.variable)).flatMap { Self(rawValue: $0) } ?? .auto
  }
}

/// How a stream shows lines for people.
struct TerminalStyle: Sendable, Equatable {
  /// Whether parts have colors.
  var isColored = false
  /// The width of the terminal; nil where the lines go to a file or a pipe, which are not wrapped.
  var columns: Int?

  /// As it is where no person watches.
  static let plain = TerminalStyle()
  /// Below this width lines are not wrapped any closer.
  static let leastColumns = 20
  /// Room that a column of text needs.
  private static let leastRoom = 28

  var isPlain: Bool { self == .plain }

  /// A line, with its end.
  func text(_ line: StyledText) -> String {
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
    // Where little room is left behind a column, what stands there goes on near the margin, on rows of its own.
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

/// What goes out to standard output and standard error, all of it: lines and tabs, and otherwise nothing that a terminal
/// would act upon or hide. Formats for machines have escaped that in their own way before, and pass as they are.
enum Terminal {
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

  static func visible(_ bytes: [UInt8]) -> [UInt8] {
    guard unsafe bytes.withUnsafeBufferPointer({ unsafe mayHide($0) }) else { return bytes }
    return Array(visible(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// Whether a second look is needed: said of nearly nothing that needs none, and of everything that does.
  private static func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      // Eight at a time, as long as all are printable ASCII: results are megabytes of it.
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

  /// Whether none of eight bytes is below 0x20, 0x7F or above. A carry may make it doubt one that is, which costs only time.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let control = (word &- ones &* 0x20) & ~word
    let delete = word ^ (ones &* 0x7F)
    return (word | control | ((delete &- ones) & ~delete)) & highBits == 0
  }
}
