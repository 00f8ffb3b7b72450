/// A device's identifier as a number of 128 bits, which takes its place where millions of devices are distinguished.
///
/// Two identifiers with the same key are not expected: among a billion devices the odds are about one in 10²⁰.
package struct DeviceKey: Sendable, Hashable, Comparable {
  package let high: UInt64
  package let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The key of an identifier, the same on every machine.
  package init(_ identifier: UnsafeBufferPointer<UInt8>) {
    var (high, low) = (UInt64(truncatingIfNeeded: identifier.count), 0x243F_6A88_85A3_08D3 as UInt64)
    let bytes = UnsafeRawBufferPointer(identifier)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      (high, low) = Self.mix(high, low, word)
      offset += 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      while offset < bytes.count {
        word = unsafe word << 8 | UInt64(bytes[offset])
        offset += 1
      }
      (high, low) = Self.mix(high, low, word)
    }
    (self.high, self.low) = Self.mix(high, low, 0)
  }

  /// The key of an identifier.
  package init(_ identifier: String) {
    var identifier = identifier
    self = identifier.withUTF8 { unsafe DeviceKey($0) }
  }

  @inline(__always)
  static func mix(_ high: UInt64, _ low: UInt64, _ word: UInt64) -> (UInt64, UInt64) {
    (
      folded(high ^ word ^ 0x9E37_79B9_7F4A_7C15, by: 0xD6E8_FEB8_6659_FD93),
      folded(low ^ word ^ 0xA409_3822_299F_31D0, by: 0xBF58_476D_1CE4_E5B9) &+ high
    )
  }

  @inline(__always)
  private static func folded(_ left: UInt64, by right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  package static func < (left: DeviceKey, right: DeviceKey) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
