/// Reads a JSON text of a known shape from its start, without keeping tokens or allocating memory.
///
/// It reads strings of plain ASCII and numbers of at most 15 digits. After any other value its position may be within
/// that value: the caller then reads the whole text with ``JSONReader``, which also reports errors.
///
/// Public, because only members of a public type are inlined into other modules.
@safe public struct PlainJSONScanner {
  @usableFromInline var next: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>

  /// - Returns: nil if the buffer has no memory.
  @inlinable @inline(__always)
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return nil }
    unsafe next = unsafe start
    unsafe end = unsafe start + text.count
  }

  /// Whether the whole text has been read.
  @inlinable @inline(__always)
  package var isAtEnd: Bool { unsafe next == end }

  /// The next byte; 0 at the end.
  @inlinable @inline(__always)
  package var first: UInt8 { unsafe next < end ? next.pointee : 0 }

  /// Reads the given bytes, if they come next.
  @inlinable @inline(__always)
  package mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard unsafe end - next >= count, unsafe memcmp(next, text.utf8Start, count) == 0 else { return false }
    unsafe next += count
    return true
  }

  /// Skips spaces, tabs and carriage returns.
  @inlinable @inline(__always)
  package mutating func takeSpace() {
    while unsafe next < end, unsafe next.pointee <= 0x20 {
      guard unsafe next.pointee == 0x20 || next.pointee == 0x0D || next.pointee == 0x09 else { return }
      unsafe next += 1
    }
  }

  /// Reads a string and returns the text between its quotes: ASCII without escapes, control characters and `$`, which
  /// begins a variable of a list.
  @inlinable @inline(__always)
  package mutating func takeString() -> PlainJSONString? {
    guard take("\"") else { return nil }
    let start = unsafe next
    let rest = unsafe UnsafeBufferPointer(start: next, count: end - next)
    unsafe next += rest.firstOffset(from: 0, to: rest.count) { word in
      word.controlMarks | word.marks(UInt8(ascii: "\"")) | word.marks(UInt8(ascii: "\\"))
        | word.marks(UInt8(ascii: "$")) | word
    }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: next - start)
    return unsafe take("\"") ? PlainJSONString(bytes) : nil
  }

  /// Reads a number of at most 15 digits without an exponent.
  ///
  /// - Returns: nil for any other value and for negative zero.
  @inlinable @inline(__always)
  package mutating func takeNumber() -> PlainJSONNumber? {
    let isNegative = take("-")
    let start = unsafe next
    var number = PlainJSONNumber()
    takeDigits(into: &number.digits)
    let whole = unsafe next - start
    guard whole > 0, unsafe whole == 1 || start.pointee != UInt8(ascii: "0") else { return nil }
    var count = whole
    if take(".") {
      let first = unsafe next
      takeDigits(into: &number.digits)
      let decimals = unsafe next - first
      guard decimals > 0, decimals <= 15 else { return nil }
      count += decimals
      for _ in 0..<decimals { number.divisor *= 10 }
    }
    guard count <= 15, unsafe next < end, unsafe next.pointee | 0x20 != UInt8(ascii: "e") else { return nil }
    if isNegative {
      guard number.digits != 0 else { return nil }
      number.digits = 0 &- number.digits
    }
    return number
  }

  @inlinable @inline(__always)
  mutating func takeDigits(into number: inout Int64) {
    if unsafe end - next >= 8 {
      let word = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).littleEndian
      if let eight = Self.eightDigits(word) {
        number = number &* 100_000_000 &+ eight
        unsafe next += 8
      }
    }
    while unsafe next < end, unsafe next.pointee &- 0x30 < 10 {
      number = unsafe number &* 10 &+ Int64(next.pointee &- 0x30)
      unsafe next += 1
    }
  }

  /// The number of eight digits, which are joined into pairs, then fours; nil if a byte is not a digit.
  ///
  /// - Parameter word: eight bytes, the first in the lowest position.
  @inlinable @inline(__always)
  static func eightDigits(_ word: UInt64) -> Int64? {
    let digits = word &- 0x3030_3030_3030_3030
    guard (digits | (word &+ 0x4646_4646_4646_4646)) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return Int64(truncatingIfNeeded: (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
  }
}

/// The contents of a string, in the memory of the text.
@safe public struct PlainJSONString {
  @usableFromInline package let bytes: UnsafeBufferPointer<UInt8>

  @inlinable @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

  package var text: String { unsafe String(decoding: bytes, as: UTF8.self) }
}

/// A number as written: its digits without the decimal point, and their divisor.
public struct PlainJSONNumber {
  @usableFromInline package var digits: Int64 = 0
  /// An exact power of ten; 1 for a whole number.
  @usableFromInline var divisor: Double = 1

  @inlinable @inline(__always)
  init() {}

  /// The number; nil if it has a decimal point.
  @inlinable @inline(__always)
  package var integer: Int64? { divisor == 1 ? digits : nil }

  /// The nearest double, by one division of exact numbers.
  @inlinable @inline(__always)
  package var value: Double { Double(digits) / divisor }
}
