/// One line of the terminal's chart: characters at columns, and labels where there is room.
struct TextStrip {
  private var cells: [Character]
  /// Columns that a label has taken, one beside it included.
  private var taken: [Bool]

  init(width: Int) {
    cells = Array(repeating: " ", count: width)
    taken = Array(repeating: false, count: width)
  }

  var width: Int { cells.count }

  var text: String { String(cells) }

  mutating func put(_ character: Character, at column: Int) {
    if cells.indices.contains(column) { cells[column] = character }
  }

  mutating func fill(_ columns: Range<Int>, with character: Character) {
    for column in columns { put(character, at: column) }
  }

  /// Writes a label, unless it would touch another or leave the strip.
  ///
  /// - Returns: whether there was room.
  @discardableResult
  mutating func label(_ text: String, at column: Int, before end: Int? = nil) -> Bool {
    let last = column + text.count
    guard column >= 0, last <= min(width, end ?? width), !text.isEmpty,
      !taken[column..<last].contains(true)
    else { return false }
    for (offset, character) in text.enumerated() { cells[column + offset] = character }
    for position in max(0, column - 1)..<min(width, last + 1) { taken[position] = true }
    return true
  }
}
