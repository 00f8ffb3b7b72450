import SKANBase

/// The system calls of ``FileOperations/live``, named apart from the C functions, which a member of the same name would hide.
enum POSIX {
  /// Makes a call with an open file, and takes the error number before anything else can change it.
  static func check(_ call: () -> Int) throws(Errno) -> Int {
    let result = call()
    guard result >= 0 else { throw Errno(errno) }
    return result
  }

  /// Makes a call with a path. The error number is read while the C string still exists: freeing it may change `errno`.
  ///
  /// - Throws: ``Errno/invalid`` for a path with a NUL, which would end the C string early and name another file.
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

  /// Repeats a call that a signal has interrupted, unless the user asked to stop.
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

  /// A file of this process alone, for reading and writing, that has lost its name already.
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
    // No link is followed: the file is emptied, and behind a planted link that would be another file's data.
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

  /// Whether a process of this number exists, also another user's.
  static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }
}
