extension ByteText {
  /// Adds a string in quotes, with the escapes that a line of output needs.
  package mutating func appendQuoted(_ string: String) {
    append(UInt8(ascii: "\""))
    append(escaped: string)
    append(UInt8(ascii: "\""))
  }

  /// Adds a string with the escapes that a line of output needs, without quotes.
  package mutating func append(escaped string: String) { append(string, keepsQuotes: false) }

  /// Adds UTF-8 text in quotes; invalid bytes become U+FFFD.
  package mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    // ASCII is always valid. For other bytes, a string replaces the invalid ones.
    if unsafe !text.isASCII { return unsafe appendQuoted(String(decoding: text, as: UTF8.self)) }
    append(UInt8(ascii: "\""))
    unsafe appendEscaped(text)
    append(UInt8(ascii: "\""))
  }

  /// Adds the text that `write` adds, in quotes and with the escapes that a line of output needs.
  package mutating func appendQuoted(_ write: (inout ByteText) -> Void) {
    append(UInt8(ascii: "\""))
    let start = count
    write(&self)
    escape(from: start)
    append(UInt8(ascii: "\""))
  }

  /// Escapes the text from `start` on for a line of output.
  package mutating func escape(from start: Int) { escape(from: start, keepsQuotes: false) }

  /// Adds a text on one line for a person: characters that are hidden or move others are escaped.
  package mutating func append(oneLine string: String) { append(string, keepsQuotes: true) }

  private mutating func append(_ string: String, keepsQuotes: Bool) {
    let isContiguous: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe appendEscaped($0, keepsQuotes: keepsQuotes)
    }
    if isContiguous != nil { return }
    let start = count
    append(string)
    escape(from: start, keepsQuotes: keepsQuotes)
  }

  /// Escapes the characters from `start` on that are hidden or move others.
  package mutating func makeOneLine(from start: Int) { escape(from: start, keepsQuotes: true) }

  private mutating func escape(from start: Int, keepsQuotes: Bool) {
    if unsafe UnsafeBufferPointer(rebasing: bytes[start..<count]).needsNoEscape(keepsQuotes: keepsQuotes) { return }
    // An escape has at most six bytes.
    unsafe rewrite(from: start, growth: 6) { text, end in unsafe text.appendEscaped(end, keepsQuotes: keepsQuotes) }
  }

  /// Adds valid UTF-8 with escapes.
  ///
  /// - Parameter keepsQuotes: whether quotes and backslashes are left unescaped.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, keepsQuotes: Bool = false) {
    // Nearly every text needs no escape and is appended in one piece.
    var start = 0
    while true {
      let end = unsafe text.plainEnd(from: start, keepsQuotes: keepsQuotes)
      unsafe append(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { return }
      let byte = unsafe text[end]
      start = end + byte.sequenceLength
      if byte < 0x80 {
        appendEscape(of: byte)
      } else {
        let character = unsafe String(decoding: text[end..<start], as: UTF8.self)
        for scalar in character.unicodeScalars {
          if scalar.isHidden {
            for unit in UTF16.encode(scalar) ?? .init() { appendHex(UInt32(unit)) }
          } else {
            append(character)
          }
        }
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether no character may need an escape.
  ///
  /// - Parameter keepsQuotes: whether quotes and backslashes need none.
  func needsNoEscape(keepsQuotes: Bool) -> Bool { unsafe plainEnd(from: 0, keepsQuotes: keepsQuotes) == count }

  /// The first offset from `start` on whose character may need an escape.
  fileprivate func plainEnd(from start: Int, keepsQuotes: Bool) -> Int {
    var offset = start
    while true {
      offset = unsafe JSONPlain.end(of: self, from: offset)
      guard offset < count else { return offset }
      let byte = unsafe self[offset]
      guard unsafe byte < 0x80 ? keepsQuotes && byte.isPrintableASCII : !mayHide(at: offset) else { return offset }
      offset += byte.sequenceLength
    }
  }
}

extension UInt8 {
  /// The number of bytes in a UTF-8 sequence that begins with this byte.
  fileprivate var sequenceLength: Int { self < 0x80 ? 1 : self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4 }

  fileprivate var isPrintableASCII: Bool { self >= 0x20 && self < 0x7F }
}

/// Finds the bytes of a JSON string that may need an escape, eight at a time.
enum JSONPlain {
  /// A mask with the high bit set in each byte that is a control character, a quote, a backslash or not ASCII. Only the
  /// lowest mark is reliable: bytes above it may be marked wrongly.
  ///
  /// - Parameter word: eight bytes, the first in the lowest position.
  @inline(__always)
  static func stops(_ word: UInt64) -> UInt64 {
    (word.controlMarks | word.marks(UInt8(ascii: "\"")) | word.marks(UInt8(ascii: "\\")) | word) & 0x8080_8080_8080_8080
  }

  /// The first offset from `start` on whose byte is not copied into a JSON string unchanged.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    unsafe text.firstOffset(from: start, to: text.count) { stops($0) | $0.marks(0x7F) }
  }
}
