/// Which key mostly stands behind which, learned from texts that follow one another: the guess is one look, and right for
/// nearly all. It belongs to one thread.
@safe package final class JSONKeyOrder {
  private let keys: JSONKeys
  private let words: UnsafeMutablePointer<Word>
  /// By the indices of keys, and first of all for none: the key that stood behind it last.
  private let followers: UnsafeMutablePointer<Int>

  /// - Parameter keys: at least one.
  package init(of keys: JSONKeys) {
    self.keys = keys
    unsafe words = .allocate(capacity: keys.names.count)
    for (index, name) in keys.names.enumerated() { unsafe (words + index).initialize(to: Word(name)) }
    unsafe followers = .allocate(capacity: keys.names.count + 1)
    unsafe followers.initialize(repeating: 0, count: keys.names.count + 1)
  }

  deinit {
    unsafe followers.deallocate()
    unsafe words.deallocate()
  }

  /// The index of a key behind another one, or nil when it is not known.
  ///
  /// - Parameters:
  ///   - key: with eight bytes behind it that can be read.
  ///   - last: the index of the key before it; -1 for the first.
  @inline(__always)
  func index(of key: UnsafeBufferPointer<UInt8>, after last: Int) -> Int? {
    let guess = unsafe followers[last + 1]
    if unsafe words[guess].isAll(of: key) { return guess }
    guard let index = unsafe keys.index(of: key) else { return nil }
    unsafe followers[last + 1] = index
    return index
  }

  /// A name of at most eight bytes, compared as one word.
  private struct Word {
    var length = -1
    var letters: UInt64 = 0
    var mask: UInt64 = 0

    /// A longer name is never known again.
    init(_ name: String) {
      guard name.utf8.count <= 8 else { return }
      length = name.utf8.count
      for byte in name.utf8.reversed() {
        letters = letters << 8 | UInt64(byte)
        mask = mask << 8 | 0xFF
      }
    }

    @inline(__always)
    func isAll(of key: UnsafeBufferPointer<UInt8>) -> Bool {
      guard key.count == length, let start = key.baseAddress else { return false }
      return unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian & mask == letters
    }
  }
}
