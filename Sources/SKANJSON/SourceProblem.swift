/// Something wrong with a file's content: what, and the bytes that it is about.
package struct SourceProblem: Error, Equatable, Sendable {
  package var message: String
  /// Byte offsets in the file.
  package var range: Range<Int>

  package init(_ message: String, at range: Range<Int>) {
    self.message = message
    self.range = range
  }

  package init(_ error: JSONError) {
    self.init("not JSON: \(error.words)", at: error.offset..<error.offset + 1)
  }
}

/// A place in a text as a person counts: line and column from 1, the column in characters.
package struct SourcePlace: Equatable, Sendable {
  package var line: Int
  package var column: Int
  /// The whole line, without its end.
  package var text: String
  /// How many characters the range covers on this line, at least 1.
  package var length: Int

  package init(of range: Range<Int>, in bytes: [UInt8]) {
    let offset = min(range.lowerBound, bytes.count)
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let newline = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    let end = newline > start && bytes[newline - 1] == 0x0D ? newline - 1 : newline
    line = bytes[..<offset].count { $0 == 0x0A } + 1
    column = String(decoding: bytes[start..<offset], as: UTF8.self).count + 1
    text = String(decoding: bytes[start..<end], as: UTF8.self)
    length = max(1, String(decoding: bytes[offset..<max(offset, min(range.upperBound, end))], as: UTF8.self).count)
  }
}
