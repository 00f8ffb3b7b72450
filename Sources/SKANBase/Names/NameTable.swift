/// Names, each with its index in the order in which they came, found by their bytes without making a text of them.
@safe package final class NameTable {
  /// A name's index and as much of it as tells it from nearly all others: looking it up is one look into memory.
  private struct Entry {
    var digest: NameDigest
    /// -1 = empty.
    var index: Int32
  }

  package private(set) var names: [String] = []
  /// Open addressing, never more than half full.
  private var table: UnsafeMutablePointer<Entry>
  private var size: Int

  package init(capacity: Int = 8) {
    size = 16
    while size < capacity * 2 { size *= 2 }
    unsafe table = unsafe Self.emptyTable(size)
  }

  deinit { unsafe table.deallocate() }

  package func name(at index: Int) -> String { names[index] }

  /// The index of a name, or nil when it did not come yet.
  @inline(__always)
  package func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let index = unsafe table[slot(of: name, NameDigest(name))].index
    return index < 0 ? nil : Int(index)
  }

  package func index(of name: String) -> Int? { find(name, without: 0).index }

  /// The index of a name, or nil when it did not come yet.
  ///
  /// - Returns: also whether the name is of 1 to 16 ASCII characters, none of which is `byte`; of a longer one, false.
  package func find(_ name: String, without byte: UInt8) -> (index: Int?, isShortASCII: Bool) {
    var name = name
    return name.withUTF8 { name in
      let digest = unsafe NameDigest(name)
      let index = unsafe table[slot(of: name, digest)].index
      return (index < 0 ? nil : Int(index), digest.isShortASCII(without: byte))
    }
  }

  /// The index of a name, which is the next one when it did not come yet.
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

  /// Where a name stands, or the empty slot where it would.
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
