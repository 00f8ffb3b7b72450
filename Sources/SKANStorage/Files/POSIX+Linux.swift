import SKANText

#if canImport(Glibc) || canImport(Musl)
  extension POSIX {
    /// `fsync` on Linux flushes the drive's cache as well.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      _ = try check { Int(fsync(descriptor)) }
    }
  }
#endif
