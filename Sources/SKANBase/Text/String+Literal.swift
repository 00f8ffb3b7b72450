extension String {
  /// Whether both have the same code points.
  ///
  /// Swift's own `==` also equates different spellings of one character ("é" as one code point or two), which neither
  /// JSON nor the phone's dictionaries do.
  package func isLiterally(_ other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    return comparedBytes(other, count: count).map { $0 == 0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// What `memcmp` says of the first bytes of both; nil where they are not in one piece.
  private func comparedBytes(_ other: String, count: Int) -> Int32? {
    let order = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return Int32(0) }
        return unsafe memcmp(one, two, count)
      }
    }
    return order ?? nil
  }

  // A string's own view of its bytes is slow to walk.

  /// Whether all of it is ASCII.
  package var isASCII: Bool {
    unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe bytes.reduce(0, |) < 0x80 }
      ?? utf8.allSatisfy { $0 < 0x80 }
  }

  /// Whether there is a `+` in it, which a server takes for a space.
  package var hasPlus: Bool {
    let plus = UInt8(ascii: "+")
    return unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.contains(plus) } ?? utf8.contains(plus)
  }

  /// Whether it is of 1 to 16 ASCII characters, none of which is `byte`. Of longer texts nothing is said.
  package func isShortASCII(without byte: UInt8) -> Bool {
    var text = self
    return text.withUTF8 { unsafe NameDigest($0).isShortASCII(without: byte) }
  }

  /// Code point order, the order in which every sorted text of ours stands.
  package func literallyPrecedes(_ other: String) -> Bool {
    let (count, otherCount) = (utf8.count, other.utf8.count)
    guard let order = comparedBytes(other, count: min(count, otherCount)) else {
      return utf8.lexicographicallyPrecedes(other.utf8)
    }
    return order == 0 ? count < otherCount : order < 0
  }
}
