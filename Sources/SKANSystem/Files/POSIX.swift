import SKANBase

/// The system calls of ``FileOperations/live``. Their names differ from those of the C functions, which a member of the
/// same name would hide.
enum POSIX {
  /// Makes a call and throws its `errno` if the result is negative.
  static func check(_ call: () -> Int) throws(Errno) -> Int {
    let result = call()
    guard result >= 0 else { throw Errno(errno) }
    return result
  }

  /// Makes a call with a path. `errno` is read before the C string is freed, which may change it.
  ///
  /// - Throws: ``Errno/invalid`` for a path with a NUL, which would end the C string early.
  static func check(_ path: String, _ call: (UnsafePointer<CChar>) -> Int32) throws(Errno) -> Int32 {
    guard !path.utf8.contains(0) else { throw .invalid }
    var code: Int32 = 0
    let result = unsafe path.withCString { pointer in
      let result = unsafe call(pointer)
      code = errno
      return result
    }
    guard result >= 0 else { throw Errno(code) }
    return result
  }

  /// Repeats a call that a signal interrupts, unless the user asked to stop.
  static func unlessInterrupted<Value>(_ call: () throws(Errno) -> Value) throws(Errno) -> Value {
    while true {
      do throws(Errno) { return try call() } catch {
        if error != .interrupted || Interrupt.wasRequested { throw error }
      }
    }
  }

  static func openForReading(_ path: String) throws(Errno) -> Int32 {
    try unsafe check(path) { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
  }

  static func createTemporary(_ path: String) throws(Errno) -> Int32 {
    try unsafe check(path) { unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
  }

  /// A private file for reading and writing whose name is already removed.
  static func createUnnamed(_ directory: String) throws(Errno) -> Int32 {
    var name = Array("\(directory)/skan-XXXXXX".utf8CString)
    let descriptor = try check { unsafe Int(mkstemp(&name)) }
    _ = unsafe unlink(name)
    _ = fcntl(Int32(descriptor), F_SETFD, FD_CLOEXEC)
    return Int32(descriptor)
  }

  static func openForAppending(_ path: String) throws(Errno) -> Int32 {
    try unsafe check(path) {
      unsafe open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    }
  }

  static func openDirectory(_ path: String) throws(Errno) -> Int32 {
    try unsafe check(path) { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  }

  static func openLock(_ path: String) throws(Errno) -> Int32 {
    // No link is followed: the file is emptied, and a planted link could point to other data.
    try unsafe check(path) { unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600) }
  }

  static func closeDescriptor(_ descriptor: Int32) throws(Errno) {
    _ = try check { Int(close(descriptor)) }
  }

  static func move(_ from: String, _ to: String) throws(Errno) {
    guard !to.utf8.contains(0) else { throw .invalid }
    _ = try unsafe check(from) { unsafe rename($0, to) }
  }

  static func remove(_ path: String) throws(Errno) {
    _ = try unsafe check(path) { unsafe unlink($0) }
  }

  static func processID() -> Int32 {
    getpid()
  }

  static func send(_ signal: Int32, to process: Int32) { kill(process, signal) }

  /// Whether a process with this number exists, including those of other users.
  static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }
}

// Calls that look up a name.
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
    // The additional byte stays 0 and terminates the C string, which readlink does not terminate.
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

  /// Calls `body` with each name in a directory, including `.` and `..`, and with the open directory.
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

// Calls on an open file.
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

  /// Returns fewer bytes than requested at the end of the file.
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
    try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(Errno) in
      try unsafe writeBytes(descriptor, UnsafeRawBufferPointer(bytes))
    }
  }

  static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try check { unsafe write(descriptor, bytes.baseAddress, bytes.count) }
  }

  static func setPermissions(_ descriptor: Int32, _ permissions: UInt16) throws(Errno) {
    _ = try check { Int(fchmod(descriptor, mode_t(permissions))) }
  }

  static func setSize(_ descriptor: Int32, _ size: Int) throws(Errno) {
    _ = try check { Int(ftruncate(descriptor, off_t(size))) }
  }

  static func tryLock(_ descriptor: Int32) throws(Errno) {
    _ = try check { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
  }

  static func synchronizeDirectory(_ descriptor: Int32) throws(Errno) {
    _ = try check { Int(fsync(descriptor)) }
  }
}
