import SKANBase

/// The first record of a table, which names the columns.
struct ExportHeader {
  private(set) var separator = UInt8(ascii: ",")
  private(set) var columns: [String] = []
  /// As it is written, without its line end.
  private(set) var bytes: [UInt8] = []
  /// Where the next record begins.
  private(set) var end: Int
  /// How many line ends it has.
  private(set) var lines = 0

  private static let separators = [",", "\t", ";", "|"].map { Array($0.utf8)[0] }

  /// - Returns: nil when its end is not in the text.
  init?(_ text: ArraySlice<UInt8>, isAtEnd: Bool) {
    var counts = [Int](repeating: 0, count: Self.separators.count)
    var isOpen = false
    var isFieldStart = true
    var position = text.startIndex
    let quote = UInt8(ascii: "\"")
    while position < text.endIndex, isOpen || text[position] != 0x0A {
      let byte = text[position]
      let kind = isOpen ? nil : Self.separators.firstIndex(of: byte)
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
      separator = Self.separators[most]
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
        // Of two quotes in a field the second is one of its characters.
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
