import SKANBase

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
