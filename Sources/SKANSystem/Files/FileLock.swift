/// The right to change a file, until ``release()`` or the end of the process, however it ends.
///
///     let lock = try FileLock.acquire(for: "device.json", timeout: 10)
///     defer { lock.release() }
///
/// The `defer` is needed: a lock that nothing refers to any more is released, and Swift may see to that right after the
/// last use, before the end of the scope.
///
/// It is an advisory lock (flock) on `PATH.lock`, since the file itself is another one after each save. Names that lead to
/// one file share one lock. The holder removes the lock file when it releases the lock, and nobody else does: who waited
/// then has a lock on a file without a name, notices it, and opens the file of that name again. So two never hold a lock of
/// one name. Where another program removes the file, ``isInPlace`` is false.
package final class FileLock {
  private let file: LockFile
  private var descriptor: Int32?
  /// The lock file.
  package var path: String { file.path }

  private init(_ file: LockFile) {
    self.file = file
    descriptor = file.descriptor
  }

  deinit {
    release()
  }

  /// Gives the lock back; a second time does nothing. What can fail here leaves nothing behind but the lock file.
  package func release() {
    guard let descriptor else { return }
    self.descriptor = nil
    // Before it is closed: afterwards another may hold it.
    if file.hasItsName == true { try? file.files.remove(file.path) }
    try? file.files.truncate(descriptor)
    try? file.files.close(descriptor)
  }

  /// Whether it still keeps others out: false when the lock file was removed or replaced.
  package var isInPlace: Bool { descriptor != nil && file.isInPlace }

  /// Takes the lock of a file, which need not exist yet, waiting while another has it.
  ///
  /// - Parameters:
  ///   - path: The file to be changed, not the lock file.
  ///   - timeout: The seconds to wait; 0 (or less) is one try, and infinity waits for ever.
  ///   - isInterrupted: Asked between tries, at least every 20 ms; true ends the waiting.
  /// - Throws: ``LockError/file(_:)`` when the lock file cannot be made, opened or locked, or the path is not that of a
  ///   regular file; ``LockError/held(path:by:waited:)`` when the time is over; ``LockError/interrupted``.
  package static func acquire(
    for path: String, timeout: Double, files: FileOperations = .live, clock: LockClock = .live,
    isInterrupted: () -> Bool = { false }
  ) throws(LockError) -> FileLock {
    let start = clock.now()
    while true {
      let opened: LockFile
      do {
        opened = try LockFile.open(for: path, files: files)
      } catch {
        throw .file(error)
      }
      do {
        try opened.wait(timeout: timeout, since: start, clock: clock, isInterrupted: isInterrupted)
      } catch {
        // Only closed, not emptied: the number in it is the holder's.
        try? files.close(opened.descriptor)
        throw error
      }
      if opened.isInPlace {
        opened.writeProcessID()
        return FileLock(opened)
      }
      // Its holder removed it between opening and locking; that it happens again and again does not make the wait longer.
      try? files.close(opened.descriptor)
      let waited = clock.now() - start
      if isInterrupted() { throw .interrupted }
      guard waited < timeout else { throw .held(path: opened.path, by: nil, waited: waited) }
    }
  }
}

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

/// Why a lock was not got.
package enum LockError: Error, Equatable {
  /// The lock file could not be opened or locked at all: waiting would not help.
  case file(FileError)
  /// Another process, or another part of this one, has it still.
  ///
  /// - Parameters:
  ///   - path: The lock file.
  ///   - by: The holder's process number, as it wrote it; nil when it did not, or not yet.
  ///   - waited: The seconds waited.
  case held(path: String, by: Int32?, waited: Double)
  /// The user ended the waiting.
  case interrupted
}

extension LockError: CustomStringConvertible {
  /// One line, such as `/tmp/a.json.lock is held by process 42`.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .held(let path, .some(let process), _): "\(path) is held by process \(process)"
    case .held(let path, .none, _): "\(path) is held by another process"
    case .interrupted: "interrupted while waiting for a lock"
    }
  }
}

/// The time that waiting for a lock goes by, as values, so that a test need not wait.
package struct LockClock: Sendable {
  /// Seconds since some fixed moment, never set back.
  package var now: @Sendable () -> Double
  /// Sleeps this many seconds, or until a signal comes.
  package var sleep: @Sendable (_ seconds: Double) -> Void

  /// A clock of its parts.
  package init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (_ seconds: Double) -> Void) {
    self.now = now
    self.sleep = sleep
  }
}

extension LockClock {
  /// The system's monotonic clock.
  package static let live = LockClock(now: { SystemClock.seconds }, sleep: { SystemClock.sleep($0) })
}
