import SKANBase

// The calls on a file that is open already.
extension POSIX {
  static func readBytes(_ descriptor: Int32, _ count: Int) throws(Errno) -> [UInt8] {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = unsafe read(descriptor, buffer.baseAddress, count)
      code = result < 0 ? errno : 0
      filled = max(0, result)
    }
    guard code == 0 else { throw Errno(code) }
    return bytes
  }

  /// Fewer than asked for at the end of the file.
  static func readBytes(_ descriptor: Int32, _ count: Int, at offset: Int) throws(Errno) -> [UInt8] {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
      code = result < 0 ? errno : 0
      filled = max(0, result)
    }
    guard code == 0 else { throw Errno(code) }
    return bytes
  }

  static func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    try check { unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } }
  }

  static func setPermissions(_ descriptor: Int32, _ permissions: UInt16) throws(Errno) {
    _ = try check { Int(fchmod(descriptor, mode_t(permissions))) }
  }

  static func setSize(_ descriptor: Int32, _ size: Int) throws(Errno) {
    _ = try check { Int(ftruncate(descriptor, off_t(size))) }
  }

  static func makeEmpty(_ descriptor: Int32) throws(Errno) { try setSize(descriptor, 0) }

  static func tryLock(_ descriptor: Int32) throws(Errno) {
    _ = try check { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
  }

  static func synchronizeDirectory(_ descriptor: Int32) throws(Errno) {
    _ = try check { Int(fsync(descriptor)) }
  }
}
