/// The exclusive right to change a file, held until ``release()`` or the end of the process.
///
///     let lock = try FileLock.acquire(for: "device.json", timeout: 10)
///     defer { lock.release() }
///
/// The `defer` is needed: deallocation releases the lock, and Swift may deallocate it after its last use, before the
/// end of the scope.
///
/// It is an advisory lock (flock) on `PATH.lock`, because every save replaces the file itself. All names of one file
/// share one lock. Only the holder removes the lock file, when it releases the lock. A process that waited then holds a
/// lock on a file without a name; it detects this and opens the lock file again, so that two processes never hold the
/// lock of one name. If another program removes the lock file, ``isInPlace`` is false.
package final class FileLock {
  private let file: LockFile
  private var descriptor: Int32?
  /// The path of the lock file.
  package var path: String { file.path }

  private init(_ file: LockFile) {
    self.file = file
    descriptor = file.descriptor
  }

  deinit {
    release()
  }

  /// Releases the lock; further calls do nothing. If a step fails, at most the lock file is left over.
  package func release() {
    guard let descriptor else { return }
    self.descriptor = nil
    // Removed before closing: afterwards another process may hold it.
    if file.hasItsName == true { try? file.files.remove(file.path) }
    try? file.files.setSize(descriptor, 0)
    try? file.files.close(descriptor)
  }

  /// Whether the lock still keeps others out; false if the lock file was removed or replaced.
  package var isInPlace: Bool { descriptor != nil && file.isInPlace }

  /// Takes the lock of a file, which need not exist, and waits while another process holds it.
  ///
  /// - Parameters:
  ///   - path: the file to be changed, not the lock file.
  ///   - timeout: the seconds to wait; 0 or less is one try, infinity waits forever.
  ///   - isInterrupted: called between tries, at least every 20 ms; true ends the wait.
  /// - Throws: ``LockError/file(_:)`` if the lock file cannot be created, opened or locked, or the path is not that of
  ///   a regular file; ``LockError/held(path:by:waited:)`` after the timeout; ``LockError/interrupted``.
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
        // Closed but not emptied: the process number in it is the holder's.
        try? files.close(opened.descriptor)
        throw error
      }
      if opened.isInPlace {
        opened.writeProcessID()
        return FileLock(opened)
      }
      // The holder removed it between opening and locking. The timeout applies even if that happens repeatedly.
      try? files.close(opened.descriptor)
      let waited = clock.now() - start
      if isInterrupted() { throw .interrupted }
      guard waited < timeout else { throw .held(path: opened.path, by: nil, waited: waited) }
    }
  }
}

/// An open lock file that is not locked yet.
struct LockFile {
  private static let firstPause = 0.001
  private static let longestPause = 0.02
  /// The most bytes of a lock file: a process number is shorter.
  static let longest = 32

  let files: FileOperations
  let descriptor: Int32
  let path: String

  /// Opens `PATH.lock` beside the file, with links resolved; creates it if it does not exist.
  static func open(for path: String, files: FileOperations) throws(FileError) -> LockFile {
    let lockPath = try files.target(of: path).path + ".lock"
    let descriptor = try files.attempt(.openLock, lockPath) { () throws(Errno) in try files.openLock(lockPath) }
    do throws(FileError) {
      let status = try files.attempt(.openLock, lockPath) { () throws(Errno) in try files.descriptorStatus(descriptor) }
      guard status.kind == .regular else { throw FileError(.openLock, lockPath, notRegular: status.kind) }
      // A longer file of that name belongs to another program and must not be emptied.
      guard status.size <= longest else { throw FileError(.openLock, lockPath, .exists) }
    } catch {
      try? files.close(descriptor)
      throw error
    }
    return LockFile(files: files, descriptor: descriptor, path: lockPath)
  }

  /// Polls until the lock is taken: only a signal could end a blocking flock in time.
  func wait(timeout: Double, since start: Double, clock: LockClock, isInterrupted: () -> Bool) throws(LockError) {
    var pause = Self.firstPause
    while try !tryLock() {
      if isInterrupted() { throw .interrupted }
      let waited = clock.now() - start
      // The condition makes a timeout of NaN one try, too.
      guard waited < timeout else { throw .held(path: path, by: readProcessID(), waited: waited) }
      clock.sleep(min(pause, timeout - waited))
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Writes the process number of the holder. It is only informative, so an error does not release the lock.
  func writeProcessID() {
    try? files.setSize(descriptor, 0)
    _ = try? files.writeBytes(descriptor, ArraySlice("\(files.processID())\n".utf8))
  }

  /// Whether the opened file still has its name; nil if unknown. If not, another process may hold the lock of that name
  /// on a new file.
  var hasItsName: Bool? {
    guard let own = try? files.descriptorStatus(descriptor) else { return nil }
    do {
      return try files.linkStatus(path).identity == own.identity
    } catch {
      return error == .notFound ? false : nil
    }
  }

  /// Whether the opened file has its name as far as known.
  var isInPlace: Bool { hasItsName ?? true }

  private func readProcessID() -> Int32? {
    guard let bytes = try? files.readBytes(descriptor, Self.longest), bytes.last == UInt8(ascii: "\n"),
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

/// Why a lock could not be taken.
package enum LockError: Error, Equatable {
  /// The lock file could not be opened or locked; waiting would not help.
  case file(FileError)
  /// Another process, or another part of this one, still holds it.
  ///
  /// - Parameters:
  ///   - path: the lock file.
  ///   - by: the process number that the holder wrote; nil if it wrote none, or not yet.
  ///   - waited: the seconds waited.
  case held(path: String, by: Int32?, waited: Double)
  /// The user ended the wait.
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

/// The clock used while waiting for a lock, which a test can replace.
package struct LockClock: Sendable {
  /// Seconds since a fixed moment; never decreases.
  package var now: @Sendable () -> Double
  /// Sleeps for a number of seconds, or until a signal arrives.
  package var sleep: @Sendable (_ seconds: Double) -> Void

  package init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (_ seconds: Double) -> Void) {
    self.now = now
    self.sleep = sleep
  }
}

extension LockClock {
  /// The system's monotonic clock.
  package static let live = LockClock(now: { SystemClock.seconds }, sleep: { SystemClock.sleep($0) })
}
