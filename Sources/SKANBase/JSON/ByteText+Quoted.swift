extension ByteText {
  /// Adds a string in quotes, with the escapes that a line of output needs.
  package mutating func appendQuoted(_ string: String) {
    let isPlain = unsafe string.utf8.withContiguousStorageIfAvailable { unsafe appendPlain(quoting: $0) }
    if isPlain == true { return }
    append(UInt8(ascii: "\""))
    append(escaped: string)
    append(UInt8(ascii: "\""))
  }

  /// Adds a text in quotes if it needs no escape. Copies and searches it in one pass, since nearly every text is short.
  ///
  /// - Returns: false, without a change, if it may need an escape.
  private mutating func appendPlain(quoting string: UnsafeBufferPointer<UInt8>) -> Bool {
    let (length, start) = (string.count, count + 1)
    if unsafe bytes.count &- start < length &+ 8 { grow(by: length + 9) }
    let room = unsafe UnsafeMutableRawBufferPointer(bytes)
    var offset = 0
    while offset &+ 8 <= length {
      let word = unsafe UnsafeRawBufferPointer(string).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if JSONPlain.allStops(word.littleEndian) != 0 { return false }
      unsafe room.storeBytes(of: word, toByteOffset: start &+ offset, as: UInt64.self)
      offset &+= 8
    }
    if offset < length {
      let word = unsafe string.bytes(from: offset, to: length)
      // Followed by spaces, which need no escape.
      let filled = word | 0x2020_2020_2020_2020 &<< (UInt64(truncatingIfNeeded: length &- offset) &* 8)
      if JSONPlain.allStops(filled) != 0 { return false }
      unsafe room.storeBytes(of: word.littleEndian, toByteOffset: start &+ offset, as: UInt64.self)
    }
    unsafe room[start &- 1] = UInt8(ascii: "\"")
    unsafe room[start &+ length] = UInt8(ascii: "\"")
    count = start &+ length &+ 1
    return true
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

  /// The marks of ``stops(_:)``, and of the delete character, which output escapes.
  @inline(__always)
  static func allStops(_ word: UInt64) -> UInt64 { (stops(word) | word.marks(0x7F)) & 0x8080_8080_8080_8080 }

  /// The first offset from `start` on whose byte is not copied into a JSON string unchanged.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    unsafe text.firstOffset(from: start, to: text.count, stops: allStops)
  }
}
