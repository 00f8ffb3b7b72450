extension JSONReader {
  /// Reads a quoted string and returns its end. Escapes are checked here and decoded on demand.
  @inline(__always)
  mutating func string(at start: Int) throws(JSONError) -> Int {
    let end = endOfPlain(from: start + 1)
    guard bytes[end] == UInt8(ascii: "\"") else { return try specialString(at: start, plainTo: end) }
    _ = unsafe memory.pointee.append(JSONToken(.string, start: start, end: end + 1))
    return end + 1
  }

  /// Reads a string that contains escapes or non-ASCII characters.
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

  /// Skips plain ASCII, eight bytes at a time; the padding after the text stops it.
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

  /// Reads `\uXXXX`, or two of them if the first is a high surrogate.
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

/// Decodes the escapes of JSON strings that ``JSONReader`` has checked.
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

  /// The scalar of an escape or of a surrogate pair, and the number of bytes it takes.
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

  /// The value of four hexadecimal digits.
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

extension JSONReader {
  /// Reads a number by the grammar of the standard and returns its end. It is an integer if it has no fraction or
  /// exponent and fits in 64 bits.
  mutating func number(at start: Int) throws(JSONError) -> Int {
    var offset = start
    var number = JSONDecimal()
    if bytes[offset] == UInt8(ascii: "-") {
      number.isNegative = true
      offset += 1
    }
    guard offset < count else { throw error(.unexpectedEnd, at: offset) }
    if bytes[offset] == UInt8(ascii: "0") {
      offset += 1
      if isDigit(bytes[offset]) { throw error(.badNumber, at: offset) }
    } else {
      offset = try digits(at: offset, into: &number)
    }
    var isInteger = true
    // No end check is needed: the padding after the text is not part of a number.
    if bytes[offset] == UInt8(ascii: ".") {
      isInteger = false
      let first = offset + 1
      offset = try digits(at: first, into: &number)
      number.exponent = first - offset
    }
    if bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      offset = try exponent(at: offset + 1, of: &number)
    }
    var token = JSONToken(.integer, start: start, end: offset)
    let isMinusZero = number.isNegative && number.digits == 0 && !number.isTooLong
    if isInteger, !(dialect.keepsMinusZero && isMinusZero), let integer = number.integer {
      token.payload = UInt64(bitPattern: integer)
    } else if isInteger, let unsigned = number.unsigned {
      token.kind = .unsigned
      token.payload = unsigned
    } else {
      token.kind = .double
      token.payload = try double(number, from: start, to: offset).bitPattern
    }
    _ = unsafe memory.pointee.append(token)
    return offset
  }

  @inline(never)
  private mutating func exponent(at start: Int, of number: inout JSONDecimal) throws(JSONError) -> Int {
    var offset = start
    var sign = 1
    if bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
      sign = bytes[offset] == UInt8(ascii: "-") ? -1 : 1
      offset += 1
    }
    var power = JSONDecimal()
    offset = try digits(at: offset, into: &power)
    // Far beyond the range of doubles, and far from an overflow of the sum.
    number.exponent += sign * Int(min(power.digits, 1_000_000))
    if power.isTooLong { number.isTooLong = true }
    return offset
  }

  private mutating func double(_ number: JSONDecimal, from start: Int, to end: Int) throws(JSONError) -> Double {
    if let exact = number.exactDouble { return exact }
    let text = unsafe UnsafeBufferPointer(start: bytes.start + start, count: end - start)
    guard let double = unsafe Double(String(decoding: text, as: UTF8.self)), double.isFinite else {
      throw error(.numberTooLarge, at: start)
    }
    return double
  }

  @inline(__always)
  private mutating func digits(at start: Int, into number: inout JSONDecimal) throws(JSONError) -> Int {
    guard start < count else { throw error(.unexpectedEnd, at: start) }
    guard isDigit(bytes[start]) else { throw error(.badNumber, at: start) }
    var offset = start
    var digit = bytes[offset] &- 0x30
    repeat {
      number.append(digit)
      offset += 1
      digit = bytes[offset] &- 0x30
    } while digit < 10
    return offset
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}

/// The digits of a number as they are read: an integer times a power of ten.
struct JSONDecimal {
  var isNegative = false
  /// The integer that all digits form, while it fits.
  private(set) var digits: UInt64 = 0
  var exponent = 0
  /// Whether the digits do not fit in 64 bits.
  var isTooLong = false

  mutating func append(_ digit: UInt8) {
    // Any further digit fits.
    if digits < UInt64.max / 10 {
      digits = digits &* 10 &+ UInt64(digit)
      return
    }
    let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit))
    if overflow || carry { isTooLong = true }
    digits = sum
  }

  /// The integer without its exponent; nil beyond `Int64`.
  var integer: Int64? {
    guard !isTooLong else { return nil }
    if isNegative { return digits <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- digits) : nil }
    return Int64(exactly: digits)
  }

  /// The integer without its exponent; nil if negative or beyond `UInt64`.
  var unsigned: UInt64? { isTooLong || isNegative ? nil : digits }

  /// The number, if one multiplication or division of exact operands gives it correctly rounded; otherwise nil.
  var exactDouble: Double? {
    guard !isTooLong, digits <= 1 << 53, (-22...22).contains(exponent) else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  private static let powers: [Double] = (0...22).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
