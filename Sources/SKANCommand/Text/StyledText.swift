import SKANBase

/// A line for people: its text, and what parts of it are. Where there are no colors, it is the text alone.
package struct StyledText: Sendable, Equatable {
  /// A part with a role.
  struct Span: Sendable, Equatable {
    /// Byte offsets in the text.
    let range: Range<Int>
    let role: TextRole
  }

  private(set) var text = ""
  /// In order, without overlaps.
  private(set) var spans: [Span] = []
  /// The column where the line goes on when a terminal is too narrow for it; nil for two more than where it begins.
  var indent: Int?
  /// Whether it is never wrapped: a line to copy.
  var isFixed = false
  /// The columns of a line of a file that the carets on a second line stand under: too wide an excerpt is cut around them.
  var marked: Range<Int>?
  /// Whether a terminal has it as one paragraph, whatever lines it is written in.
  var isParagraph = false

  init() {}

  init(_ text: String, _ spans: [Span], indent: Int?) { (self.text, self.spans, self.indent) = (text, spans, indent) }

  init(_ text: String, _ role: TextRole? = nil) { append(text, role) }

  /// A line that is never wrapped.
  static func fixed(_ text: String, _ role: TextRole? = nil) -> StyledText {
    var line = StyledText(text, role)
    line.isFixed = true
    return line
  }

  /// A finding below the line that it is about.
  static func finding(_ message: String, code: String) -> StyledText {
    "  \("finding:", .finding) \(message) \("[\(code)]", .dim)"
  }

  /// A text that fills the width that there is.
  static func paragraph(_ text: String) -> StyledText {
    var line = StyledText(text)
    (line.isParagraph, line.indent) = (true, 0)
    return line
  }

  mutating func append(_ more: String, _ role: TextRole? = nil) {
    let start = text.utf8.count
    text += more
    if let role, !more.isEmpty { spans.append(Span(range: start..<text.utf8.count, role: role)) }
  }

  mutating func append(_ more: StyledText) {
    let start = text.utf8.count
    text += more.text
    spans += more.spans.map { Span(range: start + $0.range.lowerBound..<start + $0.range.upperBound, role: $0.role) }
  }

  /// The line with another text in its place, such as one without the SDK key. Its parts are lost where what changes is
  /// not within one of them.
  func mapText(_ transform: (String) -> String) -> StyledText {
    let new = transform(text)
    if new == text { return self }
    var line = self
    (line.text, line.spans) = ("", [])
    for (text, role) in runs { line.append(transform(String(text)), role) }
    if line.text != new { (line.text, line.spans) = (new, []) }
    return line
  }

  /// All of the text in order, divided where roles begin and end.
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
  /// The lines with another text in their place; one that goes over the end of a line is found, too.
  func mapText(_ transform: (String) -> String) -> [StyledText] {
    let text = map(\.text).joined(separator: "\n")
    let new = transform(text)
    if new == text { return self }
    let lines = map { $0.mapText(transform) }
    return lines.map(\.text).joined(separator: "\n") == new ? lines : [StyledText(new)]
  }
}

extension StyledText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.line }

  /// `"\(name, .bold): \(text)"`.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var line = StyledText()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { line.append(literal) }

    package mutating func appendInterpolation(_ text: String, _ role: TextRole? = nil) { line.append(text, role) }

    package mutating func appendInterpolation(_ line: StyledText) { self.line.append(line) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) { line.append(value.description) }
  }
}

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

/// What a part of a line is for a person. On a terminal it is a color; the text says the same without one.
package enum TextRole: Sendable {
  case failure, finding, success, dim, bold

  /// The parameter of the control sequence SGR (ECMA-48) that begins it.
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
