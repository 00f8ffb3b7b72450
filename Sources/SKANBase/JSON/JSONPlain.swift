/// Finds what needs a second look in a JSON string, eight bytes at a time.
enum JSONPlain {
  /// The high bit of each byte that is below 0x20, a quote or a backslash, or beyond ASCII. Above the first such byte
  /// there may be others that are not.
  ///
  /// - Parameter word: eight bytes, the first the lowest.
  @inline(__always)
  static func stops(_ word: UInt64) -> UInt64 {
    (word.controlMarks | word.marks(UInt8(ascii: "\"")) | word.marks(UInt8(ascii: "\\")) | word) & 0x8080_8080_8080_8080
  }

  /// The first offset from `start` on whose byte does not go into a JSON string as it is.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    unsafe text.firstOffset(from: start, to: text.count) { stops($0) | $0.marks(0x7F) }
  }
}
