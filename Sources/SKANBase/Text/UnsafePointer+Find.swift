extension UnsafePointer<UInt8> {
  /// How far the first byte of a value is from here; nil when none of the next `count` bytes is one.
  package func offset(of byte: UInt8, within count: Int) -> Int? {
    unsafe memchr(self, Int32(byte), count).map { unsafe UnsafeRawPointer(self).distance(to: UnsafeRawPointer($0)) }
  }
}

// Public and inlined, since other modules look through every line and request with it.

extension UnsafeBufferPointer<UInt8> {
  /// The first offset at which `stops` marks a byte, looked for eight bytes at a time; `end` where it marks none.
  ///
  /// - Parameters:
  ///   - start: the first offset that is looked at.
  ///   - end: the offset behind the last.
  ///   - stops: given eight bytes, the first the lowest, sets the high bit of each byte to stop at. Above the first such byte it may
  ///     set others. It marks no space.
  @inlinable @inline(__always)
  public func firstOffset(from start: Int, to end: Int, stops: (UInt64) -> UInt64) -> Int {
    var offset = start
    while offset + 8 <= end {
      let word = unsafe UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let marks = stops(word.littleEndian) & 0x8080_8080_8080_8080
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    if offset < end, end >= 8 {
      // The bytes that are left are the last of eight; behind them come spaces.
      let bits = UInt64(end - offset) &* 8
      let last = unsafe UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
      let word = last.littleEndian &>> (64 &- bits) | 0x2020_2020_2020_2020 &<< bits
      let marks = stops(word) & 0x8080_8080_8080_8080
      return marks != 0 ? offset + marks.trailingZeroBitCount / 8 : end
    }
    while offset < end, unsafe stops(UInt64(self[offset]) | 0x2020_2020_2020_2000) & 0x80 == 0 { offset += 1 }
    return offset
  }
}

extension UInt64 {
  /// Sets the high bit of each of the eight bytes that is `byte`, and perhaps of some above the first such byte or beyond ASCII.
  @inlinable @inline(__always)
  public func marks(_ byte: UInt8) -> UInt64 {
    (self ^ UInt64(byte) &* 0x0101_0101_0101_0101) &- 0x0101_0101_0101_0101
  }

  /// Sets the high bit of each of the eight bytes below 0x20, and perhaps of some above the first such byte or beyond ASCII.
  @inlinable @inline(__always)
  public var controlMarks: UInt64 { self &- 0x2020_2020_2020_2020 }
}
