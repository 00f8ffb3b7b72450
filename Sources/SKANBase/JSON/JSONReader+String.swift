extension JSONReader {
  /// Reads a quoted string and gives where it ends. Escapes are checked here and made into text when asked for.
  @inline(__always)
  mutating func string(at start: Int) throws(JSONError) -> Int {
    let end = endOfPlain(from: start + 1)
    guard bytes[end] == UInt8(ascii: "\"") else { return try specialString(at: start, plainTo: end) }
    _ = unsafe memory.pointee.append(JSONToken(.string, start: start, end: end + 1))
    return end + 1
  }

  /// A string with more in it than plain ASCII.
  @inline(never)
  private mutating func specialString(at start: Int, plainTo end: Int) throws(JSONError) -> Int {
    var token = JSONToken(.string, start: start, end: start)
    var isASCII = true
    var offset = end
    while offset < count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        if !isASCII { try checkUTF8(from: start + 1, to: offset) }
        token.end = UInt32(truncatingIfNeeded: offset + 1)
        _ = unsafe memory.pointee.append(token)
        return offset + 1
      }
      if byte == UInt8(ascii: "\\") {
        token.isEscaped = true
        try escape(&offset)
      } else if byte < 0x20 {
        throw error(.controlCharacter, at: offset)
      } else {
        if byte >= 0x80 { isASCII = false }
        offset += 1
      }
      offset = endOfPlain(from: offset)
    }
    throw error(.unexpectedEnd, at: offset)
  }

  /// Passes over ASCII that ends nothing and begins nothing, eight bytes at a time; the padding behind the text stops it.
  @inline(__always)
  private mutating func endOfPlain(from start: Int) -> Int {
    var offset = start
    while true {
      let stops = JSONPlain.stops(bytes.word(at: offset))
      if stops != 0 { return offset + stops.trailingZeroBitCount / 8 }
      offset += 8
    }
  }

  private mutating func escape(_ offset: inout Int) throws(JSONError) {
    guard offset + 1 < count else { throw error(.unexpectedEnd, at: offset) }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"): try unicodeEscape(&offset)
    default: throw error(.badEscape, at: offset)
    }
  }

  /// `\uXXXX`, or two of them when the first is the high half of a pair.
  private mutating func unicodeEscape(_ offset: inout Int) throws(JSONError) {
    let start = offset
    let first = try hexEscape(&offset)
    guard (0xD800..<0xE000).contains(first) else { return }
    guard first < 0xDC00, offset + 1 < count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try hexEscape(&offset))
    else { throw error(.loneSurrogate, at: start) }
  }

  private mutating func hexEscape(_ offset: inout Int) throws(JSONError) -> UInt32 {
    guard offset + 6 <= count else { throw error(.unexpectedEnd, at: offset) }
    guard let code = unsafe JSONEscapes.code(bytes.start + offset + 2) else { throw error(.badEscape, at: offset) }
    offset += 6
    return code
  }

  private mutating func checkUTF8(from start: Int, to end: Int) throws(JSONError) {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = unsafe UnsafeBufferPointer(start: bytes.start + start, count: end - start).makeIterator()
    var length = 0
    while true {
      switch unsafe parser.parseScalar(from: &rest) {
      case .valid(let scalar): length += scalar.count
      case .emptyInput: return
      case .error: throw error(.invalidUTF8, at: start + length)
      }
    }
  }
}

/// The escapes of JSON strings, made into text; ``JSONReader`` has checked them.
enum JSONEscapes {
  static func text(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var position = 0
    while position < raw.count {
      let byte = unsafe raw[position]
      guard byte == UInt8(ascii: "\\"), position + 1 < raw.count else {
        text.append(byte)
        position += 1
        continue
      }
      if unsafe raw[position + 1] == UInt8(ascii: "u") {
        let (scalar, length) = unsafe scalar(raw, at: position)
        text.append(contentsOf: String(Character(scalar)).utf8)
        position += length
      } else {
        unsafe text.append(plain(raw[position + 1]))
        position += 2
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// The scalar of one escape or of two that are a pair, and the bytes that it takes.
  private static func scalar(_ raw: UnsafeBufferPointer<UInt8>, at position: Int) -> (Unicode.Scalar, length: Int) {
    func code(_ offset: Int) -> UInt32? {
      guard let start = raw.baseAddress, offset + 6 <= raw.count else { return nil }
      return unsafe Self.code(start + offset + 2)
    }
    guard let first = code(position) else { return ("\u{FFFD}", 2) }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard first < 0xDC00, let second = code(position + 6), second >= 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return ("\u{FFFD}", 6) }
    return (scalar, 12)
  }

  /// Four hexadecimal digits.
  static func code(_ digits: UnsafePointer<UInt8>) -> UInt32? {
    var code: UInt32 = 0
    for index in 0..<4 {
      let digit: UInt8
      switch unsafe digits[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = unsafe digits[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = unsafe digits[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = unsafe digits[index] - UInt8(ascii: "A") + 10
      default: return nil
      }
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
