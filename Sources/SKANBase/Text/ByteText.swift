/// A text of UTF-8 that grows at its end.
///
/// An array looks at each byte whether it is shared and whether there is room; here only the room is looked at. An empty one
/// takes no memory.
@safe public struct ByteText: ~Copyable {
  // Public, as are the functions that write: those that are not public are never inlined into other modules.
  /// The memory of the text.
  public var bytes = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  /// How many bytes the text has.
  public var count = 0

  /// An empty text.
  public init() {}

  deinit { unsafe bytes.deallocate() }

  /// The text as a string.
  public var string: String { unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self) }

  /// The bytes so far, valid until the next change.
  package var written: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: count) }

  /// How many bytes there is memory for.
  package var capacity: Int { unsafe bytes.count }

  /// The bytes as an array.
  public var array: [UInt8] { array(from: 0) }

  /// The bytes from an offset on as an array.
  package func array(from start: Int) -> [UInt8] {
    // Rebased, since a slice is copied byte by byte.
    unsafe Array(UnsafeBufferPointer(rebasing: bytes[start..<count]))
  }

  /// Adds it to an array.
  public func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  /// Takes the bytes out and keeps the memory.
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

  /// Adds the lowest bytes of a word, the lowest one first.
  @inline(__always)
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

  /// Adds the first bytes of an array, at most so many.
  package mutating func append(_ array: [UInt8], first most: Int = .max) {
    unsafe array.withUnsafeBufferPointer { unsafe append(UnsafeBufferPointer(rebasing: $0.prefix(most))) }
  }

  /// Adds another text.
  public mutating func append(_ other: borrowing ByteText) {
    unsafe append(UnsafeBufferPointer(rebasing: other.bytes[..<other.count]))
  }

  /// Adds a part of the text once more.
  public mutating func append(again range: Range<Int>) {
    precondition(range.upperBound <= count)
    if unsafe range.count > bytes.count - count { grow(by: range.count) }
    guard let start = unsafe bytes.baseAddress else { return }
    unsafe (start + count).update(from: start + range.lowerBound, count: range.count)
    count += range.count
  }

  /// Adds a literal.
  @inline(__always)
  public mutating func append(_ text: StaticString) {
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a text.
  public mutating func append(_ text: String) {
    // A copy that can be changed, as `withUTF8` wants one, counts references. Only a text of Foundation has no such storage.
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe append($0) }) == nil { append(contentsOf: text.utf8) }
  }

  private mutating func append(contentsOf bytes: String.UTF8View) { for byte in bytes { append(byte) } }

  /// Adds a character of ASCII several times.
  public mutating func append(_ byte: UInt8, times: Int) {
    for _ in 0..<max(0, times) { append(byte) }
  }

  /// Makes room for more bytes.
  @inline(never)
  public mutating func grow(by more: Int) {
    let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * bytes.count + max(more, 256))
    _ = unsafe larger.update(fromContentsOf: bytes[..<count])
    unsafe bytes.deallocate()
    unsafe bytes = unsafe larger
  }

  /// Writes the end of the text anew.
  ///
  /// - Parameters:
  ///   - start: where the end begins.
  ///   - growth: how many bytes at most are written for each byte of it.
  ///   - write: adds what takes the place of the end, which it is given.
  public mutating func rewrite(
    from start: Int, growth: Int, _ write: (inout ByteText, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let length = count - start
    // The end moves behind all that is written, so that nothing of it is overwritten before it is read.
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
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let digits = low.eightDigits
    if high != 0 {
      append(high)
      appendDigits(digits, zeros: 0)
    } else {
      appendDigits(digits, zeros: digits.trailingZeroBitCount / 8)
    }
  }

  /// Adds a whole number with spaces in front, so that it has a width; a longer one stays whole.
  public mutating func append(_ number: Int64, width: Int) {
    let start = count
    append(number)
    let spaces = width - (count - start)
    if spaces <= 0 { return }
    count = start
    append(UInt8(ascii: " "), times: spaces)
    append(number)
  }

  /// Adds the last digits of a number, with zeros in front where it has fewer.
  public mutating func append(_ number: UInt64, digits: Int) {
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    if digits > 8 { append(high, digits: digits - 8) }
    appendDigits(low.eightDigits, zeros: max(0, 8 - digits))
  }

  /// Adds eight digits, but for those in front.
  @inline(__always)
  private mutating func appendDigits(_ digits: UInt64, zeros: Int) {
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8)
    append(word: text, count: 8 &- zeros)
  }
}

extension UInt64 {
  /// The decimal digits of a number below 10^8, a byte each, the first one lowest; they are found side by side.
  @inline(__always)
  fileprivate var eightDigits: UInt64 {
    let (high, low) = quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }
}
