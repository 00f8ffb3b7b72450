/// The percent encoding of queries, read.
enum QueryBytes {
  /// Adds what a text stands for: percent escapes, and `+` for a space.
  ///
  /// - Returns: false when an escape is broken or the result is not UTF-8.
  static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, into bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    var isASCII = true
    var position = unsafe text.startIndex
    while unsafe position < text.endIndex {
      let plain = position
      while unsafe position < text.endIndex, unsafe text[position] != UInt8(ascii: "+"),
        unsafe text[position] != UInt8(ascii: "%")
      {
        if unsafe text[position] >= 0x80 { isASCII = false }
        position += 1
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<position]))
      guard unsafe position < text.endIndex else { break }
      var byte = UInt8(ascii: " ")
      if unsafe text[position] == UInt8(ascii: "%") {
        guard unsafe position + 2 < text.endIndex, let high = unsafe text[position + 1].hexValue,
          let low = unsafe text[position + 2].hexValue
        else { return false }
        byte = UInt8(high << 4 | low)
        position += 2
      }
      if byte >= 0x80 { isASCII = false }
      bytes.append(byte)
      position += 1
    }
    return isASCII || String(validating: bytes[start...], as: UTF8.self) != nil
  }
}
