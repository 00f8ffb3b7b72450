extension DeviceProfile {
  /// The identifier for vendors of a phone that was given none: always the same for the same name.
  ///
  /// The two halves are the 64-bit FNV-1a hashes of `skan idfv 1 NAME` and `skan idfv 2 NAME`; the bits that a UUID
  /// reserves are set to version 8 (custom), variant 1.
  package static func derivedIDFV(phone name: String) -> String {
    let high = fnv1a("skan idfv 1 ", name) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    let low = fnv1a("skan idfv 2 ", name) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { text in
      var length = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[length] = UInt8(ascii: "-")
          length += 1
        }
        let half = digit < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 15
        text[length] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
        length += 1
      }
      return length
    }
  }

  private static func fnv1a(_ beginning: String, _ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in beginning.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
