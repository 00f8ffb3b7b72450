/// Classes of ASCII characters; a byte beyond ASCII is in none of them.
extension UInt8 {
  /// `0`–`9`.
  @inlinable
  package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// `A`–`Z`.
  @inlinable
  package var isASCIICapital: Bool { self &- UInt8(ascii: "A") < 26 }

  /// `A`–`Z` and `a`–`z`.
  @inlinable
  package var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  @inlinable
  package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

  /// What may stand around the text of a line: a space, a tab, and the carriage return of its end.
  @inlinable
  package var isLineSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }

  /// The value of a hexadecimal digit of either case, 0-15; nil for another character.
  @inlinable
  package var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x37
    case 0x61...0x66: UInt32(self) - 0x57
    default: nil
    }
  }
}

extension String {
  /// Whether it has the form of a UUID, in letters of either case.
  package var isUUID: Bool {
    utf8.count == 36
      && utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexValue != nil
      }
  }
}

extension Character {
  /// `0`–`9`, with no accent on it.
  package var isASCIIDigit: Bool { isASCII && isNumber }
}
