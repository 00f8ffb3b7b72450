#if canImport(Darwin)
  import Darwin

  extension POSIX {
    /// `fsync` on macOS leaves the bytes in the drive's cache (fsync(2)); `F_FULLFSYNC` does not. Network and FAT volumes
    /// do not know it, and get what `fsync` can do.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      do {
        _ = try check { Int(fcntl(descriptor, F_FULLFSYNC)) }
      } catch {
        guard error == .notSupported || error == .invalid || error == Errno(ENOTTY) else { throw error }
        _ = try check { Int(fsync(descriptor)) }
      }
    }

    // There are no files without a name.
    static func createNameless(_ directory: String) throws(Errno) -> Int32 { throw .notSupported }

    static func path(of descriptor: Int32) -> String { "/dev/fd/\(descriptor)" }

    static func link(_ descriptor: Int32, _ path: String) throws(Errno) { throw .notSupported }
  }
#endif
