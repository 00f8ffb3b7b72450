/// Names that are known from the beginning, each found at its place by its bytes. Unlike a ``NameTable`` it never changes,
/// so that several threads may look into it.
package struct NameIndex: Sendable {
  private struct Entry {
    var digest: NameDigest
    /// -1 = empty.
    var place: Int
  }

  private let names: [String]
  /// Open addressing, at most half full; a power of two in length.
  private let entries: [Entry]

  package init(_ names: [String]) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    var entries = [Entry](repeating: Entry(digest: .empty, place: -1), count: size)
    for (place, name) in names.enumerated() {
      var name = name
      let digest = name.withUTF8 { unsafe NameDigest($0) }
      var slot = digest.hash & (size - 1)
      while entries[slot].place >= 0 { slot = (slot + 1) & (size - 1) }
      entries[slot] = Entry(digest: digest, place: place)
    }
    self.names = names
    self.entries = entries
  }

  /// The place of a name, or nil when it is not among them.
  @inline(__always)
  package func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let digest = unsafe NameDigest(name)
    var slot = digest.hash & (entries.count - 1)
    while true {
      let entry = entries[slot]
      if entry.place < 0 { return nil }
      if entry.digest == digest, unsafe digest.isWhole || isName(entry.place, name) { return entry.place }
      slot = (slot + 1) & (entries.count - 1)
    }
  }

  private func isName(_ place: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var known = names[place]
    return known.withUTF8 { unsafe $0.elementsEqual(name) }
  }
}
