/// A line for people: its text, and the roles of parts of it. Without colors only the text is shown.
package struct StyledText: Sendable, Equatable {
  /// A part of the text with a role.
  package struct Span: Sendable, Equatable {
    /// The byte offsets in the text.
    package let range: Range<Int>
    let role: TextRole
  }

  package private(set) var text = ""
  /// The styled parts, in order and without overlaps.
  private(set) var spans: [Span] = []
  /// The column where the line continues when a terminal is too narrow for it; nil for two columns more than its
  /// indentation.
  package var indent: Int?
  /// Whether the line is never wrapped, because it is meant to be copied.
  var isFixed = false
  /// The columns of an excerpt's first line that the carets on its second line mark. An excerpt that is too wide is cut
  /// around them.
  var marked: Range<Int>?
  /// Whether a terminal shows the text as one paragraph, regardless of its line breaks.
  var isParagraph = false

  package init() {}

  init(_ text: String, _ spans: [Span], indent: Int?) { (self.text, self.spans, self.indent) = (text, spans, indent) }

  package init(_ text: String, _ role: TextRole? = nil) { append(text, role) }

  /// A line that is never wrapped.
  package static func fixed(_ text: String, _ role: TextRole? = nil) -> StyledText {
    var line = StyledText(text, role)
    line.isFixed = true
    return line
  }

  /// A finding, shown below the line that it concerns.
  package static func finding(_ message: String, code: String) -> StyledText {
    "  \("finding:", .finding) \(message) \("[\(code)]", .dim)"
  }

  /// A text that is filled to the width of the terminal.
  package static func paragraph(_ text: String) -> StyledText {
    var line = StyledText(text)
    (line.isParagraph, line.indent) = (true, 0)
    return line
  }

  package mutating func append(_ more: String, _ role: TextRole? = nil) {
    let start = text.utf8.count
    text += more
    if let role, !more.isEmpty { spans.append(Span(range: start..<text.utf8.count, role: role)) }
  }

  package mutating func append(_ more: StyledText) {
    let start = text.utf8.count
    text += more.text
    spans += more.spans.map { Span(range: start + $0.range.lowerBound..<start + $0.range.upperBound, role: $0.role) }
  }

  /// The line with a transformed text, such as one without the SDK key. Loses its roles if a change crosses the border
  /// of a part.
  package func mapText(_ transform: (String) -> String) -> StyledText {
    let new = transform(text)
    if new == text { return self }
    var line = self
    (line.text, line.spans) = ("", [])
    for (text, role) in runs { line.append(transform(String(text)), role) }
    if line.text != new { (line.text, line.spans) = (new, []) }
    return line
  }

  /// The text in order, divided where roles begin and end.
  var runs: [(text: Substring, role: TextRole?)] {
    var runs: [(Substring, TextRole?)] = []
    var position = text.startIndex
    for span in spans {
      let start = text.utf8.index(text.startIndex, offsetBy: span.range.lowerBound)
      let end = text.utf8.index(text.startIndex, offsetBy: span.range.upperBound)
      if position < start { runs.append((text[position..<start], nil)) }
      runs.append((text[start..<end], span.role))
      position = end
    }
    if position < text.endIndex { runs.append((text[position...], nil)) }
    return runs
  }
}

extension [StyledText] {
  /// The lines with a transformed text. The transformation also sees text that spans several lines.
  func mapText(_ transform: (String) -> String) -> [StyledText] {
    let text = map(\.text).joined(separator: "\n")
    let new = transform(text)
    if new == text { return self }
    let lines = map { $0.mapText(transform) }
    return lines.map(\.text).joined(separator: "\n") == new ? lines : [StyledText(new)]
  }

  /// The lines without the SDK key.
  package func redacted(by redactor: Redactor) -> [StyledText] { redactor.isEmpty ? self : mapText(redactor.redacted) }
}

