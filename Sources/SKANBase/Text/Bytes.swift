extension UnsafePointer<UInt8> {
  /// The distance to the first byte with a value; nil if it is not among the next `count` bytes.
  package func offset(of byte: UInt8, within count: Int) -> Int? {
    unsafe memchr(self, Int32(byte), count).map { unsafe UnsafeRawPointer(self).distance(to: UnsafeRawPointer($0)) }
  }
}

// Public and inlined, because other modules use it on every line and request.

extension UnsafeBufferPointer<UInt8> {
  /// The first offset at which `stops` marks a byte, searched eight bytes at a time; `end` if there is none.
  ///
  /// - Parameters:
  ///   - start: the first offset to examine.
  ///   - end: the offset after the last.
  ///   - stops: given eight bytes, the first in the lowest position, sets the high bit of each byte to stop at. It may
  ///     also mark bytes above the first such byte. It must not mark spaces.
  @inlinable @inline(__always)
  public func firstOffset(from start: Int, to end: Int, stops: (UInt64) -> UInt64) -> Int {
    var offset = start
    while offset + 8 <= end {
      let word = unsafe UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let marks = stops(word.littleEndian) & 0x8080_8080_8080_8080
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    if offset >= end { return offset }
    // The remaining bytes are followed by spaces.
    let word = unsafe bytes(from: offset, to: end) | 0x2020_2020_2020_2020 &<< (UInt64(end - offset) &* 8)
    let marks = stops(word) & 0x8080_8080_8080_8080
    return marks != 0 ? offset + marks.trailingZeroBitCount / 8 : end
  }

  /// One to seven bytes as a word, the first in the lowest position, without a loop.
  @inlinable @inline(__always)
  func bytes(from start: Int, to end: Int) -> UInt64 {
    let (all, count) = (UnsafeRawBufferPointer(self), end - start)
    func bits(_ count: Int) -> UInt64 { UInt64(truncatingIfNeeded: count) &* 8 }
    if end >= 8 {
      let last = unsafe all.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self).littleEndian
      return last &>> (64 &- bits(count))
    }
    // Two halves, or three bytes, which may overlap.
    if count >= 4 {
      let first = unsafe all.loadUnaligned(fromByteOffset: start, as: UInt32.self).littleEndian
      let last = unsafe all.loadUnaligned(fromByteOffset: end - 4, as: UInt32.self).littleEndian
      return UInt64(first) | UInt64(last) &<< bits(count - 4)
    }
    let (first, middle, last) = unsafe (UInt64(all[start]), UInt64(all[start + count / 2]), UInt64(all[end - 1]))
    return first | middle &<< bits(count / 2) | last &<< bits(count - 1)
  }

  /// Whether all bytes are ASCII. Every byte of an export is asked, so four words are tested at once.
  package var isASCII: Bool {
    let all = UnsafeRawBufferPointer(self)
    var start = 0
    func word(_ offset: Int) -> UInt64 {
      unsafe all.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
    }
    while count - start >= 32 {
      let (first, second): (UInt64, UInt64) = (word(0) | word(8), word(16) | word(24))
      if (first | second) & 0x8080_8080_8080_8080 != 0 { return false }
      start += 32
    }
    return unsafe firstOffset(from: start, to: count) { $0 } == count
  }
}

extension UInt64 {
  /// Sets the high bit of each of the eight bytes that equals `byte`; bytes above the first such byte and non-ASCII
  /// bytes may be marked too.
  @inlinable @inline(__always)
  public func marks(_ byte: UInt8) -> UInt64 {
    (self ^ UInt64(byte) &* 0x0101_0101_0101_0101) &- 0x0101_0101_0101_0101
  }

  /// Sets the high bit of each of the eight bytes below 0x20; bytes above the first such byte and non-ASCII bytes may
  /// be marked too.
  @inlinable @inline(__always)
  public var controlMarks: UInt64 { self &- 0x2020_2020_2020_2020 }
}

extension String {
  /// Whether both have the same code points.
  ///
  /// Swift's `==` also equates different spellings of one character ("é" as one code point or two), which neither JSON
  /// nor the phone's dictionaries do.
  package func isLiterally(_ other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    return comparedBytes(other, count: count).map { $0 == 0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// The result of `memcmp` on the first bytes of both; nil if either is not contiguous.
  private func comparedBytes(_ other: String, count: Int) -> Int32? {
    let order = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return Int32(0) }
        return unsafe memcmp(one, two, count)
      }
    }
    return order ?? nil
  }

  // The bytes are read through contiguous storage: walking the UTF-8 view is slow.

  package var isASCII: Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.isASCII } ?? utf8.allSatisfy { $0 < 0x80 }
  }

  /// Whether the text contains a `+`, which servers decode as a space.
  package var hasPlus: Bool {
    let plus = UInt8(ascii: "+")
    return unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.contains(plus) } ?? utf8.contains(plus)
  }

  /// Whether the text has 1 to 16 characters, all ASCII and none of them `byte`; false for longer texts.
  package func isShortASCII(without byte: UInt8) -> Bool {
    var text = self
    return text.withUTF8 { unsafe NameDigest($0).isShortASCII(without: byte) }
  }

  /// Whether the text precedes another in code point order, which is used for all sorting.
  package func literallyPrecedes(_ other: String) -> Bool {
    let (count, otherCount) = (utf8.count, other.utf8.count)
    guard let order = comparedBytes(other, count: min(count, otherCount)) else {
      return utf8.lexicographicallyPrecedes(other.utf8)
    }
    return order == 0 ? count < otherCount : order < 0
  }
}

/// The constants of the FNV-1a hash, for loops that hash byte by byte.
package enum FNV1a {
  @inline(__always)
  package static var offset: UInt64 { 0xCBF2_9CE4_8422_2325 }
  @inline(__always)
  package static var prime: UInt64 { 0x100_0000_01B3 }
}

/// The 64-bit FNV-1a hash of bytes, by Fowler, Noll and Vo.
///
/// - Parameter hash: the hash of the preceding bytes.
package func fnv1a(_ bytes: some Sequence<UInt8>, after hash: UInt64 = FNV1a.offset) -> UInt64 {
  bytes.reduce(hash) { ($0 ^ UInt64($1)) &* FNV1a.prime }
}

/// The FNV-1a hash of a text's UTF-8 bytes.
///
/// - Parameter hash: the hash of the preceding text.
package func fnv1a(_ text: String, after hash: UInt64 = FNV1a.offset) -> UInt64 {
  var text = text
  return text.withUTF8 { unsafe fnv1a($0, after: hash) }
}

extension [UInt8] {
  /// The bytes with each span replaced by a mark. The spans are sorted and do not overlap.
  package func replacing(_ spans: [Range<Int>], with mark: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var position = 0
    for span in spans {
      result += self[position..<span.lowerBound]
      result += mark
      position = span.upperBound
    }
    return result + self[position...]
  }
}

extension BidirectionalCollection {
  /// The collection without the elements at its end that meet a condition.
  package func trimmingSuffix(while isTrimmed: (Element) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex {
      let last = index(before: end)
      guard isTrimmed(self[last]) else { break }
      end = last
    }
    return self[..<end]
  }

  /// The collection without the elements at both ends that meet a condition.
  package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    drop(while: isTrimmed).trimmingSuffix(while: isTrimmed)
  }
}
