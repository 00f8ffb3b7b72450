import SKANBase

// The calls that ask about a name.
extension POSIX {
  static func canonicalPath(_ path: String) throws(Errno) -> String {
    var result: String?
    _ = try unsafe check(path) { pointer in
      guard let found = unsafe realpath(pointer, nil) else { return -1 }
      result = unsafe String(validatingCString: found)
      unsafe free(found)
      return 0
    }
    guard let result else { throw .illegalSequence }
    return result
  }

  static func linkDestination(_ path: String) throws(Errno) -> String {
    // One byte more than the longest path, always 0, ends the C string that readlink does not end itself.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = try unsafe check(path) { unsafe Int32(readlink($0, &buffer, Int(PATH_MAX))) }
    guard length < PATH_MAX else { throw .nameTooLong }
    guard
      let result = unsafe buffer.withUnsafeBufferPointer({
        unsafe $0.baseAddress.flatMap(String.init(validatingCString:))
      })
    else { throw .illegalSequence }
    return result
  }

  static func linkStatus(_ path: String) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try unsafe check(path) { unsafe lstat($0, &status) }
    return FileStatus(status)
  }

  static func pathStatus(_ path: String) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try unsafe check(path) { unsafe stat($0, &status) }
    return FileStatus(status)
  }

  static func names(in path: String) throws(Errno) -> [String] {
    var names: [String] = []
    try unsafe forEachName(in: path) { name, _ in
      if let name = unsafe String(validatingCString: name) { names.append(name) }
    }
    return names
  }

  /// Calls `body` with each name in a directory, `.` and `..` among them, and the open directory.
  static func forEachName(
    in path: String, _ body: (_ name: UnsafePointer<CChar>, _ directory: Int32) -> Void
  ) throws(Errno) {
    _ = try unsafe check(path) { pointer in
      guard let directory = unsafe opendir(pointer) else { return -1 }
      defer { unsafe closedir(directory) }
      let descriptor = unsafe dirfd(directory)
      while let entry = unsafe readdir(directory) {
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
            unsafe body($0, descriptor)
          }
        }
      }
      return 0
    }
  }

  static func descriptorStatus(_ descriptor: Int32) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try check { unsafe Int(fstat(descriptor, &status)) }
    return FileStatus(status)
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    let kind: FileKind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .other
      }
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    self.init(
      kind: kind, permissions: UInt16(status.st_mode & 0o777), size: Int(status.st_size), identity: identity)
  }
}
