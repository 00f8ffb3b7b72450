/// The rows of a CSV text whose first record names the columns.
package struct CSVTable<Failure: Error> {
  private var reader: CSVReader<Failure>
  private let columns: [String]
  private let required: [String]
  /// Where in a row each column of the header stands; nil before the header was read.
  private var indices: [String: Int]?
  private var width = 0
  /// What is wrong with the text so far, at most ``SourceProblem/mostReported``.
  package private(set) var notes: [SourceNote] = []
  /// How many problems there are besides.
  package private(set) var furtherNotes = 0

  /// - Parameters:
  ///   - columns: every column that there may be.
  ///   - required: those that must be there.
  package init(_ reader: CSVReader<Failure>, columns: [String], required: [String]) {
    self.reader = reader
    self.columns = columns
    self.required = required
  }

  /// A row, whose fields are known by their columns.
  package struct Row {
    package let record: CSVRecord
    fileprivate let indices: [String: Int]

    /// The field of a column without the blanks around it; nil where it is empty, and where there is no such column.
    package func text(_ column: String) -> String? {
      guard let index = indices[column] else { return nil }
      let text = String(decoding: record.fields[index].text.utf8.trimming { $0.isLineSpace }, as: UTF8.self)
      return text.isEmpty ? nil : text
    }

    /// A message about the field of a column, or about the whole row.
    package func note(_ message: String, about column: String? = nil) -> SourceNote {
      let range = column.flatMap { indices[$0] }.map { record.fields[$0].range }
      return record.note(message, at: range ?? 0..<record.bytes.count)
    }
  }

  /// Adds a problem.
  package mutating func complain(_ note: SourceNote) {
    if notes.count < SourceProblem.mostReported { notes.append(note) } else { furtherNotes += 1 }
  }

  /// The next row that can be read; nil after the last, and when the header is wrong.
  package mutating func next() throws(Failure) -> Row? {
    while let result = try reader.next() {
      switch result {
      case .failure(let error):
        for note in error.notes { complain(note) }
        if indices == nil { return nil }
      case .success(let record):
        guard let indices else {
          guard readHeader(record) else { return nil }
          continue
        }
        if record.fields.count == width { return Row(record: record, indices: indices) }
        let range = record.fields.count > width ? record.fields[width].range.lowerBound : 0
        complain(
          record.note(
            "this row has \(record.fields.count) fields, the header has \(width)", at: range..<record.bytes.count))
      }
    }
    if indices == nil, notes.isEmpty {
      let location = TextLocation(of: 0..<0, in: [])
      complain(
        SourceNote(
          location: location,
          message: "it is empty; its first line names the columns: \(columns.joined(separator: ","))"))
    }
    return nil
  }

  private mutating func readHeader(_ header: CSVRecord) -> Bool {
    var found: [String: Int] = [:]
    if header.fields.count == 1, let separator = header.fields[0].text.first(where: { ";\t|".contains($0) }) {
      let name = separator == "\t" ? "tabs" : "\"\(separator)\""
      complain(header.note("the columns are separated by \(name): save the table with commas", at: 0..<1))
      return false
    }
    for (index, field) in header.fields.enumerated() {
      let name = String(decoding: field.text.utf8.trimming { $0.isLineSpace }, as: UTF8.self)
      if !columns.contains(name) {
        let hint =
          nearestName(to: name, in: columns).map { "; did you mean \($0)?" }
          ?? "; there are \(columns.joined(separator: ", "))"
        complain(
          header.note((name.isEmpty ? "a column has no name" : "there is no column \(name)") + hint, at: field.range))
      } else if found.updateValue(index, forKey: name) != nil {
        complain(header.note("the column \(name) is there twice", at: field.range))
      }
    }
    for name in required where found[name] == nil {
      complain(header.note("the column \(name) is missing", at: 0..<header.bytes.count))
    }
    indices = found
    width = header.fields.count
    return notes.isEmpty
  }
}
