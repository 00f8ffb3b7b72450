/// The encodings that `NSJSONSerialization` accepts besides UTF-8: UTF-16 and UTF-32 of either byte order, with a byte
/// order mark or, because JSON begins with an ASCII character, without one.
package enum JSONEncodings {
  /// A text as UTF-8; returned unchanged if it is not valid in the encoding that its beginning indicates.
  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard let (width, isBigEndian, mark) = encoding(bytes), (bytes.count - mark) % width == 0 else { return bytes }
    let units = stride(from: mark, to: bytes.count, by: width).map { start in
      (0..<width).reduce(UInt32(0)) { unit, index in
        unit << 8 | UInt32(bytes[start + (isBigEndian ? index : width - 1 - index)])
      }
    }
    let text =
      width == 2
      ? String(validating: units.map { UInt16($0) }, as: UTF16.self) : String(validating: units, as: UTF32.self)
    return text.map { Array($0.utf8) } ?? bytes
  }

  /// The bytes per unit, the byte order, and the length of the mark; nil for UTF-8.
  private static func encoding(_ bytes: [UInt8]) -> (width: Int, isBigEndian: Bool, mark: Int)? {
    let start = Array(bytes.prefix(4))
    if start == [0, 0, 0xFE, 0xFF] { return (4, true, 4) }
    if start == [0xFF, 0xFE, 0, 0] { return (4, false, 4) }
    if start.starts(with: [0xFE, 0xFF]) { return (2, true, 2) }
    if start.starts(with: [0xFF, 0xFE]) { return (2, false, 2) }
    switch start.map({ $0 == 0 }) {
    case [true, true, true, false]: return (4, true, 0)
    case [false, true, true, true]: return (4, false, 0)
    case [true, false, true, false], [true, false, false, false]: return (2, true, 0)
    case [false, true, false, true], [false, true, false, false]: return (2, false, 0)
    default: return nil
    }
  }
}
