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
        guard position + 2 < text.endIndex, let high = hexValue(text[position + 1]),
          let low = hexValue(text[position + 2])
        else { return false }
        byte = high << 4 | low
        position += 2
      }
      if byte >= 0x80 { isASCII = false }
      bytes.append(byte)
      position += 1
    }
    return isASCII || String(validating: bytes[start...], as: UTF8.self) != nil
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
