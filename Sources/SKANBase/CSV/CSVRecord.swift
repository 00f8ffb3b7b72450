/// A record of a CSV text (RFC 4180), with the text that it was read from.
package struct CSVRecord: Sendable {
  /// A field without its quotes.
  package struct Field: Sendable, Equatable {
    package let text: String
    /// Byte offsets in the record's text, quotes included.
    package let range: Range<Int>
  }

  package let fields: [Field]
  /// The line on which it begins, from 1; line ends may stand in quotes.
  package let line: Int
  /// Without its line end.
  package let bytes: [UInt8]

  /// A message about a part of it, with its location in the whole text.
  package func note(_ message: String, at range: Range<Int>) -> SourceNote {
    SourceNote(location: TextLocation(of: range, in: bytes), message: message).moved(by: line - 1)
  }
}

extension CSVRecord {
  /// Takes the text of a record apart.
  ///
  /// - Throws: everything that is wrong with it.
  init(_ bytes: [UInt8], line: Int) throws(SourceNotes) {
    var fields: [Field] = []
    var problems: [SourceProblem] = []
    var start = 0
    while true {
      let (field, end) = Self.field(bytes, from: start, &problems)
      fields.append(field)
      if end == bytes.count { break }
      start = end + 1
    }
    self.fields = fields
    self.bytes = bytes
    self.line = line
    if !problems.isEmpty { throw SourceNotes(problems.map { note($0.message, at: $0.range) }) }
  }

  /// The field that begins at an offset, and where it ends: at a comma or at the end.
  private static func field(
    _ bytes: [UInt8], from start: Int, _ problems: inout [SourceProblem]
  ) -> (Field, end: Int) {
    let quote = UInt8(ascii: "\"")
    var content: [UInt8] = []
    var index = start
    if index < bytes.count, bytes[index] == quote {
      index += 1
      while index < bytes.count, bytes[index] != quote || index + 1 < bytes.count && bytes[index + 1] == quote {
        index += bytes[index] == quote ? 2 : 1
        content.append(bytes[index - 1])
      }
      index = min(index + 1, bytes.count)
    }
    let rest = index
    while index < bytes.count, bytes[index] != UInt8(ascii: ",") { index += 1 }
    if rest > start, index > rest {
      problems.append(SourceProblem("a comma must follow the quote that ends a field", at: rest..<index))
    } else if rest == start {
      content = Array(bytes[start..<index])
      if let position = content.firstIndex(of: quote) {
        problems.append(
          SourceProblem(
            "a quote stands inside a field: put the field in quotes, and write the quote twice",
            at: start + position..<start + position + 1))
      }
    }
    let text = String(validating: content, as: UTF8.self)
    if text == nil { problems.append(SourceProblem("this is not UTF-8", at: start..<index)) }
    return (Field(text: text ?? "", range: start..<index), index)
  }
}
