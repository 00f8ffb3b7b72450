// What an answer's head is made of.
extension [UInt8] {
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// In decimal; not below 0.
  mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Text that must stay within its line: each control character becomes a space.
  mutating func append(line text: ArraySlice<UInt8>) {
    let start = count
    append(contentsOf: text)
    unsafe withUnsafeMutableBufferPointer { bytes in
      let end = bytes.count
      var index = unsafe UnsafeBufferPointer(bytes).endOfText(from: start, to: end, isASCII: false)
      while index < end {
        unsafe bytes[index] = .space
        index = unsafe UnsafeBufferPointer(bytes).endOfText(from: index + 1, to: end, isASCII: false)
      }
    }
  }
}
