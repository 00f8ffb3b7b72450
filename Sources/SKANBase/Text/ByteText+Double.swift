extension ByteText {
  /// Adds the shortest text that reads back as the number; whole numbers have no fraction: `5`, `-0`, `9.99`, `1e-50`.
  public mutating func append(_ number: Double) {
    // From 1e16 on, whole numbers are written with an exponent.
    if number.magnitude < 1e15, let whole = Int64(exactly: number), whole != 0 { return append(whole) }
    if let product = DecimalProduct(number, digits: 17), let shortest = product.shortest {
      return append(shortest, decimals: product.decimals, isNegative: number < 0)
    }
    append(number.description)
    if unsafe count > 2 && bytes[count - 1] == UInt8(ascii: "0") && bytes[count - 2] == UInt8(ascii: ".") { count -= 2 }
  }

  /// Adds a number rounded to `digits` digits, as `%.17g` prints it, if its digits can be computed in 128-bit integers.
  ///
  /// - Parameter digits: 16 or 17.
  /// - Returns: false, without adding anything, for a number below 1e-3, or from 1e15 on.
  package mutating func append(_ number: Double, rounded digits: Int) -> Bool {
    guard let product = DecimalProduct(number, digits: digits) else { return false }
    append(product.rounded, decimals: product.decimals, isNegative: number < 0)
    return true
  }

  /// Adds a decimal number without trailing zeros.
  private mutating func append(_ scaled: UInt64, decimals: Int, isNegative: Bool) {
    if isNegative { append(UInt8(ascii: "-")) }
    var (scaled, decimals) = (scaled, decimals)
    while decimals > 0, scaled % 10 == 0 { (scaled, decimals) = (scaled / 10, decimals - 1) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: DecimalProduct.powers[decimals])
    append(whole)
    if decimals == 0 { return }
    append(UInt8(ascii: "."))
    append(fraction, digits: decimals)
  }
}

/// The exact product of a number's magnitude and a power of ten: an integer of 16 or 17 digits, and a fraction.
private struct DecimalProduct {
  /// The powers of ten below 2^64.
  // Written out, because a computed table is checked for initialization at each use.
  static let powers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  let decimals: Int
  private let power: UInt64
  private let whole: UInt64
  /// The fraction, times two to the power of ``shift``.
  private let fraction: UInt64
  private let shift: UInt64
  private let isPowerOfTwo: Bool

  /// The product with `digits` digits; nil for a number below 1e-3, or from 1e15 on.
  init?(_ number: Double, digits: Int) {
    let size = number.magnitude
    guard size >= 1e-3, size < 1e15 else { return nil }
    // The number of digits before the point minus one, or one less than that: the binary exponent times the logarithm
    // of two.
    let position = (Self.exponent(size) &* 1233) >> 12
    // A number with three zeros after the point has no more decimals.
    let product = DecimalProduct(size, decimals: min(digits - 1 - position, 19))
    let isLong = product.whole >= Self.powers[digits]
    self = isLong ? DecimalProduct(size, decimals: product.decimals - 1) : product
  }

  private init(_ size: Double, decimals: Int) {
    self.decimals = decimals
    isPowerOfTwo = size.significandBitPattern == 0
    power = Self.powers[decimals]
    shift = UInt64(truncatingIfNeeded: 52 &- Self.exponent(size))
    let (high, low) = (size.significandBitPattern | 1 << 52).multipliedFullWidth(by: power)
    whole = high &<< (64 &- shift) | low &>> shift
    fraction = low & (1 &<< shift &- 1)
  }

  /// The binary exponent of a normal number.
  @inline(__always)
  private static func exponent(_ size: Double) -> Int { Int(truncatingIfNeeded: size.bitPattern &>> 52) &- 1023 }

  /// The integer rounded as printf rounds: halves to even.
  var rounded: UInt64 {
    let half: UInt64 = 1 &<< (shift &- 1)
    return fraction > half || fraction == half && whole & 1 == 1 ? whole + 1 : whole
  }

  /// The integer of 17 digits that reads back as the number and has the most trailing zeros; of several, the nearest.
  /// Nil if two are equally near, and for a power of two, whose neighbours are at different distances.
  var shortest: UInt64? {
    // No two multiples of 100 read back as the number.
    if isPowerOfTwo { return nil }
    let hundreds = nearest(100)
    if readsBack(hundreds) { return hundreds }
    let tens = nearest(10)
    if readsBack(tens) { return whole % 10 == 5 && fraction == 0 ? nil : tens }
    return fraction == 1 &<< (shift &- 1) ? nil : rounded
  }

  /// The nearest multiple of a unit.
  @inline(__always)
  private func nearest(_ unit: UInt64) -> UInt64 {
    let rest = whole % unit
    return rest * 2 < unit ? whole - rest : whole - rest + unit
  }

  /// Whether an integer, divided by the power of ten, is nearer to the number than to any other double.
  private func readsBack(_ candidate: UInt64) -> Bool {
    // Half of the last place of the number, times two to the power of `shift`. No integer is exactly that far away.
    let limit = power / 2
    let isAbove = candidate > whole
    let apart = isAbove ? candidate - whole : whole - candidate
    if apart > limit &>> shift + 1 { return false }
    return (isAbove ? apart &<< shift - fraction : apart &<< shift + fraction) < limit
  }
}
