import SKANBase

extension SourceNote {
  /// `FILE:LINE:COLUMN: message`, the line, and a caret under the location.
  func text(file: String) -> String {
    if location.text.isEmpty { return line(file: file) }
    let shown = Excerpt(of: location, width: 120)
    return "\(line(file: file))\n  \(shown.text)\n  \(shown.caret)"
  }

  /// `FILE:LINE:COLUMN: message`.
  func line(file: String) -> String { "\(file.oneLine):\(location.line):\(location.column): \(message)" }
}

/// The part of a line around a location that fits a terminal.
struct Excerpt {
  let text: String
  let caret: String

  init(of location: TextLocation, width: Int) {
    let characters = location.text.map { $0.isNewline || $0.isControl ? " " : $0.isHidden ? "\u{FFFD}" : $0 }
    let column = location.column - 1 - location.skipped
    let start = max(0, min(column - width / 2, characters.count - width))
    let end = min(characters.count, start + width)
    let isCut = start > 0 || location.skipped > 0
    text =
      (isCut ? "…" : "") + String(characters[start..<end]) + (end < characters.count || location.isCut ? "…" : "")
    // A caret a column of the terminal: a character may have two, or none.
    let first = min(max(start, column), end)
    let marked = characters[first..<min(end, first + location.length)]
    caret =
      String(repeating: " ", count: String(characters[start..<first]).columns + column - first + (isCut ? 1 : 0))
      + String(repeating: "^", count: max(1, String(marked).columns))
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.allSatisfy { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } }

  fileprivate var isHidden: Bool { unicodeScalars.contains(where: \.isHidden) }
}
