extension StyledText {
  /// The lines of a text in sections: headings begin a line, all else is below them. What is wider than 80 columns is to be
  /// copied, and never wrapped.
  static func sections(_ text: String) -> [StyledText] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).map { line in
      let isHeading = line.first.map { $0 != " " } ?? false
      return line.count > 80 ? .fixed(String(line)) : StyledText(String(line), isHeading ? .bold : nil)
    }
  }
}
