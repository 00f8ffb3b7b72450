import SKANBase
import SKANRun

/// An input, recognized by its beginning.
package enum ExportInput {
  /// The rows of an export.
  case rows(ExportBlocks)
  /// An event list, from its beginning.
  case eventList(ByteSource)
  /// No bytes at all.
  case empty
}

/// Why an input cannot be read.
package enum ExportFailure: Error, Equatable {
  case source(SourceFailure)
  /// The content is invalid at a line.
  case content(line: Int, message: String)
}

extension ExportInput {
  /// The most bytes that are examined to find the first record.
  private static let longestBeginning = ExportBlocks.longestRecord

  /// Reads the beginning of an input and recognizes its kind.
  ///
  /// - Parameters:
  ///   - file: the name for messages.
  ///   - index: the index of the input, from 0.
  ///   - blockSize: the approximate size of a block in bytes.
  package static func open(
    _ source: ByteSource, file: String, index: Int, blockSize: Int = 1 << 20
  ) throws(ExportFailure) -> ExportInput {
    var bytes: [UInt8] = []
    var isAtEnd = false
    var wanted = 4096
    while true {
      do throws(SourceFailure) { try read(source, &bytes, wanted, &isAtEnd) } catch { throw .source(error) }
      if let input = try recognized(bytes, isAtEnd, source, file, index, blockSize) { return input }
      if isAtEnd { return .empty }
      if bytes.count > longestBeginning {
        throw .content(line: 1, message: "its first record has more than \(longestBeginning) bytes")
      }
      wanted = bytes.count * 2
    }
  }

  /// Reads until there are `wanted` bytes.
  private static func read(
    _ source: ByteSource, _ bytes: inout [UInt8], _ wanted: Int, _ isAtEnd: inout Bool
  ) throws(SourceFailure) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { unsafe piece.deallocate() }
    while bytes.count < wanted, !isAtEnd {
      let count = try unsafe source.read(piece)
      if count == 0 { isAtEnd = true }
      unsafe bytes += piece[..<count]
    }
  }

  /// The recognized input; nil when more bytes are needed, or if it is empty.
  private static func recognized(
    _ bytes: [UInt8], _ isAtEnd: Bool, _ source: ByteSource, _ file: String, _ index: Int, _ blockSize: Int
  ) throws(ExportFailure) -> ExportInput? {
    for (magic, message) in otherForms where bytes.starts(with: magic) { throw .content(line: 1, message: message) }
    if let position = bytes.prefix(4096).firstIndex(of: 0) {
      let line = 1 + bytes[..<position].count { $0 == 0x0A }
      throw .content(line: line, message: "this line has a NUL byte: is it a text?")
    }
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var line = 1
    // An event list may begin with comments.
    while let end = bytes[start...].firstIndex(of: 0x0A), EventListReader.isSkipped(bytes[start..<end]) {
      start = end + 1
      line += 1
    }
    var separator: UInt8?
    if let (given, end) = separatorLine(bytes[start...]) {
      (separator, start, line) = (given, end, line + 1)
    }
    let text = bytes[start...]
    guard let position = text.firstIndex(where: { !$0.isLineSpace && $0 != 0x0A }) else { return nil }
    // Adjust's columns are called {idfv} and [own].
    let (first, second) = (text[position], text[(position + 1)...].first { !$0.isLineSpace && $0 != 0x0A })
    let objects = JSONObjects(source, file: file, index: index, blockSize: blockSize)
    if separator == nil, first == UInt8(ascii: "["), second == UInt8(ascii: "{") || second == UInt8(ascii: "]") {
      return try objects.input(text, line, .elements)
    }
    if first == UInt8(ascii: "{"), second == nil || second == UInt8(ascii: "\"") || second == UInt8(ascii: "}") {
      guard let form = JSONElements.form(of: text, isAtEnd: isAtEnd) else { return nil }
      return try objects.input(text, line, form, all: bytes)
    }
    guard let header = ExportHeader(text, isAtEnd: isAtEnd, separator: separator) else { return nil }
    if unsafe header.bytes.withUnsafeBufferPointer({ unsafe !$0.isUTF8 }) {
      throw .content(line: line, message: ExportBlocks.notUTF8)
    }
    let layout = ExportLayout(
      format: .delimited(separator: header.separator), columns: header.columns, header: header.bytes, file: file,
      fileIndex: index)
    let rest = Array(text[header.end...])
    return .rows(ExportBlocks(layout, source, rest: rest, line: line + header.lines, blockSize: blockSize))
  }

  /// The separator in the line `sep=;`, with which Excel begins a table, and the end of the line.
  private static func separatorLine(_ text: ArraySlice<UInt8>) -> (separator: UInt8, end: Int)? {
    guard let end = text.firstIndex(of: 0x0A) else { return nil }
    let line = text[..<end].filter { $0 != 0x0D && $0 != UInt8(ascii: "\"") }
    guard line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=", let last = line.last,
      last < 0x80, !last.isASCIILetterOrDigit
    else { return nil }
    return (last, end + 1)
  }

  private static let utf16 = "this is UTF-16: iconv -f UTF-16 -t UTF-8 FILE | skan … - reads it"

  /// The first bytes of files that are not text, and the solution for each.
  private static let otherForms: [([UInt8], String)] = [
    ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
    (Array("PAR1".utf8), "this is Parquet, which is read from a file and not from a pipe: name the file"),
    (Array("PK\u{3}\u{4}".utf8), "this is a ZIP archive: unzip -p FILE | skan … reads what is in it"),
    ([0x28, 0xB5, 0x2F, 0xFD], "this is compressed with Zstandard: zstd -dc FILE | skan … reads it"),
  ]
}

