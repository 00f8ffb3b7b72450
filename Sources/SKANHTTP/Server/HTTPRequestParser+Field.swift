extension HTTPRequestParser {
  /// Where the parts of `name: value` are, blanks around the value aside.
  func field(_ range: Range<Int>) throws(HTTPFailure) -> HTTPFields.Slot {
    // Not a slice, whose every access counts a reference.
    let (slot, failure): (HTTPFields.Slot, HTTPFailure?) = unsafe buffer.withUnsafeBufferPointer { bytes in
      let none = HTTPFields.Slot(name: range, value: range)
      // A blank here is a folded line, or one that would be left out by some and read by others.
      if let first = range.first, unsafe bytes[first].isBlank { return (none, .foldedField) }
      guard let colon = range.first(where: { unsafe !bytes[$0].isTokenByte }) else { return (none, .fieldWithoutColon) }
      let byte = unsafe bytes[colon]
      guard byte == UInt8(ascii: ":") else {
        let hasColon = range.contains { unsafe bytes[$0] == UInt8(ascii: ":") }
        return (none, hasColon ? .illegalByte(byte, .fieldName) : .fieldWithoutColon)
      }
      guard colon > range.lowerBound else { return (none, .fieldWithoutName) }
      var (start, end) = (colon + 1, range.upperBound)
      while start < end, unsafe bytes[start].isBlank { start += 1 }
      while start < end, unsafe bytes[end - 1].isBlank { end -= 1 }
      return (HTTPFields.Slot(name: range.lowerBound..<colon, value: start..<end), nil)
    }
    if let failure { throw failure }
    return slot
  }
}
