extension JSONReader {
  /// A number by the standard's grammar. Without fraction and exponent, and within 64 bits, it is an integer.
  mutating func number() throws(JSONError) {
    let start = position
    var number = JSONDecimal()
    if bytes[position] == UInt8(ascii: "-") {
      number.isNegative = true
      position += 1
    }
    guard position < count else { throw error(.unexpectedEnd) }
    if bytes[position] == UInt8(ascii: "0") {
      position += 1
      if position < count, isDigit(bytes[position]) { throw error(.badNumber) }
    } else {
      try digits(into: &number)
    }
    var isInteger = true
    if position < count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let first = position
      try digits(into: &number)
      number.exponent = first - position
    }
    if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      var sign = 1
      if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        sign = bytes[position] == UInt8(ascii: "-") ? -1 : 1
        position += 1
      }
      var power = JSONDecimal()
      try digits(into: &power)
      // Far beyond every double, and far from where a sum would overflow.
      number.exponent += sign * Int(min(power.digits, 1_000_000))
      if power.isTooLong { number.isTooLong = true }
    }
    var token = JSONToken(.integer, start: start, end: position)
    let isMinusZero = number.isNegative && number.digits == 0 && !number.isTooLong
    if isInteger, !(dialect.keepsMinusZero && isMinusZero), let integer = number.integer {
      token.payload = UInt64(bitPattern: integer)
    } else if isInteger, let unsigned = number.unsigned {
      token.kind = .unsigned
      token.payload = unsigned
    } else {
      token.kind = .double
      token.payload = try double(number, from: start).bitPattern
    }
    _ = memory.pointee.append(token)
  }

  private func double(_ number: JSONDecimal, from start: Int) throws(JSONError) -> Double {
    if let exact = number.exactDouble { return exact }
    let text = UnsafeBufferPointer(start: bytes + start, count: position - start)
    guard let double = Double(String(decoding: text, as: UTF8.self)), double.isFinite else {
      throw JSONError(problem: .numberTooLarge, offset: start)
    }
    return double
  }

  private mutating func digits(into number: inout JSONDecimal) throws(JSONError) {
    guard position < count else { throw error(.unexpectedEnd) }
    guard isDigit(bytes[position]) else { throw error(.badNumber) }
    while position < count, isDigit(bytes[position]) {
      number.append(bytes[position] - 0x30)
      position += 1
    }
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
