extension UnsafePointer<UInt8> {
  /// How far the first byte of a value is from here; nil when none of the next `count` bytes is one.
  package func offset(of byte: UInt8, within count: Int) -> Int? {
    unsafe memchr(self, Int32(byte), count).map { unsafe UnsafeRawPointer(self).distance(to: UnsafeRawPointer($0)) }
  }
}
