/// A value of an answer in one byte: nothing, a truth value, or a whole number from 0 to 127. Any other value is ``odd``,
/// and kept elsewhere.
struct StoredByte: Sendable, Equatable {
  let code: UInt8

  @inline(__always)
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

  @inline(__always)
  var isOdd: Bool { code == 254 }

  /// The whole number; nil where there is none.
  @inline(__always)
  var number: Int64? { code < 128 ? Int64(code) : nil }

  /// The value; nil where it is absent or ``odd``.
  @inline(__always)
  var value: KeptValue? {
    if code < 128 { return .integer(Int64(code)) }
    return code <= 129 ? .bool(code == 129) : nil
  }
}
