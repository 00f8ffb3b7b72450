import SKANBase

/// An amount of money as decimal text.
enum AmountText: Equatable {
  case empty
  case amount(Double)
  case invalid
  case comma

  /// Nearest to what is written: at most 15 digits are exact, and so is a power of ten up to 22.
  private static let powers: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  /// The app's own amounts are of single precision.
  private static let largest = Double(Float.greatestFiniteMagnitude)

  /// - Parameter scale: by which power of ten it is divided: 6 for millionths.
  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, scale: Int = 0) {
    guard text.count > 0, let start = text.baseAddress else {
      self = .empty
      return
    }
    var position = 0
    let isNegative = unsafe start[0] == UInt8(ascii: "-")
    if isNegative { position = 1 }
    var digits: UInt64 = 0
    var count = 0
    var fraction = 0
    var hasPoint = false
    while position < text.count {
      let byte = unsafe start[position]
      if byte.isASCIIDigit {
        digits = digits &* 10 &+ UInt64(byte &- 0x30)
        // Zeros in front are no digits.
        if digits > 0 { count += 1 }
        if hasPoint { fraction += 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      position += 1
    }
    let power = fraction + scale
    let hasDigits = position > (isNegative ? 1 : 0) + (hasPoint ? 1 : 0)
    guard position == text.count, hasDigits, count <= 15, power <= 22 else {
      self = unsafe Self.other(text, scale: scale)
      return
    }
    let amount = Double(digits) / Self.powers[power]
    self = .amount(isNegative ? -amount : amount)
  }

  /// What has more digits, an exponent, blanks around it, or is not a number.
  @inline(never)
  private static func other(_ text: UnsafeBufferPointer<UInt8>, scale: Int) -> AmountText {
    let trimmed = unsafe Array(text.trimming(while: \.isLineSpace))
    if trimmed.isEmpty { return .empty }
    if trimmed.contains(UInt8(ascii: ",")) { return .comma }
    var rest = trimmed[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: \.isASCIIDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(fraction.count + 1)
    }
    if whole.isEmpty, fraction.isEmpty { return .invalid }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      let exponent = rest.prefix(while: \.isASCIIDigit)
      if exponent.isEmpty { return .invalid }
      rest = rest.dropFirst(exponent.count)
    }
    guard rest.isEmpty, let amount = Double(String(decoding: trimmed, as: UTF8.self)), amount.magnitude <= largest
    else {
      return .invalid
    }
    return .amount(amount / powers[scale])
  }
}
