import SKANBase

extension DeviceProfile {
  /// The identifier for vendors of a phone that was given none: always the same for the same name.
  ///
  /// The two halves are the 64-bit FNV-1a hashes of `skan idfv 1 NAME` and `skan idfv 2 NAME`; the bits that a UUID
  /// reserves are set to version 8 (custom), variant 1.
  package static func derivedIDFV(phone name: String) -> String {
    let high = fnv1a(name, after: firstHash) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    let low = fnv1a(name, after: secondHash) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return uuid(high: high, low: low, uppercase: true)
  }

  /// In the place of an identifier: a new one each time.
  package static let randomIDFVName = "random"

  /// The identifier for vendors that is made of 16 random bytes: a UUID of version 4.
  package static func idfv(high: UInt64, low: UInt64) -> String {
    uuid(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000,
      uppercase: true)
  }

  private static let firstHash = fnv1a("skan idfv 1 ")
  private static let secondHash = fnv1a("skan idfv 2 ")

  /// 16 bytes in the form of a UUID.
  static func uuid(high: UInt64, low: UInt64, uppercase: Bool) -> String {
    let letters = UInt8(ascii: uppercase ? "A" : "a")
    return unsafe String(unsafeUninitializedCapacity: 36) { text in
      var length = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          unsafe text[length] = UInt8(ascii: "-")
          length += 1
        }
        let half = digit < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 15
        unsafe text[length] = nibble < 10 ? UInt8(ascii: "0") + nibble : letters + nibble - 10
        length += 1
      }
      return length
    }
  }
}
