/// Names of members, quoted beforehand, each with its colon: one behind the other.
package struct QuotedNames: Sendable {
  fileprivate let bytes: [UInt8]
  /// Where each name begins, and where the last one ends.
  fileprivate let offsets: [Int]

  package init(_ names: [String]) {
    var text = ByteText()
    var offsets = [0]
    for name in names {
      text.appendQuoted(name)
      text.append(UInt8(ascii: ":"))
      offsets.append(text.count)
    }
    (bytes, self.offsets) = (text.array, offsets)
  }
}

extension JSONWriter {
  /// Begins a member of the object that is open; its value comes next.
  @inline(__always)
  package mutating func key(_ index: Int, of names: borrowing QuotedNames) {
    let range = names.offsets[index]..<names.offsets[index + 1]
    unsafe names.bytes.withUnsafeBufferPointer { unsafe key(quoted: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Adds a member of which `write` writes the value, or nothing: then the member is absent.
  @inline(__always)
  mutating func member(_ index: Int, of names: borrowing QuotedNames, _ write: (inout JSONWriter) -> Void) {
    let (start, hadItems) = (text.count, hasItems)
    key(index, of: names)
    let end = text.count
    write(&self)
    if text.count > end { return }
    text.count = start
    hasItems = hadItems
  }
}
