extension JSONReader {
  /// Reads a number by the standard's grammar and gives where it ends. Without fraction and exponent, and within 64 bits,
  /// it is an integer.
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
    // What is behind the text is not part of a number, so that the end needs no look.
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
    // Far beyond every double, and far from where a sum would overflow.
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

/// A number's digits as they are read, a whole number times a power of ten.
struct JSONDecimal {
  var isNegative = false
  /// What stands for all digits together, while they fit.
  private(set) var digits: UInt64 = 0
  var exponent = 0
  /// The digits do not fit 64 bits.
  var isTooLong = false

  mutating func append(_ digit: UInt8) {
    // So far any further digit fits.
    if digits < UInt64.max / 10 {
      digits = digits &* 10 &+ UInt64(digit)
      return
    }
    let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit))
    if overflow || carry { isTooLong = true }
    digits = sum
  }

  /// The whole number, its exponent aside; nil beyond `Int64`.
  var integer: Int64? {
    guard !isTooLong else { return nil }
    if isNegative { return digits <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- digits) : nil }
    return Int64(exactly: digits)
  }

  /// The same beyond `Int64`; nil for a negative one and beyond `UInt64`.
  var unsigned: UInt64? { isTooLong || isNegative ? nil : digits }

  /// The number, where one division or multiplication gives it correctly rounded: both operands are exact then.
  var exactDouble: Double? {
    guard !isTooLong, digits <= 1 << 53, (-22...22).contains(exponent) else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  private static let powers: [Double] = (0...22).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
