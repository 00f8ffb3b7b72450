/// Names, each with its place in the order in which they came, found by their bytes without making a text of them.
package final class NameTable {
  /// A name's place and as much of it as tells it from nearly all others: looking it up is one look into memory.
  private struct Entry {
    var digest: NameDigest
    /// -1 = empty.
    var place: Int32
  }

  package private(set) var names: [String] = []
  /// Open addressing, never more than half full.
  private var table: UnsafeMutablePointer<Entry>
  private var size: Int

  package init(capacity: Int = 8) {
    size = 16
    while size < capacity * 2 { size *= 2 }
    table = Self.emptyTable(size)
  }

  deinit { table.deallocate() }

  package func name(at place: Int) -> String { names[place] }

  /// The place of a name, or nil when it did not come yet.
  @inline(__always)
  package func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let place = table[slot(of: name, NameDigest(name))].place
    return place < 0 ? nil : Int(place)
  }

  package func place(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { place(of: $0) }
  }

  /// The place of a name, which is the next one when it did not come yet.
  package func insert(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    let digest = NameDigest(name)
    let slot = slot(of: name, digest)
    if table[slot].place >= 0 { return Int(table[slot].place) }
    table[slot] = Entry(digest: digest, place: Int32(truncatingIfNeeded: names.count))
    names.append(String(decoding: name, as: UTF8.self))
    if names.count * 2 > size { grow() }
    return names.count - 1
  }

  package func insert(_ name: String) -> Int {
    var name = name
    return name.withUTF8 { insert($0) }
  }

  /// Where a name stands, or the empty slot where it would.
  @inline(__always)
  private func slot(of name: UnsafeBufferPointer<UInt8>, _ digest: NameDigest) -> Int {
    var slot = digest.hash & (size - 1)
    while table[slot].place >= 0, !isName(slot, name, digest) { slot = (slot + 1) & (size - 1) }
    return slot
  }

  @inline(__always)
  private func isName(_ slot: Int, _ name: UnsafeBufferPointer<UInt8>, _ digest: NameDigest) -> Bool {
    guard table[slot].digest == digest else { return false }
    if digest.isWhole { return true }
    var known = names[Int(table[slot].place)]
    return known.withUTF8 { Self.areSame($0, name) }
  }

  /// - Parameter name: as long as the other, and longer than a word.
  private static func areSame(_ known: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let (one, other) = (UnsafeRawBufferPointer(known), UnsafeRawBufferPointer(name))
    // The last word may overlap the one before it.
    for place in stride(from: 0, to: known.count, by: 8) {
      let offset = min(place, known.count - 8)
      let word = one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
    }
    return true
  }

  private func grow() {
    let (old, oldSize) = (table, size)
    size *= 2
    table = Self.emptyTable(size)
    for entry in UnsafeBufferPointer(start: old, count: oldSize) where entry.place >= 0 {
      var slot = entry.digest.hash & (size - 1)
      while table[slot].place >= 0 { slot = (slot + 1) & (size - 1) }
      table[slot] = entry
    }
    old.deallocate()
  }

  private static func emptyTable(_ size: Int) -> UnsafeMutablePointer<Entry> {
    let table = UnsafeMutablePointer<Entry>.allocate(capacity: size)
    table.initialize(repeating: Entry(digest: .empty, place: -1), count: size)
    return table
  }
}

/// A name's length, beginning and end, and of a long name the rest mixed into them.
private struct NameDigest: Equatable {
  /// The first eight bytes and the last eight, which may overlap; of a shorter name all of it.
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var length: Int32

  static let empty = NameDigest(UnsafeBufferPointer(start: nil, count: 0))

  @inline(__always)
  init(_ name: UnsafeBufferPointer<UInt8>) {
    length = Int32(truncatingIfNeeded: name.count)
    guard let start = name.baseAddress else { return }
    let (bytes, count) = (UnsafeRawPointer(start), name.count)
    switch count {
    case 0: break
    case 1...3:
      // The first, the middle one and the last are all of them.
      head = UInt64(start[0]) | UInt64(start[count / 2]) << 8 | UInt64(start[count - 1]) << 16
    case 4...7:
      head = UInt64(bytes.loadUnaligned(as: UInt32.self))
      tail = UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    default:
      head = bytes.loadUnaligned(as: UInt64.self)
      tail = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      var position = 8
      while position < count - 8 {
        head = Self.mixed(head, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
      }
    }
  }

  /// Whether equal digests mean equal names.
  @inline(__always)
  var isWhole: Bool { length <= 16 }

  /// Never negative.
  @inline(__always)
  var hash: Int {
    Int(truncatingIfNeeded: Self.mixed(head ^ UInt64(truncatingIfNeeded: length), tail) >> 1)
  }

  @inline(__always)
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
