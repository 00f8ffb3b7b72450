/// Reads the records of a CSV text (RFC 4180) one by one, in bounded memory.
///
/// It accepts a byte order mark, CRLF and LF, line ends in quoted fields, and a missing last line end. It skips empty
/// lines.
package struct CSVReader<Failure: Error> {
  /// The limit in bytes. A longer record usually has a quote that is never closed.
  package static var longestRecord: Int { 1 << 20 }

  /// Returns the next bytes; empty at the end.
  private let read: () throws(Failure) -> [UInt8]
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isAtStart = true
  /// The number of the next line, from 1.
  private var line = 1

  package init(read: @escaping () throws(Failure) -> [UInt8]) { self.read = read }

  /// The next record or its problem; nil after the last.
  package mutating func next() throws(Failure) -> Result<CSVRecord, SourceNotes>? {
    while let (bytes, start, problem) = try nextText() {
      if let problem {
        let note = SourceNote(location: TextLocation(of: problem.range, in: bytes), message: problem.message)
        return .failure(SourceNotes([note.moved(by: start - 1)]))
      }
      if bytes.allSatisfy(\.isLineSpace) { continue }
      if start == 1, [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2))) {
        let index = TextLocation(of: 0..<0, in: [])
        return .failure(SourceNotes([SourceNote(location: index, message: "this is UTF-16: save the table as UTF-8")]))
      }
      do throws(SourceNotes) { return .success(try CSVRecord(bytes, line: start)) } catch { return .failure(error) }
    }
    return nil
  }

  /// The text of the next record without its line end, the line on which it begins, and why it cannot be read; nil
  /// after the last.
  private mutating func nextText() throws(Failure) -> ([UInt8], line: Int, SourceProblem?)? {
    let start = line
    var bytes: [UInt8] = []
    var count = 0
    var quotes = CSVQuotes()
    while try fill() {
      let lineEnd = chunk[position...].firstIndex(of: 0x0A)
      let piece = chunk[position..<(lineEnd ?? chunk.count)]
      quotes.scan(piece, from: count)
      count += piece.count
      bytes += piece.prefix(max(0, Self.longestRecord - bytes.count))
      position = lineEnd.map { $0 + 1 } ?? chunk.count
      guard lineEnd != nil else { continue }
      line += 1
      if !quotes.areOpen { return (Self.withoutReturn(bytes), start, Self.tooLong(count)) }
      count += 1
      if bytes.count < Self.longestRecord { bytes.append(0x0A) }
    }
    if count == 0 { return nil }
    if quotes.areOpen, quotes.beginning < bytes.count {
      let range = quotes.beginning..<quotes.beginning + 1
      return (bytes, start, SourceProblem("the field that begins with this quote never ends", at: range))
    }
    return (Self.withoutReturn(bytes), start, Self.tooLong(count))
  }

  private static func tooLong(_ count: Int) -> SourceProblem? {
    if count <= longestRecord { return nil }
    return SourceProblem(
      "this record has \(count) bytes, and at most \(longestRecord) are read: is a quote missing?", at: 0..<1)
  }

  private static func withoutReturn(_ bytes: [UInt8]) -> [UInt8] {
    bytes.last == 0x0D ? bytes.dropLast() : bytes
  }

  /// Reads the next chunk once the current one is consumed.
  ///
  /// - Returns: whether there are bytes to read.
  private mutating func fill() throws(Failure) -> Bool {
    while position == chunk.count, !isAtEnd {
      chunk = try read()
      position = 0
      isAtEnd = chunk.isEmpty
      if isAtStart, !isAtEnd {
        // A byte order mark can be split between chunks.
        while chunk.count < 3 {
          let more = try read()
          if more.isEmpty { break }
          chunk += more
        }
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        isAtStart = false
      }
    }
    return position < chunk.count
  }
}

extension CSVReader<Never> {
  /// Reads a text in memory.
  package init(_ bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init { () throws(Never) in
      defer { rest = nil }
      return rest ?? []
    }
  }
}

/// Tracks whether a line end is inside a quoted field.
struct CSVQuotes {
  private enum State {
    case atFieldStart, inPlainField, inQuotes
    /// After a quote that may close the field. A second quote makes it an escaped one, and the field stays open.
    case behindQuotes
  }

