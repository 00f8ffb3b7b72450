/// Reads the records of a CSV text (RFC 4180) one by one, in bounded memory.
///
/// A byte order mark, CRLF and LF, quoted fields with line ends in them, and a missing last line end are taken; empty lines
/// are passed over.
package struct CSVReader<Failure: Error> {
  /// In bytes; a longer record is mostly a quote that never ends.
  package static var longestRecord: Int { 1 << 20 }

  /// Gives the next bytes; none at the end.
  private let read: () throws(Failure) -> [UInt8]
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isAtStart = true
  /// The line that comes next, from 1.
  private var line = 1

  package init(read: @escaping () throws(Failure) -> [UInt8]) { self.read = read }

  /// The next record, or what is wrong with it; nil after the last.
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

  /// The text of the next record without its line end, the line on which it begins, and why it cannot be read; nil after the
  /// last.
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

  /// Reads on where all was taken.
  ///
  /// - Returns: whether there is more.
  private mutating func fill() throws(Failure) -> Bool {
    while position == chunk.count, !isAtEnd {
      chunk = try read()
      position = 0
      isAtEnd = chunk.isEmpty
      if isAtStart, !isAtEnd {
        // A byte order mark may come in parts.
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
  /// A text in memory.
  package init(_ bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init { () throws(Never) in
      defer { rest = nil }
      return rest ?? []
    }
  }
}