/// The header of a table, which names the columns.
struct ExportHeader {
  private(set) var separator = UInt8(ascii: ",")
  private(set) var columns: [String] = []
  /// The header as written, without its line end.
  private(set) var bytes: [UInt8] = []
  /// The start of the next record.
  private(set) var end: Int
  /// The number of line ends in the header.
  private(set) var lines = 0

  private static let separators = [",", "\t", ";", "|"].map { Array($0.utf8)[0] }

  /// Returns nil when the text does not contain the end of the header.
  ///
  /// - Parameter separator: that of a line before the header; nil if the header shows it.
  init?(_ text: ArraySlice<UInt8>, isAtEnd: Bool, separator given: UInt8? = nil) {
    let separators = given.map { [$0] } ?? Self.separators
    var counts = [Int](repeating: 0, count: separators.count)
    var isOpen = false
    var isFieldStart = true
    var position = text.startIndex
    let quote = UInt8(ascii: "\"")
    while position < text.endIndex, isOpen || text[position] != 0x0A {
      let byte = text[position]
      let kind = isOpen ? nil : separators.firstIndex(of: byte)
      if byte == quote, isOpen || isFieldStart { isOpen.toggle() }
      if let kind { counts[kind] += 1 }
      if byte == 0x0A { lines += 1 }
      isFieldStart = kind != nil || byte == quote && !isOpen
      position += 1
    }
    guard position < text.endIndex || isAtEnd else { return nil }
    end = min(position + 1, text.endIndex)
    lines += 1
    bytes = Array(text[..<position])
    if bytes.last == 0x0D { bytes.removeLast() }
    if let most = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[most] > 0 {
      separator = separators[most]
    } else if let given {
      separator = given
    }
    columns = Self.fields(bytes, separator)
  }

  private static func fields(_ bytes: [UInt8], _ separator: UInt8) -> [String] {
    var fields: [[UInt8]] = [[]]
    var isOpen = false
    var previous: UInt8 = separator
    let quote = UInt8(ascii: "\"")
    for byte in bytes {
      if byte == quote, isOpen || previous == separator || previous == quote {
        // Two quotes within a field mean one.
        if !isOpen, previous == quote { fields[fields.count - 1].append(quote) }
        isOpen.toggle()
      } else if byte == separator, !isOpen {
        fields.append([])
      } else {
        fields[fields.count - 1].append(byte)
      }
      previous = byte
    }
    return fields.map { String(decoding: $0.trimming { $0.isLineSpace }, as: UTF8.self) }
  }
}

/// The layout of a part of an export: its format and columns.
package final class ExportLayout: Sendable {
  package enum Format: Sendable, Equatable {
    /// Each record is a row; quoted fields may contain line ends.
    case delimited(separator: UInt8)
    /// Each line is an object, once ``JSONElements`` has rewritten other JSON.
    case jsonLines
  }

  package let format: Format
  /// The spellings of the columns by their names in lower case; more than one if only letter case tells them apart.
  private let spellings: [String: [String]]
  /// The columns; for JSON the members of the first objects, such as `properties.time` for a nested one.
  package let columns: [String]
  /// The header as written, without its line end; empty for JSON.
  package let header: [UInt8]
  /// The name for messages.
  package let file: String
  /// The index of the input, from 0.
  package let fileIndex: Int

  package init(format: Format, columns: [String], header: [UInt8] = [], file: String, fileIndex: Int) {
    self.format = format
    spellings = Dictionary(grouping: columns) { $0.lowercased() }
    self.columns = columns
    self.header = header
    self.file = file
    self.fileIndex = fileIndex
  }

  /// The column's name as the layout spells it. Letter case tells names apart only where two columns need it, since
  /// some databases write all names in capitals. For a path of JSON Lines it is that of the member at its beginning.
  ///
  /// - Returns: the name itself if there is no such column.
  func spelling(of name: String) -> String {
    if columns.contains(name) { return name }
    if let spelled = spellings[name.lowercased()]?.first { return spelled }
    guard format == .jsonLines, let end = name.firstIndex(where: { $0 == "." || $0 == "[" }) else { return name }
    let member = String(name[..<end])
    guard !columns.contains(member), let spelled = spellings[member.lowercased()]?.first else { return name }
    return spelled + name[end...]
  }

  package func has(_ column: ExportColumn) -> Bool { spellings[column.name.lowercased()] != nil }

  /// Whether it is not known which column a name means: two have it, or two differ from it in letter case.
  func hasSeveral(_ column: ExportColumn) -> Bool {
    let spelled = spellings[column.name.lowercased()] ?? []
    let exact = spelled.count { $0 == column.name }
    return exact > 1 || exact == 0 && spelled.count > 1
  }
}

extension String {
  /// Whether this column of an export is what a mapping calls by another name, which may differ in letter case.
  func isColumn(_ name: String) -> Bool { self == name || lowercased() == name.lowercased() }
}
