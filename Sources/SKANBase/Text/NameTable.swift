/// Names indexed in the order of insertion and found by their bytes, without creating strings.
@safe package final class NameTable {
  /// A name's index and a digest that distinguishes it from nearly all others, so that a lookup reads memory once.
  private struct Entry {
    var digest: NameDigest
    /// The index; -1 if the entry is empty.
    var index: Int32
  }

  package private(set) var names: [String] = []
  /// A hash table with open addressing, at most half full.
  private var table: UnsafeMutablePointer<Entry>
  private var size: Int

  package init(capacity: Int = 8) {
    size = 16
    while size < capacity * 2 { size *= 2 }
    unsafe table = unsafe Self.emptyTable(size)
  }

  deinit { unsafe table.deallocate() }

  /// The index of a name; nil if it has not been inserted.
  @inline(__always)
  package func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let index = unsafe table[slot(of: name, NameDigest(name))].index
    return index < 0 ? nil : Int(index)
  }

  package func index(of name: String) -> Int? { find(name, without: 0).index }

  /// The index of a name; nil if it has not been inserted.
  ///
  /// - Returns: also whether the name has 1 to 16 characters, all ASCII and none of them `byte`; false for longer
  ///   names.
  package func find(_ name: String, without byte: UInt8) -> (index: Int?, isShortASCII: Bool) {
    var name = name
    return name.withUTF8 { name in
      let digest = unsafe NameDigest(name)
      let index = unsafe table[slot(of: name, digest)].index
      return (index < 0 ? nil : Int(index), digest.isShortASCII(without: byte))
    }
  }

  /// The index of a name, which is inserted if it is new.
  package func insert(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    let digest = unsafe NameDigest(name)
    let slot = unsafe slot(of: name, digest)
    if unsafe table[slot].index >= 0 { return unsafe Int(table[slot].index) }
    unsafe table[slot] = Entry(digest: digest, index: Int32(truncatingIfNeeded: names.count))
    unsafe names.append(String(decoding: name, as: UTF8.self))
    if names.count * 2 > size { grow() }
    return names.count - 1
  }

  package func insert(_ name: String) -> Int {
    var name = name
    return name.withUTF8 { unsafe insert($0) }
  }

  /// The slot of a name, or the empty slot for it.
  @inline(__always)
  private func slot(of name: UnsafeBufferPointer<UInt8>, _ digest: NameDigest) -> Int {
    var slot = digest.hash & (size - 1)
    while unsafe table[slot].index >= 0, unsafe !isName(slot, name, digest) { slot = (slot + 1) & (size - 1) }
    return slot
  }

  @inline(__always)
  private func isName(_ slot: Int, _ name: UnsafeBufferPointer<UInt8>, _ digest: NameDigest) -> Bool {
    guard unsafe table[slot].digest == digest else { return false }
    if digest.isWhole { return true }
    var known = unsafe names[Int(table[slot].index)]
    return known.withUTF8 { unsafe Self.areSame($0, name) }
  }

  /// - Parameter name: as long as the other, and longer than a word.
  private static func areSame(_ known: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let (one, other) = (UnsafeRawBufferPointer(known), UnsafeRawBufferPointer(name))
    // The last word may overlap the one before it.
    for index in stride(from: 0, to: known.count, by: 8) {
      let offset = min(index, known.count - 8)
      let word = unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if unsafe word != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
    }
    return true
  }

  private func grow() {
    let (old, oldSize) = unsafe (table, size)
    size *= 2
    unsafe table = unsafe Self.emptyTable(size)
    for index in 0..<oldSize {
      let entry = unsafe old[index]
      if entry.index < 0 { continue }
      var slot = entry.digest.hash & (size - 1)
      while unsafe table[slot].index >= 0 { slot = (slot + 1) & (size - 1) }
      unsafe table[slot] = entry
    }
    unsafe old.deallocate()
  }

  private static func emptyTable(_ size: Int) -> UnsafeMutablePointer<Entry> {
    let table = UnsafeMutablePointer<Entry>.allocate(capacity: size)
    unsafe table.initialize(repeating: Entry(digest: .empty, index: -1), count: size)
    return unsafe table
  }
}

/// A fixed set of names, each with an index and found by its bytes. Unlike a ``NameTable`` it never changes, so that
/// several threads can use it.
package struct NameIndex: @unchecked Sendable {
  /// Changed only by `init`.
  private let table: NameTable

  /// - Parameter names: without duplicates.
  package init(_ names: [String]) {
    table = NameTable(capacity: names.count)
    for name in names { _ = table.insert(name) }
  }

  /// The names in the order of their indices.
  package var names: [String] { table.names }

  /// Whether the two are copies of one set.
  package static func === (left: NameIndex, right: NameIndex) -> Bool { left.table === right.table }

  /// The index of a name; nil if it is not in the set.
  package func index(of name: String) -> Int? { table.index(of: name) }

  @inline(__always)
  package func index(of name: UnsafeBufferPointer<UInt8>) -> Int? { unsafe table.index(of: name) }

  /// See ``NameTable/find(_:without:)``.
  package func find(_ name: String, without byte: UInt8) -> (index: Int?, isShortASCII: Bool) {
    table.find(name, without: byte)
  }
}

/// A name's length, beginning and end; for a long name the rest is mixed in.
package struct NameDigest: Equatable {
  /// The first eight bytes and the last eight, which may overlap; for a shorter name all bytes.
  package private(set) var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var length: Int32

  package static let empty = unsafe NameDigest(UnsafeBufferPointer(start: nil, count: 0))

  @inline(__always)
  package init(_ name: UnsafeBufferPointer<UInt8>) {
    length = Int32(truncatingIfNeeded: name.count)
    guard let start = name.baseAddress else { return }
    let (bytes, count) = unsafe (UnsafeRawPointer(start), name.count)
    switch count {
    case 0: break
    case 1...3:
      // Three reads cover all bytes: the first, the middle and the last.
      head = unsafe UInt64(start[0]) | UInt64(start[count / 2]) << 8 | UInt64(start[count - 1]) << 16
    case 4...7:
      head = unsafe UInt64(bytes.loadUnaligned(as: UInt32.self))
      tail = unsafe UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    default:
      head = unsafe bytes.loadUnaligned(as: UInt64.self)
      tail = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      var position = 8
      while position < count - 8 {
        head = unsafe Self.mixed(head, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
      }
    }
  }

  /// Whether the name has 1 to 16 characters, all ASCII and none of them `byte`; false for longer names.
  @inline(__always)
  package func isShortASCII(without byte: UInt8) -> Bool {
    isWhole && length > 0 && (head | tail | head.marks(byte) | tail.marks(byte)) & 0x8080_8080_8080_8080 == 0
  }

  /// Whether equal digests imply equal names.
  @inline(__always)
  package var isWhole: Bool { length <= 16 }

  /// The hash value, never negative.
  @inline(__always)
  package var hash: Int {
    Int(truncatingIfNeeded: Self.mixed(head ^ UInt64(truncatingIfNeeded: length), tail) >> 1)
  }

  @inline(__always)
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
