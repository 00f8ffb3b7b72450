import SKANBase

/// A part of a help topic.
struct HelpSection: Sendable {
  let heading: String
  let prose: String
  let rows: [(name: String, text: String)]

  init(_ heading: String, _ prose: String = "", rows: [(name: String, text: String)] = []) {
    self.heading = heading
    self.prose = prose
    self.rows = rows
  }

  private static let width = 80
  /// A longer name has a line of its own.
  private static let longestName = 24

  /// In 80 columns; of a row further lines stand below its text.
  var text: String {
    let names = min(Self.longestName, rows.map(\.name.count).max() ?? 0)
    let indent = String(repeating: " ", count: names + 4)
    let lines = rows.flatMap { row -> [String] in
      let texts = row.text.filled(to: Self.width - names - 4)
      let name = "  \(row.name.padded(to: names))"
      if row.name.count > names { return [name] + texts.map { indent + $0 } }
      return texts.isEmpty
        ? ["  \(row.name)"] : ["\(name)  \(texts[0])"] + texts.dropFirst().map { indent + $0 }
    }
    return (["\(heading)"] + prose.filled(to: Self.width - 2).map { "  \($0)" } + lines).joined(separator: "\n")
  }
}

extension [String] {
  /// The names, to be read.
  var enumerated: String { joined(separator: ", ") }
}
