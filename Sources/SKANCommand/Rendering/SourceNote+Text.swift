import SKANText

extension SourceNote {
  /// `FILE:LINE:COLUMN: message`, the line, and a caret under the place.
  func text(file: String) -> String {
    if place.text.isEmpty { return line(file: file) }
    let shown = Excerpt(of: place, width: 120)
    return "\(line(file: file))\n  \(shown.text)\n  \(shown.caret)"
  }

  /// `FILE:LINE:COLUMN: message`.
  func line(file: String) -> String { "\(file.oneLine):\(place.line):\(place.column): \(message)" }
}

/// The part of a line around a place that fits a terminal.
struct Excerpt {
  let text: String
  let caret: String

  init(of place: SourcePlace, width: Int) {
    let characters = place.text.map { $0.isNewline || $0.isControl ? " " : $0.isHidden ? "\u{FFFD}" : $0 }
    let column = place.column - 1 - place.skipped
    let start = max(0, min(column - width / 2, characters.count - width))
    let end = min(characters.count, start + width)
    let isCut = start > 0 || place.skipped > 0
    text =
      (isCut ? "…" : "") + String(characters[start..<end]) + (end < characters.count || place.isCut ? "…" : "")
    caret =
      String(repeating: " ", count: column - start + (isCut ? 1 : 0))
      + String(repeating: "^", count: max(1, min(place.length, end - column)))
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.allSatisfy { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } }

  fileprivate var isHidden: Bool { unicodeScalars.contains(where: \.isHidden) }
}
