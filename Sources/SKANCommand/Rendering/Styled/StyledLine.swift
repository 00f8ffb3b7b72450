import SKANBase

/// A line for people that is put together as bytes, since lists print millions of them. Its memory is used again.
struct StyledLine: ~Copyable {
  var text = ByteText()
  /// As of ``StyledText``.
  private var spans: [StyledText.Span] = []
  /// Where the text begins at which a terminal that is too narrow goes on with the line.
  private var indented: Int?

  /// Takes everything out.
  mutating func removeAll() {
    text.removeAll()
    spans.removeAll(keepingCapacity: true)
    indented = nil
  }

  /// Gives a role to what was added from `start` on.
  mutating func style(from start: Int, _ role: TextRole?) {
    if let role, text.count > start { spans.append(StyledText.Span(range: start..<text.count, role: role)) }
  }

  /// Adds spaces, so that what was added from `start` on has a width.
  ///
  /// - Parameter least: how many spaces follow a text that fills the width.
  /// - Returns: the columns from `start` on.
  @discardableResult
  mutating func pad(from start: Int, to width: Int, atLeast least: Int) -> Int {
    let columns = text.columns(from: start)
    let spaces = max(least, width - columns)
    text.append(UInt8(ascii: " "), times: spaces)
    return columns + spaces
  }

  /// A terminal that is too narrow goes on with the line in this column.
  mutating func indentHere() { indented = text.count }

  /// The line for a terminal.
  var styled: StyledText {
    let text = self.text.string
    return StyledText(text, spans, indent: indented.map { String(text.utf8.prefix($0))?.columns ?? 0 })
  }
}
