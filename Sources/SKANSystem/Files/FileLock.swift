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
