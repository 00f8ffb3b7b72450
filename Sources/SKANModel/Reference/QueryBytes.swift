/// The percent encoding of queries, read.
enum QueryBytes {
  /// Adds what a text stands for: percent escapes, and `+` for a space.
  ///
  /// - Returns: false when an escape is broken or the result is not UTF-8.
  static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, into bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    var isASCII = true
    var position = text.startIndex
    while position < text.endIndex {
      let plain = position
      while position < text.endIndex, text[position] != UInt8(ascii: "+"), text[position] != UInt8(ascii: "%") {
        if text[position] >= 0x80 { isASCII = false }
        position += 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<position]))
      guard position < text.endIndex else { break }
      var byte = UInt8(ascii: " ")
      if text[position] == UInt8(ascii: "%") {
        guard position + 2 < text.endIndex, let high = text[position + 1].hexValue,
          let low = text[position + 2].hexValue
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
