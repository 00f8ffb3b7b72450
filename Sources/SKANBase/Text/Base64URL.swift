/// Base64 with the URL-safe alphabet and without padding, as a JWS has it (RFC 7515, section 2).
package enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        text.append(digits[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: nil for anything that ``encode(_:)`` does not produce: padding, the other alphabet, white space, and bits
  ///   in the last character that belong to no byte.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, count) = (UInt32(0), 0)
    for digit in text {
      guard let value = values[Int(digit)] else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return bytes
  }
}