extension StyledText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.line }

  /// A line written as `"\(name, .bold): \(text)"`.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var line = StyledText()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { line.append(literal) }

    package mutating func appendInterpolation(_ text: String, _ role: TextRole? = nil) { line.append(text, role) }

    package mutating func appendInterpolation(_ line: StyledText) { self.line.append(line) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) { line.append(value.description) }
  }
}

/// A line for people, assembled as bytes because lists print millions of them. Its memory is reused.
package struct StyledLine: ~Copyable {
  package var text = ByteText()
  /// See ``StyledText/spans``.
  private var spans: [StyledText.Span] = []
  /// The byte offset of the text whose column continues the line when a terminal is too narrow; see
  /// ``StyledText/indent``.
  private var indented: Int?

  package init() {}

  /// Empties the line, and keeps its memory.
  package mutating func removeAll() {
    text.removeAll()
    spans.removeAll(keepingCapacity: true)
    indented = nil
  }

  /// Assigns a role to the text added from `start` on.
  package mutating func style(from start: Int, _ role: TextRole?) {
    if let role, text.count > start { spans.append(StyledText.Span(range: start..<text.count, role: role)) }
  }

  /// Pads the text added from `start` on with spaces to a width in columns.
  ///
  /// - Parameter least: the minimum number of spaces.
  /// - Returns: the number of columns from `start` on.
  @discardableResult
  package mutating func pad(from start: Int, to width: Int, atLeast least: Int) -> Int {
    let columns = text.columns(from: start)
    let spaces = max(least, width - columns)
    text.append(UInt8(ascii: " "), times: spaces)
    return columns + spaces
  }

  /// Marks the column where a terminal that is too narrow continues the line.
  package mutating func indent(atOffset offset: Int) { indented = offset }

  package var styled: StyledText {
    let text = self.text.string
    return StyledText(text, spans, indent: indented.map { String(text.utf8.prefix($0))?.columns ?? 0 })
  }
}

/// The meaning of a part of a line. A terminal shows it as a color; the text is complete without it.
package enum TextRole: Sendable {
  case failure, finding, success, dim, bold

  /// The parameter of the SGR control sequence (ECMA-48) for the role.
  var code: String {
    switch self {
    case .failure: "31"
    case .finding: "33"
    case .success: "32"
    case .dim: "2"
    case .bold: "1"
    }
  }
}

extension StyledText {
  /// The number of columns to which the lines of a sectioned text are filled.
  private static let filledWidth = 80

  /// The lines of a text in sections: headings start in the first column, and everything else is indented. A line of
  /// more than 80 columns is meant to be copied and is never wrapped. Lines broken to fill 80 columns form one
  /// paragraph, which a narrower terminal wraps again.
  package static func sections(_ text: String) -> [StyledText] {
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
      // A table's row continues below its text, and a sentence at its own indentation.
      if line.isParagraph || column > leadingSpaces(first) || column > 0 && first.hasSuffix(".") {
        line.indent = column
      }
      styled.append(line)
    }
    return styled
  }

  /// The column where the text of a table's row begins, two or more spaces behind its name; for prose, the indentation.
  private static func textColumn(of line: String) -> Int {
    let spaces = leadingSpaces(line)
    let rest = line.dropFirst(spaces)
    guard spaces > 0, let gap = rest.firstRange(of: "  ") else { return spaces }
    let name = rest[..<gap.lowerBound].count
    return spaces + name + rest.dropFirst(name).prefix { $0 == " " }.count
  }

  /// Whether a line was broken because the next line's first word did not fit. Lines of code and lists were not.
  private static func goesOn(_ line: String, with next: String, at column: Int) -> Bool {
    guard column > 0, leadingSpaces(next) == column, textColumn(of: next) == column, next.count <= filledWidth,
      let last = line.last, !";{}".contains(last)
    else { return false }
    return line.count + 1 + next.dropFirst(column).prefix { $0 != " " }.count > filledWidth
  }

  private static func leadingSpaces(_ line: String) -> Int { line.prefix { $0 == " " }.count }
}
