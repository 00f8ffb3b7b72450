extension [(key: String, value: JSON)] {
  /// The positions of the members in the order of their keys, by code points; nil when they stand in it.
  var order: [Int]? {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { beginnings in
      for position in indices { unsafe beginnings.initializeElement(at: position, to: self[position].key.beginning) }
      func precedes(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = unsafe (beginnings[left], beginnings[right])
        return one == other ? self[left].key.literallyPrecedes(self[right].key) : one < other
      }
      // Positions are sorted: to move them costs less than to move members.
      return indices.dropFirst().allSatisfy { precedes($0 - 1, $0) } ? nil : indices.sorted(by: precedes)
    }
  }
}

extension String {
  /// The first eight bytes as a number, which nearly always tells the order of two texts.
  fileprivate var beginning: UInt64 {
    var text = self
    return text.withUTF8 { bytes in
      if bytes.count >= 8 { return unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self).bigEndian }
      var number: UInt64 = 0
      for index in bytes.indices { unsafe number = number << 8 | UInt64(bytes[index]) }
      return bytes.isEmpty ? 0 : number << UInt64(8 * (8 - bytes.count))
    }
  }
}
