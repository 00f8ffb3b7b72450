import SKANBase

extension JSONWriter {
  /// Adds a number as `%.17g` prints it; where the text has it already, a copy.
  package mutating func append(sent number: Double) {
    if let place = sentNumbers[number] { return text.append(again: place) }
    let start = text.count
    text.append(number, significant: 17)
    sentNumbers[number] = start..<text.count
  }
}

extension ByteText {
  /// Adds a number as `%.NNg` prints it; see ``System/text(of:digits:)``.
  ///
  /// - Parameter digits: 16 or 17.
  package mutating func append(_ number: Double, significant digits: Int32) {
    if number.magnitude >= 1e-3, number.magnitude < 1e15 {
      appendUsual(number, Int(digits))
    } else {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
        guard let start = buffer.baseAddress else { return }
        unsafe Platform.print(number, digits: digits, into: start)
        append(unsafe String(cString: start))
      }
    }
  }

  /// Adds a number whose digits are found in whole numbers of 128 bits: those of nearly every sum of revenue.
  private mutating func appendUsual(_ number: Double, _ digits: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let size = number.magnitude
    if let whole = UInt64(exactly: size) { return append(whole) }
    // One digit stands before the point if the size is below 10, as many zeros behind it as `position` is below -1.
    var position = 0
    var power = 10.0
    while size >= power { (position, power) = (position + 1, power * 10) }
    power = 1
    while size < power, position > -3 { (position, power) = (position - 1, power / 10) }
    var scaled = Self.scaled(size, digits - 1 - position)
    // Powers below 1 are not exact, and rounding may carry.
    if scaled >= Self.powers[digits] {
      position += 1
      scaled = Self.scaled(size, digits - 1 - position)
    } else if scaled < Self.powers[digits - 1] {
      position -= 1
      scaled = Self.scaled(size, digits - 1 - position)
    }
    var decimals = digits - 1 - position
    while decimals > 0, scaled % 10 == 0 { (scaled, decimals) = (scaled / 10, decimals - 1) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Self.powers[decimals])
    append(whole)
    if decimals == 0 { return }
    append(UInt8(ascii: "."))
    append(fraction, digits: decimals)
  }

  /// The number times ten to the power of `exponent`, rounded to a whole number as printf rounds: halves to even.
  private static func scaled(_ number: Double, _ exponent: Int) -> UInt64 {
    let shift = UInt64(52 - number.exponent)
    let significand = number.significandBitPattern | 1 << 52
    let (high, low) = significand.multipliedFullWidth(by: powers[exponent])
    let quotient = high << (64 - shift) | low >> shift
    let rest = low & (1 << shift - 1)
    let half: UInt64 = 1 << (shift - 1)
    return rest > half || rest == half && quotient & 1 == 1 ? quotient + 1 : quotient
  }

  /// The powers of ten below 2^64.
  private static let powers: [UInt64] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
