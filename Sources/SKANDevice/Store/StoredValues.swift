/// The entries of the store without revenue, by their slots (``StoreEntry/slot``): a byte for each value of an answer,
/// and integers.
///
/// It has no references, because every answer copies it.
@usableFromInline struct StoredValues: Sendable, Equatable, BitwiseCopyable {
  /// The number of slots with values of answers, which are the first ones.
  static var byteCount: Int { 8 }

  /// A ``StoredByte`` for each of the first eight slots.
  @usableFromInline var bytes = UInt64.max
  // Numbers that are not set are 0.
  @usableFromInline var p0Lock: Int64 = 0
  @usableFromInline var p1Lock: Int64 = 0
  @usableFromInline var p2Lock: Int64 = 0
  @usableFromInline var lastCall: Int64 = 0
  @usableFromInline var firstCall: Int64 = 0
  @usableFromInline var skan3Value: Int64 = 0
  /// A bit for each slot that has a number. Stored last, so that another small property fits behind it.
  @usableFromInline var hasNumber: UInt32 = 0

  init() {}

  /// The value in one of the first eight slots.
  @inlinable @inline(__always)
  subscript(byte slot: Int) -> StoredByte {
    get { StoredByte(code: UInt8(truncatingIfNeeded: bytes &>> UInt64(truncatingIfNeeded: slot * 8))) }
    set {
      let shift = UInt64(truncatingIfNeeded: slot * 8)
      bytes = bytes & ~(0xFF &<< shift) | UInt64(newValue.code) &<< shift
    }
  }

  /// An integer: a time, or the value of SKAN 3.
  @inlinable @inline(__always)
  subscript(number slot: Int) -> Int64? {
    get {
      if hasNumber &>> UInt32(truncatingIfNeeded: slot) & 1 == 0 { return nil }
      return switch slot {
      case StoreEntry.windowLock(.p0).slot: p0Lock
      case StoreEntry.windowLock(.p1).slot: p1Lock
      case StoreEntry.windowLock(.p2).slot: p2Lock
      case StoreEntry.lastCall.slot: lastCall
      case StoreEntry.firstCall.slot: firstCall
      default: skan3Value
      }
    }
    set {
      let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: slot)
      if newValue == nil { hasNumber &= ~bit } else { hasNumber |= bit }
      let number = newValue ?? 0
      switch slot {
      case StoreEntry.windowLock(.p0).slot: p0Lock = number
      case StoreEntry.windowLock(.p1).slot: p1Lock = number
      case StoreEntry.windowLock(.p2).slot: p2Lock = number
      case StoreEntry.lastCall.slot: lastCall = number
      case StoreEntry.firstCall.slot: firstCall = number
      default: skan3Value = number
      }
    }
  }
}

/// The values of answers that do not fit in a byte, by their slots.
@usableFromInline final class OddValues: Sendable, Equatable {
  let values: [Int: KeptValue]

  init(_ values: [Int: KeptValue]) { self.values = values }

  // Not inlined, and not a method of the store, because a call would copy it.
  @inline(never) @usableFromInline
  func value(_ slot: Int) -> KeptValue? { values[slot] }

  @usableFromInline static func == (left: OddValues, right: OddValues) -> Bool {
    left === right || left.values == right.values
  }
}

/// A value of an answer in one byte: absent, a Boolean, or an integer from 0 to 127. Any other value is ``odd`` and
/// stored elsewhere.
@usableFromInline struct StoredByte: Sendable, Equatable {
  @usableFromInline let code: UInt8

  @inlinable @inline(__always)
  init(code: UInt8) { self.code = code }

  static var odd: StoredByte { StoredByte(code: 254) }
  static var absent: StoredByte { StoredByte(code: 255) }

  @inline(__always)
  init(_ value: KeptValue?) {
    switch value {
    case nil: self = .absent
    case .integer(let number)?:
      self = UInt64(bitPattern: number) < 128 ? StoredByte(code: UInt8(truncatingIfNeeded: number)) : .odd
    case .bool(let flag)?: self = StoredByte(code: flag ? 129 : 128)
    case .unsigned?, .double?, .string?: self = .odd
    }
  }

  @inlinable @inline(__always)
  var isOdd: Bool { code == 254 }

  /// The integer; nil for other values.
  @inlinable @inline(__always)
  var number: Int64? { code < 128 ? Int64(code) : nil }

  /// The value; nil if it is absent or ``odd``.
  @inlinable @inline(__always)
  var value: KeptValue? {
    if code < 128 { return .integer(Int64(code)) }
    return code <= 129 ? .bool(code == 129) : nil
  }
}
