/// Bytes in memory that grows, with ``padding`` bytes of 0 behind the last: a word can be loaded at each of them, and a scan
/// stops at the end by itself. That the padding is there and that nothing beyond it is read, debug builds check.
@safe struct PaddedBytes {
  /// Bytes: as many as a word has.
  static let padding = 8

  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  /// - Parameter capacity: bytes, padding included.
  init(capacity: Int) {
    self.capacity = max(capacity, Self.padding)
    unsafe start = .allocate(capacity: self.capacity)
    unsafe UnsafeMutableRawPointer(start).storeBytes(of: 0, as: UInt64.self)
  }

  func deallocate() { unsafe start.deallocate() }

  /// Copies a text in the place of the one before.
  mutating func assign(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count + Self.padding > capacity {
      unsafe start.deallocate()
      capacity = (text.count + Self.padding) * 2
      unsafe start = .allocate(capacity: capacity)
    }
    if let first = text.baseAddress { unsafe start.update(from: first, count: text.count) }
    unsafe UnsafeMutableRawPointer(start + text.count).storeBytes(of: 0, as: UInt64.self)
    count = text.count
  }

  /// A byte of the text, or of the padding.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count + Self.padding)
    return unsafe start[index]
  }

  /// The word that begins at a byte of the text or right behind it, its first byte lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index <= count)
    return unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self).littleEndian
  }
}
