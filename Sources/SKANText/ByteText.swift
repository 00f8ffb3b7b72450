/// A text of UTF-8 that grows at its end.
///
/// An array looks at each byte whether it is shared and whether there is room; here only the room is looked at.
package struct ByteText: ~Copyable {
  private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
  package private(set) var count = 0

  package init() {}

  deinit { bytes.deallocate() }

  /// Adds it to an array.
  package func append(to array: inout [UInt8]) {
    array.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == bytes.count { grow(by: 1) }
    bytes[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
    guard let start = more.baseAddress, let end = bytes.baseAddress else { return }
    if more.count > bytes.count - count { return appendGrowing(more) }
    (end + count).update(from: start, count: more.count)
    count += more.count
  }

  @inline(never)
  private mutating func appendGrowing(_ more: UnsafeBufferPointer<UInt8>) {
    grow(by: more.count)
    append(more)
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * bytes.count + more)
    _ = larger.update(fromContentsOf: bytes[..<count])
    bytes.deallocate()
    bytes = larger
  }

  /// Adds a whole number in decimal digits.
  package mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  /// The same.
  package mutating func append(_ number: UInt64) {
    // As many digits as the largest number has.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = digits.count
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      } while rest > 0
      append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }
}
