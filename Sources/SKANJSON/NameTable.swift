/// Names as bytes, each with its place in the order in which they came, found without making a text of them.
package final class NameTable {
  private struct Entry {
    /// -1 = empty.
    var place = -1
    var hash = 0
    var start = 0
    var count = 0
  }

  /// Open addressing, never more than half full.
  private var table: UnsafeMutablePointer<Entry>
  private var size: Int
  /// All names, one after the other.
  private var text: UnsafeMutablePointer<UInt8>
  private var textCapacity: Int
  private var textCount = 0
  package private(set) var count = 0

  package init(capacity: Int = 8) {
    size = 16
    while size < capacity * 2 { size *= 2 }
    table = .allocate(capacity: size)
    table.initialize(repeating: Entry(), count: size)
    textCapacity = 16 * max(8, capacity)
    text = .allocate(capacity: textCapacity)
  }

  deinit {
    table.deallocate()
    text.deallocate()
  }

  /// The place of a name, or nil when it did not come yet.
  package func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let place = table[slot(of: name, hash: Self.hash(name))].place
    return place < 0 ? nil : place
  }

  package func place(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { place(of: $0) }
  }

  /// The name at a place.
  package func name(at place: Int) -> String {
    for slot in 0..<size where table[slot].place == place {
      let bytes = UnsafeBufferPointer(start: text + table[slot].start, count: table[slot].count)
      return String(decoding: bytes, as: UTF8.self)
    }
    return ""
  }

  /// The place of a name, which is the next one when it did not come yet.
  package func insert(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(name)
    var slot = slot(of: name, hash: hash)
    if table[slot].place >= 0 { return table[slot].place }
    if (count + 1) * 2 > size {
      grow()
      slot = self.slot(of: name, hash: hash)
    }
    table[slot] = Entry(place: count, hash: hash, start: append(name), count: name.count)
    count += 1
    return count - 1
  }

  package func insert(_ name: String) -> Int {
    var name = name
    return name.withUTF8 { insert($0) }
  }

  /// Where a name stands, or the empty slot where it would.
  private func slot(of name: UnsafeBufferPointer<UInt8>, hash: Int) -> Int {
    var slot = hash & (size - 1)
    while table[slot].place >= 0, table[slot].hash != hash || !isText(table[slot], name) { slot = (slot + 1) & (size - 1) }
    return slot
  }

  private func isText(_ entry: Entry, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.count == name.count else { return false }
    for index in 0..<name.count where text[entry.start + index] != name[index] { return false }
    return true
  }

  private func append(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    if textCount + name.count > textCapacity {
      textCapacity = (textCount + name.count) * 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: textCapacity)
      larger.update(from: text, count: textCount)
      text.deallocate()
      text = larger
    }
    if let start = name.baseAddress { (text + textCount).update(from: start, count: name.count) }
    textCount += name.count
    return textCount - name.count
  }

  private func grow() {
    let (old, oldSize) = (table, size)
    size *= 2
    table = .allocate(capacity: size)
    table.initialize(repeating: Entry(), count: size)
    for index in 0..<oldSize where old[index].place >= 0 {
      var slot = old[index].hash & (size - 1)
      while table[slot].place >= 0 { slot = (slot + 1) & (size - 1) }
      table[slot] = old[index]
    }
    old.deallocate()
  }

  /// All bytes count, eight at a time: names often differ in their middle only.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hash = UInt64(name.count)
    var position = 0
    while position + 8 <= name.count {
      let word = UnsafeRawBufferPointer(name).loadUnaligned(fromByteOffset: position, as: UInt64.self)
      hash = mixed(hash ^ word)
      position += 8
    }
    var rest: UInt64 = 0
    while position < name.count {
      rest = rest << 8 | UInt64(name[position])
      position += 1
    }
    return Int(truncatingIfNeeded: mixed(hash ^ rest))
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }
}
