extension String {
  /// The text as a field of CSV (RFC 4180), in quotes where it has to be. A spreadsheet takes a text that begins with one
  /// of `=+-@` for a formula, so such a text gets an apostrophe.
  package var csvField: String {
    let text = first.map { "=+-@\t\r".contains($0) } == true ? "'\(self)" : self
    guard text.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

extension [String] {
  /// The texts as a line of CSV, with its end.
  package var csvLine: String { map(\.csvField).joined(separator: ",") + "\n" }
}