  private var state = State.atFieldStart
  /// The offset in the record at which the quoted field begins.
  private(set) var beginning = 0

  var areOpen: Bool { state == .inQuotes }

  /// Scans the next piece of the record, which begins at `offset`.
  mutating func scan(_ piece: ArraySlice<UInt8>, from offset: Int) {
    let quote = UInt8(ascii: "\"")
    if !areOpen, state != .behindQuotes, !piece.contains(quote) {
      if let last = piece.last { state = last == UInt8(ascii: ",") ? .atFieldStart : .inPlainField }
      return
    }
    for index in piece.indices {
      switch (state, piece[index]) {
      case (.atFieldStart, quote):
        state = .inQuotes
        beginning = offset + index - piece.startIndex
      case (.inQuotes, quote): state = .behindQuotes
      case (.behindQuotes, quote): state = .inQuotes
      case (.inQuotes, _): break
      case (_, UInt8(ascii: ",")): state = .atFieldStart
      default: state = .inPlainField
      }
    }
  }
}

/// A record of a CSV text (RFC 4180), with the text that it was read from.
package struct CSVRecord: Sendable {
  /// A field without its quotes.
  package struct Field: Sendable, Equatable {
    package let text: String
    /// Byte offsets in the record's text, quotes included.
    package let range: Range<Int>
  }

  package let fields: [Field]
  /// The line on which the record begins, from 1; quoted fields can contain line ends.
  package let line: Int
  /// The record's text, without its line end.
  package let bytes: [UInt8]

  /// A message about a part of the record, with its location in the whole text.
  package func note(_ message: String, at range: Range<Int>) -> SourceNote {
    SourceNote(location: TextLocation(of: range, in: bytes), message: message).moved(by: line - 1)
  }
}

extension CSVRecord {
  /// Splits the text of a record into fields.
  ///
  /// - Throws: every problem of the record.
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

  /// The field that begins at an offset, and its end: the offset of a comma or the end of the record.
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

/// The rows of a CSV text whose first record names the columns.
package struct CSVTable<Failure: Error> {
  private var reader: CSVReader<Failure>
  private let columns: [String]
  private let required: [String]
  /// The position of each column in a row; nil before the header has been read.
  private var indices: [String: Int]?
  private var width = 0
  /// The problem with the text so far, at most ``SourceProblem/mostReported``.
  package private(set) var notes: [SourceNote] = []
  /// How many problems there are besides.
  package private(set) var furtherNotes = 0

  /// - Parameters:
  ///   - columns: every column that the header may name.
  ///   - required: the columns that the header must name.
  package init(_ reader: CSVReader<Failure>, columns: [String], required: [String]) {
    self.reader = reader
    self.columns = columns
    self.required = required
  }

  /// A row with access to its fields by column name.
  package struct Row {
    package let record: CSVRecord
    fileprivate let indices: [String: Int]

    /// The field of a column without surrounding blanks; nil if it is empty or there is no such column.
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

  /// Adds a problem; beyond ``SourceProblem/mostReported`` it is only counted.
  package mutating func complain(_ note: SourceNote) {
    if notes.count < SourceProblem.mostReported { notes.append(note) } else { furtherNotes += 1 }
  }

  /// The next readable row; nil after the last, and if the header is not valid.
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

extension String {
  /// The text as a CSV field (RFC 4180), quoted if necessary. Spreadsheets evaluate a text that begins with one of
  /// `=+-@` as a formula, so such a text gets an apostrophe in front. A number is no formula, and stays as it is.
  package var csvField: String {
    let isFormula = first.map { "=+-@\t\r".contains($0) } == true && !isDecimalNumber
    let text = isFormula ? "'\(self)" : self
    guard text.contains(where: { ",\"".contains($0) || $0.isNewline }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// Whether the text is a decimal number, such as `-5.25` or `+1e6`.
  private var isDecimalNumber: Bool {
    utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) } && Double(self) != nil
  }
}

extension [String] {
  /// The texts as a line of CSV, with the line end.
  package var csvLine: String { map(\.csvField).joined(separator: ",") + "\n" }
}
