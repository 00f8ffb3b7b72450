/// A text of UTF-8 that grows at its end.
///
/// An array looks at each byte whether it is shared and whether there is room; here only the room is looked at.
@safe package struct ByteText: ~Copyable {
  // Not private: the functions that use them are inlined into other modules.
  package var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
  package var count = 0

  package init() {}

  deinit { unsafe bytes.deallocate() }

  /// Adds it to an array.
  package func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  /// The bytes as an array.
  package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(rebasing: bytes[..<count])) }

  /// The bytes as a text.
  package var string: String { unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self) }

  /// Removes the bytes from an offset on, and returns them.
  package mutating func remove(from start: Int) -> [UInt8] {
    defer { count = start }
    return unsafe Array(bytes[start..<count])
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if unsafe count == bytes.count { grow(by: 1) }
    unsafe bytes[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    guard let start = more.baseAddress, let end = unsafe bytes.baseAddress else { return }
    if unsafe more.count > bytes.count - count { return unsafe appendGrowing(more) }
    unsafe (end + count).update(from: start, count: more.count)
    count += more.count
  }

  /// Adds a part of the text once more.
  package mutating func append(again range: Range<Int>) {
    precondition(range.upperBound <= count)
    if unsafe range.count > bytes.count - count { grow(by: range.count) }
    guard let start = unsafe bytes.baseAddress else { return }
    unsafe (start + count).update(from: start + range.lowerBound, count: range.count)
    count += range.count
  }

  @inline(never)
  package mutating func appendGrowing(_ more: UnsafeBufferPointer<UInt8>) {
    grow(by: more.count)
    unsafe append(more)
  }

  @inline(never)
  package mutating func grow(by more: Int) {
    let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * bytes.count + more)
    _ = unsafe larger.update(fromContentsOf: bytes[..<count])
    unsafe bytes.deallocate()
    unsafe bytes = unsafe larger
  }

  /// Adds a whole number in decimal digits.
  package mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  /// The same.
  package mutating func append(_ number: UInt64) {
    // As many digits as the largest number has.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = digits.count
      repeat {
        start -= 1
        unsafe digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      } while rest > 0
      unsafe append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }
}
