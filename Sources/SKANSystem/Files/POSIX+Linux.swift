import SKANBase

#if canImport(Glibc) || canImport(Musl)
  extension POSIX {
    /// `fsync` on Linux flushes the drive's cache as well.
    static func synchronize(_ descriptor: Int32) throws(Errno) {
      _ = try check { Int(fsync(descriptor)) }
    }

    /// What open(2) calls `O_TMPFILE`, a macro that Swift does not see.
    private static var unnamedFile: Int32 { 0o20_000_000 | O_DIRECTORY }

    /// A file in a directory, for writing, that has no name.
    static func createNameless(_ directory: String) throws(Errno) -> Int32 {
      try unsafe check(directory) { unsafe open($0, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600) }
    }

    /// Where a file without a name is found.
    static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Gives it a name, as linkat(2) says.
    static func link(_ descriptor: Int32, _ path: String) throws(Errno) {
      _ = try unsafe check(path) { name in
        unsafe linkat(AT_FDCWD, self.path(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      }
    }
  }
#endif
