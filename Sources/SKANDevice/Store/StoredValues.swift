/// The entries of the store that hold no revenue, by their slots (``StoreEntry/slot``): one byte for each value that is kept
/// as it was answered, and whole numbers.
///
/// Without references, since every answer copies it.
struct StoredValues: Sendable, Equatable, BitwiseCopyable {
  /// A ``StoredByte`` for each of the first eight slots.
  var bytes = UInt64.max
  // Numbers that are not set are 0.
  var p0Lock: Int64 = 0
  var p1Lock: Int64 = 0
  var p2Lock: Int64 = 0
  var lastCall: Int64 = 0
  var firstCall: Int64 = 0
  var skan3Value: Int64 = 0
  /// The bit of each slot that has a number. The last, so that another small property fits behind it.
  var hasNumber: UInt32 = 0

  init() {}

  /// A value of the first eight slots.
  @inline(__always)
  subscript(byte slot: Int) -> StoredByte {
    get { StoredByte(code: UInt8(truncatingIfNeeded: bytes &>> UInt64(truncatingIfNeeded: slot * 8))) }
    set {
      let shift = UInt64(truncatingIfNeeded: slot * 8)
      bytes = bytes & ~(0xFF &<< shift) | UInt64(newValue.code) &<< shift
    }
  }

  /// A whole number: a time, or the value of SKAN 3.
  @inline(__always)
  subscript(number slot: Int) -> Int64? {
    get {
      if hasNumber &>> UInt32(truncatingIfNeeded: slot) & 1 == 0 { return nil }
      return switch slot {
      case 8: p0Lock
      case 9: p1Lock
      case 10: p2Lock
      case 19: lastCall
      case 20: firstCall
      default: skan3Value
      }
    }
    set {
      let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: slot)
      if newValue == nil { hasNumber &= ~bit } else { hasNumber |= bit }
      let number = newValue ?? 0
      switch slot {
      case 8: p0Lock = number
      case 9: p1Lock = number
      case 10: p2Lock = number
      case 19: lastCall = number
      case 20: firstCall = number
      default: skan3Value = number
      }
    }
  }
}

/// The answered values that no byte holds, by their slots.
final class OddValues: Sendable, Equatable {
  let values: [Int: KeptValue]

  init(_ values: [Int: KeptValue]) { self.values = values }

  static func == (left: OddValues, right: OddValues) -> Bool { left === right || left.values == right.values }
}
