/// Names that are known from the beginning, each found at its index by its bytes. Unlike a ``NameTable`` it never changes,
/// so that several threads may look into it.
package struct NameIndex: Sendable {
  private struct Entry {
    var digest: NameDigest
    /// -1 = empty.
    var index: Int
  }

  private let names: [String]
  /// Open addressing, at most half full; a power of two in length.
  private let entries: [Entry]

  package init(_ names: [String]) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    var entries = [Entry](repeating: Entry(digest: .empty, index: -1), count: size)
    for (index, name) in names.enumerated() {
      var name = name
      let digest = name.withUTF8 { unsafe NameDigest($0) }
      var slot = digest.hash & (size - 1)
      while entries[slot].index >= 0 { slot = (slot + 1) & (size - 1) }
      entries[slot] = Entry(digest: digest, index: index)
    }
    self.names = names
    self.entries = entries
  }

  /// The index of a name, or nil when it is not among them.
  @inline(__always)
  package func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let digest = unsafe NameDigest(name)
    var slot = digest.hash & (entries.count - 1)
    while true {
      let entry = entries[slot]
      if entry.index < 0 { return nil }
      if entry.digest == digest, unsafe digest.isWhole || isName(entry.index, name) { return entry.index }
      slot = (slot + 1) & (entries.count - 1)
    }
  }

  private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var known = names[index]
    return known.withUTF8 { known in
      guard let one = known.baseAddress, let other = name.baseAddress else { return known.isEmpty && name.isEmpty }
      return unsafe known.count == name.count && memcmp(one, other, known.count) == 0
    }
  }
}
