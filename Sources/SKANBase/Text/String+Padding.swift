extension String {
  /// The text with spaces behind it.
  ///
  /// - Parameters:
  ///   - width: in columns of a terminal; a longer text stays whole.
  ///   - least: how many spaces follow a text that fills the width.
  package func padded(to width: Int, atLeast least: Int = 0) -> String {
    self + String(repeating: " ", count: Swift.max(least, width - columns))
  }

  /// The text with a character of one column before it as often as the width takes; a longer text stays whole.
  package func leftPadded(to width: Int, with character: Character = " ") -> String {
    String(repeating: character, count: Swift.max(0, width - columns)) + self
  }
}
