extension String {
  /// The text with `%XX` for every byte of its UTF-8 but letters, digits and `-._~` (RFC 3986, section 2.3).
  ///
  /// - Parameter kept: further characters that stay as they are, of ASCII.
  package func percentEncoded(keeping kept: String = "") -> String {
    var text = ByteText()
    for byte in utf8 {
      if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
        text.append(byte)
      } else {
        text.appendPercentEscape(byte)
      }
    }
    return text.string
  }
}

extension ByteText {
  /// Adds `%XX` for a byte.
  package mutating func appendPercentEscape(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append((byte >> 4).hexDigit)
    append((byte & 15).hexDigit)
  }
}

extension UInt8 {
  /// The digit of a number below 16.
  fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}
