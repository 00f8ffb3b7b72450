/// A name's length, beginning and end, and of a long name the rest mixed into them.
package struct NameDigest: Equatable {
  /// The first eight bytes and the last eight, which may overlap; of a shorter name all of it.
  package private(set) var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var length: Int32

  package static let empty = unsafe NameDigest(UnsafeBufferPointer(start: nil, count: 0))

  @inline(__always)
  package init(_ name: UnsafeBufferPointer<UInt8>) {
    length = Int32(truncatingIfNeeded: name.count)
    guard let start = name.baseAddress else { return }
    let (bytes, count) = unsafe (UnsafeRawPointer(start), name.count)
    switch count {
    case 0: break
    case 1...3:
      // The first, the middle one and the last are all of them.
      head = unsafe UInt64(start[0]) | UInt64(start[count / 2]) << 8 | UInt64(start[count - 1]) << 16
    case 4...7:
      head = unsafe UInt64(bytes.loadUnaligned(as: UInt32.self))
      tail = unsafe UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    default:
      head = unsafe bytes.loadUnaligned(as: UInt64.self)
      tail = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      var position = 8
      while position < count - 8 {
        head = unsafe Self.mixed(head, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
      }
    }
  }

  /// Whether it is of 1 to 16 ASCII characters, none of which is `byte`. Of longer names nothing is said.
  @inline(__always)
  package func isShortASCII(without byte: UInt8) -> Bool {
    isWhole && length > 0 && (head | tail | head.marks(byte) | tail.marks(byte)) & 0x8080_8080_8080_8080 == 0
  }

  /// Whether equal digests mean equal names.
  @inline(__always)
  package var isWhole: Bool { length <= 16 }

  /// Never negative.
  @inline(__always)
  package var hash: Int {
    Int(truncatingIfNeeded: Self.mixed(head ^ UInt64(truncatingIfNeeded: length), tail) >> 1)
  }

  @inline(__always)
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
