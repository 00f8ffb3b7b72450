/// Finds what needs a second look in a JSON string, eight bytes at a time.
enum JSONPlain {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The high bit of each byte that is below 0x20, a quote or a backslash, or beyond ASCII. Above the first such byte
  /// there may be others that are not.
  ///
  /// - Parameter word: eight bytes, the first the lowest.
  @inline(__always)
  static func stops(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    return ((word &- ones &* 0x20) | (quote &- ones) | (slash &- ones) | word) & highs
  }

  /// The first offset from `start` on whose byte does not go into a JSON string as it is.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var offset = start
    let delete = ones &* 0x7F
    while offset + 8 <= text.count {
      let word = unsafe UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let stops = stops(word) | ((word ^ delete) &- ones) & highs
      if stops != 0 { return offset + stops.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < text.count, unsafe text[offset].isPlainInJSON { offset += 1 }
    return offset
  }
}
