extension UInt8 {
  /// The value of a hexadecimal digit in ASCII, of either case, 0-15; nil for another character.
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
