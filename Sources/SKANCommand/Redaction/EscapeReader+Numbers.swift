import SKANBase

// What the parts of an escape are, each of which may be escaped itself.
extension EscapeReader {
  func character(
    at position: Int, _ depth: Int, where isRight: (UInt8) -> Bool
  ) -> (byte: UInt8, end: Int)? {
    for unit in units(at: position, depth: depth) {
      if let byte = unit.ascii, isRight(byte) { return (byte, unit.end) }
    }
    return nil
  }

  func hex(at position: Int, _ depth: Int, digits: ClosedRange<Int>) -> (value: UInt32, end: Int)? {
    number(at: position, depth, digits: digits, radix: 16)
  }

  func decimal(at position: Int, _ depth: Int) -> (value: UInt32, end: Int)? {
    number(at: position, depth, digits: 1...7, radix: 10)
  }

  private func number(
    at position: Int, _ depth: Int, digits: ClosedRange<Int>, radix: UInt32
  ) -> (value: UInt32, end: Int)? {
    var value: UInt32 = 0
    var count = 0
    var end = position
    while count < digits.upperBound,
      let (digit, next) = character(at: end, depth, where: { ($0.hexValue ?? 99) < radix })
    {
      value = value * radix + (digit.hexValue ?? 0)
      count += 1
      end = next
    }
    return count >= digits.lowerBound ? (value, end) : nil
  }
}
