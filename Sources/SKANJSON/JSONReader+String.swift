extension JSONReader {
  /// A quoted string; the position is at its opening quote.
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    // The common case: no escape, so that the text can be taken as it stands.
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let text = try decode(bytes[start..<position], from: start)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw error(.controlCharacter)
      default: position += 1
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let decoded = try decode(text, from: start)
        position += 1
        return decoded
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw error(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard position + 1 < bytes.count else { throw error(.unexpectedEnd) }
    let plain: UInt8
    switch bytes[position + 1] {
    case UInt8(ascii: "\""): plain = 0x22
    case UInt8(ascii: "\\"): plain = 0x5C
    case UInt8(ascii: "/"): plain = 0x2F
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      text.append(contentsOf: String(Character(try unicodeEscape())).utf8)
      return
    default: throw error(.badEscape)
    }
    text.append(plain)
    position += 2
  }

  /// `\uXXXX`, or two of them when the first is the high half of a pair.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    let first = try hexEscape()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw JSONError(problem: .loneSurrogate, offset: start) }
    let second = try hexEscape()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(problem: .loneSurrogate, offset: start) }
    return scalar
  }

  private mutating func hexEscape() throws(JSONError) -> UInt32 {
    guard position + 6 <= bytes.count else { throw error(.unexpectedEnd) }
    var code: UInt32 = 0
    for index in position + 2..<position + 6 {
      guard let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
        throw error(.badEscape)
      }
      code = code << 4 | UInt32(digit)
    }
    position += 6
    return code
  }

  private func decode(_ text: some Collection<UInt8>, from start: Int) throws(JSONError) -> String {
    guard let decoded = String(validating: text, as: UTF8.self) else {
      throw JSONError(problem: .invalidUTF8, offset: start + validLength(from: start))
    }
    return decoded
  }

  /// How many bytes from `start` on are valid UTF-8.
  private func validLength(from start: Int) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[start..<position].makeIterator()
    var length = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { length += scalar.count }
    return length
  }
}
