/// An open lock file on the way to a ``FileLock``.
struct LockFile {
  private static let firstPause = 0.001
  private static let longestPause = 0.02

  let files: FileOperations
  let descriptor: Int32
  let path: String

  /// Opens `PATH.lock` beside the file that the path stands for, creating it when there is none.
  static func open(for path: String, files: FileOperations) throws(FileError) -> LockFile {
    let lockPath = try files.target(of: path).path + ".lock"
    let descriptor = try files.attempt(.openLock, lockPath) { () throws(Errno) in try files.openLock(lockPath) }
    do throws(FileError) {
      let status = try files.attempt(.openLock, lockPath) { () throws(Errno) in try files.descriptorStatus(descriptor) }
      guard status.kind == .regular else { throw FileError(.openLock, lockPath, notRegular: status.kind) }
      // A process id has a few digits: a longer file of that name is another program's, and must not be emptied.
      guard status.size <= 32 else { throw FileError(.openLock, lockPath, .exists) }
    } catch {
      try? files.close(descriptor)
      throw error
    }
    return LockFile(files: files, descriptor: descriptor, path: lockPath)
  }

  /// Tries until the lock is got. It polls: a blocking flock could be ended in time only by a signal.
  func wait(timeout: Double, since start: Double, clock: LockClock, isInterrupted: () -> Bool) throws(LockError) {
    var pause = Self.firstPause
    while try !tryLock() {
      if isInterrupted() { throw .interrupted }
      let waited = clock.now() - start
      // Written so that a timeout of not-a-number is one try too.
      guard waited < timeout else { throw .held(path: path, by: readProcessID(), waited: waited) }
      clock.sleep(min(pause, timeout - waited))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Leaves word who has the lock. That is advice only, so that a full disk does not undo the lock.
  func writeProcessID() {
    try? files.truncate(descriptor)
    _ = try? files.writeBytes(descriptor, ArraySlice("\(files.processID())\n".utf8))
  }

  /// Whether the file that was opened is still the one of that name; nil where that cannot be known. Where it is not, another
  /// process may have the lock of the same name on the new one.
  var hasItsName: Bool? {
    guard let own = try? files.descriptorStatus(descriptor) else { return nil }
    do {
      return try files.linkStatus(path).identity == own.identity
    } catch {
      return error == .notFound ? false : nil
    }
  }

  /// The same, with the benefit of the doubt.
  var isInPlace: Bool { hasItsName ?? true }

  private func readProcessID() -> Int32? {
    guard let bytes = try? files.readBytes(descriptor, 32), bytes.last == UInt8(ascii: "\n"),
      let process = Int32(String(decoding: bytes.dropLast(), as: UTF8.self)), process > 0
    else { return nil }
    return process
  }

  private func tryLock() throws(LockError) -> Bool {
    do {
      try files.attempt(.lock, path) { () throws(Errno) in try files.tryLock(descriptor) }
      return true
    } catch {
      guard error.errno == .wouldBlock else { throw .file(error) }
      return false
    }
  }
}
