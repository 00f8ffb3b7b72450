extension ByteText {
  /// Adds a string in quotes, with the escapes that a line of output needs.
  package mutating func appendQuoted(_ string: String) {
    if unsafe string.utf8.withContiguousStorageIfAvailable({ unsafe appendQuoted($0) }) != nil { return }
    var string = string
    string.withUTF8 { unsafe appendQuoted($0) }
  }

  /// Adds a text of UTF-8 in quotes; what is not UTF-8 becomes U+FFFD.
  package mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    // Nearly every text goes out as it stands, and then in one piece.
    var start = 0
    while start < text.count {
      let end = unsafe JSONPlain.end(of: text, from: start)
      unsafe append(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { break }
      // Only what is within ASCII is known by a byte; the rest goes by scalars.
      if unsafe text[end] >= 0x7F {
        unsafe appendEscaped(String(decoding: text[end...], as: UTF8.self).unicodeScalars)
        break
      }
      unsafe appendEscape(of: text[end])
      start = end + 1
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ scalars: String.UnicodeScalarView) {
    for scalar in scalars {
      switch scalar {
      case _ where scalar.value < 0x7F:
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        if byte.isPlainInJSON { append(byte) } else { appendEscape(of: byte) }
      case _ where scalar.isHidden: for unit in UTF16.encode(scalar) ?? .init() { appendHex(UInt32(unit)) }
      default: append(String(scalar))
      }
    }
  }

  /// The escape of a control character, a quote or a backslash.
  private mutating func appendEscape(of byte: UInt8) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case UInt8(ascii: "\n"): letter = UInt8(ascii: "n")
    case UInt8(ascii: "\r"): letter = UInt8(ascii: "r")
    case UInt8(ascii: "\t"): letter = UInt8(ascii: "t")
    default: return appendHex(UInt32(byte))
    }
    append(UInt8(ascii: "\\"))
    append(letter)
  }

  private mutating func appendHex(_ code: UInt32) {
    append("\\u\(String(code, radix: 16).leftPadded(to: 4, with: "0"))")
  }
}
