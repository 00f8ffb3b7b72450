/// UTF-8 text that grows at its end.
///
/// For each byte, an array checks uniqueness and capacity; this type checks only the capacity. An empty text takes no
/// memory.
@safe public struct ByteText: ~Copyable {
  // Public, as are the functions that write: only public functions are inlined into other modules.
  /// The memory of the text.
  public var bytes = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  /// The number of bytes in the text.
  public var count = 0

  /// An empty text.
  public init() {}

  /// A text with the given bytes.
  package init(_ bytes: [UInt8]) { append(bytes) }

  deinit { unsafe bytes.deallocate() }

  /// The text as a string.
  public var string: String { unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self) }

  /// The bytes so far, valid until the next change.
  package var written: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: count) }

  /// The number of bytes that fit in the memory.
  package var capacity: Int { unsafe bytes.count }

  /// The bytes as an array.
  public var array: [UInt8] { array(from: 0) }

  /// The bytes from an offset on as an array.
  package func array(from start: Int) -> [UInt8] {
    // Rebased, because a slice is copied byte by byte.
    unsafe Array(UnsafeBufferPointer(rebasing: bytes[start..<count]))
  }

  /// Appends the text to an array.
  public func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  /// Removes all bytes and keeps the memory.
  public mutating func removeAll() { count = 0 }

  /// Removes the bytes from an offset on, and returns them.
  public mutating func remove(from start: Int) -> [UInt8] {
    defer { count = start }
    return array(from: start)
  }

  /// Adds a byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    if unsafe count == bytes.count { grow(by: 1) }
    unsafe bytes[count] = byte
    count += 1
  }

  /// Adds the lowest bytes of a word, the lowest first.
  @inlinable @inline(__always)
  public mutating func append(word: UInt64, count length: Int) {
    if unsafe bytes.count &- count < 8 { grow(by: 8) }
    unsafe UnsafeMutableRawBufferPointer(bytes).storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= length
  }

  /// Adds bytes.
  @inline(__always)
  public mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    guard let start = more.baseAddress else { return }
    if unsafe more.count > bytes.count - count { grow(by: more.count) }
    guard let end = unsafe bytes.baseAddress else { return }
    unsafe (end + count).update(from: start, count: more.count)
    count += more.count
  }

  /// Adds the first bytes of an array, at most `most`.
  package mutating func append(_ array: [UInt8], first most: Int = .max) {
    unsafe array.withUnsafeBufferPointer { unsafe append(UnsafeBufferPointer(rebasing: $0.prefix(most))) }
  }

  /// Adds another text.
  public mutating func append(_ other: borrowing ByteText) {
    unsafe append(UnsafeBufferPointer(rebasing: other.bytes[..<other.count]))
  }

  /// Adds a literal.
  @inline(__always)
  public mutating func append(_ text: StaticString) {
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a text.
  public mutating func append(_ text: String) {
    // `withUTF8` needs a mutable copy, which counts references. Only a text bridged from Foundation has no contiguous
    // storage.
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe append($0) }) == nil { append(contentsOf: text.utf8) }
  }

  private mutating func append(contentsOf bytes: String.UTF8View) { for byte in bytes { append(byte) } }

  /// Adds an ASCII character several times.
  public mutating func append(_ byte: UInt8, times: Int) {
    var rest = max(0, times)
    while rest > 0 {
      append(word: UInt64(byte) &* 0x0101_0101_0101_0101, count: min(rest, 8))
      rest -= 8
    }
  }

  /// Makes room for more bytes.
  @inline(never)
  public mutating func grow(by more: Int) {
    let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * bytes.count + max(more, 256))
    _ = unsafe larger.update(fromContentsOf: bytes[..<count])
    unsafe bytes.deallocate()
    unsafe bytes = unsafe larger
  }

  /// Rewrites the end of the text.
  ///
  /// - Parameters:
  ///   - start: the offset at which the end begins.
  ///   - growth: the most bytes written for each byte of the end.
  ///   - write: is given the end, and adds its replacement.
  public mutating func rewrite(
    from start: Int, growth: Int, _ write: (inout ByteText, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let length = count - start
    // Moves the end behind everything that will be written, so that no byte is overwritten before it is read.
    if unsafe bytes.count - count < growth * length { grow(by: growth * length) }
    guard let first = unsafe bytes.baseAddress else { return }
    let source = unsafe first + (bytes.count - length)
    unsafe source.update(from: first + start, count: length)
    count = start
    unsafe write(&self, UnsafeBufferPointer(start: source, count: length))
  }
}

extension String {
  /// The text that `write` adds to an empty one.
  package init(writing write: (inout ByteText) -> Void) {
    var text = ByteText()
    write(&text)
    self = text.string
  }
}

// MARK: Numbers

extension ByteText {
  /// Adds a whole number in decimal digits.
  public mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  /// Adds a whole number in decimal digits.
  public mutating func append(_ number: UInt64) {
    if number < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
    if number < 100 {
      let tens = (number &* 103) &>> 10
      return append(word: 0x30_30 | tens | (number &- tens &* 10) &<< 8, count: 2)
    }
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let digits = low.eightDigits
    if high != 0 {
      append(high)
      appendDigits(digits, zeros: 0)
    } else {
      appendDigits(digits, zeros: digits.trailingZeroBitCount / 8)
    }
  }

  /// Adds an integer padded with spaces on the left; one that exceeds the width is not cut.
  public mutating func append(_ number: Int64, width: Int) {
    let start = count
    append(number)
    let spaces = width - (count - start)
    if spaces <= 0 { return }
    count = start
    append(UInt8(ascii: " "), times: spaces)
    append(number)
  }

  /// Adds the last digits of a number, padded with zeros on the left.
  public mutating func append(_ number: UInt64, digits: Int) {
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    if digits > 8 { append(high, digits: digits - 8) }
    appendDigits(low.eightDigits, zeros: max(0, 8 - digits))
  }

  /// Adds the last digits of eight.
  ///
  /// - Parameter zeros: how many digits in front are left out.
  @inline(__always)
  private mutating func appendDigits(_ digits: UInt64, zeros: Int) {
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8)
    append(word: text, count: 8 &- zeros)
  }
}

extension UInt64 {
  /// The decimal digits of a number below 10^8, one byte each, the first in the lowest; computed in parallel.
  @inlinable @inline(__always)
  public var eightDigits: UInt64 {
    let (high, low) = quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }
}
