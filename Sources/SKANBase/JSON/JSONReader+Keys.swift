// The search for a key that an object has twice.
extension JSONReader {
  /// Refuses a key that the open object has already.
  @inline(__always)
  mutating func checkKey(_ index: Int) throws(JSONError) {
    let key = unsafe memory.pointee.tokens[index]
    // How many members there are so far, and in the lower half a mark for each.
    let sketch = unsafe memory.pointee.tokens[open].payload
    let members = sketch >> 32
    // Length and first letter nearly always tell a key from all before it; one with escapes may be any.
    let trait = UInt64(key.end &- key.start) &* 7 &+ UInt64(bytes[Int(key.start) + 1])
    let mark = key.isEscaped ? UInt64(UInt32.max) : 1 << (trait % 32)
    unsafe memory.pointee.tokens[open].payload = (sketch | mark) &+ 1 << 32
    if sketch & mark != 0 || members >= Self.fewMembers { try compareKey(index, members) }
  }

  @inline(never)
  private mutating func compareKey(_ index: Int, _ members: UInt64) throws(JSONError) {
    guard members < Self.fewMembers ? isAmongFew(index) : isAmongMany(index, members) else { return }
    throw unsafe error(.duplicateKey(memory.pointee.text(index)), at: Int(memory.pointee.tokens[index].start))
  }

  private func isAmongFew(_ index: Int) -> Bool {
    var other = open + 1
    let tokens = unsafe memory.pointee.tokens
    let key = unsafe tokens[index]
    let length = key.end &- key.start
    let first = bytes[Int(key.start) + 1]
    while other < index {
      let one = unsafe tokens[other]
      // Nearly always the length tells them apart, or the first letter.
      let mayBeSame = one.end &- one.start == length && bytes[Int(one.start) + 1] == first
      if mayBeSame || one.isEscaped || key.isEscaped, unsafe memory.pointee.haveSameText(other, index) { return true }
      other = unsafe memory.pointee.next(after: other + 1)
    }
    return false
  }

  private mutating func isAmongMany(_ index: Int, _ members: UInt64) -> Bool {
    if members == Self.fewMembers {
      let all = allKeys(before: index)
      if keys == nil { keys = [:] }
      keys?[open] = all
    }
    let text = key(index)
    return keys?[open]?.insert(text).inserted == false
  }

  private func allKeys(before index: Int) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    var other = open + 1
    while other < index {
      keys.insert(key(other))
      other = unsafe memory.pointee.next(after: other + 1)
    }
    return keys
  }

  private func key(_ index: Int) -> [UInt8] { unsafe Array(memory.pointee.text(index).utf8) }
}
