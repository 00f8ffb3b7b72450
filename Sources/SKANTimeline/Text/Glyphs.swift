import SKANBase

/// The characters of a terminal drawing: line drawing or ASCII alone.
struct Glyphs {
  let line, locked, edge, left, right, drawn, ellipsis, unknown: Character
  private let marks: [Character]
  private let isASCII: Bool

  static let unicode = Glyphs(
    line: "─", locked: "═", edge: "│", left: "├", right: "┤", drawn: "●", ellipsis: "…", unknown: "┄",
    marks: ["●", "○", "×", "+", "·", "−"], isASCII: false)
  static let ascii = Glyphs(
    line: "-", locked: "=", edge: "|", left: "[", right: "]", drawn: "o", ellipsis: "~", unknown: ".",
    marks: ["*", "o", "x", "+", "-", "r"], isASCII: true)

  func mark(_ mark: StoryItem.Mark) -> Character { marks[mark.rawValue] }

  /// A text as it can be printed.
  func text(_ text: String) -> String {
    if !isASCII { return text }
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "×": plain += "x"
      case _ where scalar.isASCII: plain.unicodeScalars.append(scalar)
      default: plain += scalar.swiftEscape
      }
    }
    return plain
  }
}
