/// The system calls under reading, saving and locking, as values, so that a test can make any one of them fail.
///
///     var files = FileOperations.live
///     files.writeBytes = { _, _ throws(Errno) in throw Errno(ENOSPC) }    // a full disk
///
/// Every closure makes one call once: repeating after `EINTR` or a short write is its caller's business, so that this too
/// can be tested.
package struct FileOperations: Sendable {
  /// The absolute path without links, `.` and `..`. Fails with `ENOENT` when the last name does not exist.
  package var canonicalPath: @Sendable (_ path: String) throws(Errno) -> String
  /// What a symbolic link says. Fails with `EINVAL` on anything else.
  package var linkDestination: @Sendable (_ path: String) throws(Errno) -> String
  /// The status of the name itself, be it a link.
  package var linkStatus: @Sendable (_ path: String) throws(Errno) -> FileStatus
  /// The status of what the path leads to.
  package var pathStatus: @Sendable (_ path: String) throws(Errno) -> FileStatus
  /// The status of an open file.
  package var descriptorStatus: @Sendable (_ descriptor: Int32) throws(Errno) -> FileStatus

  /// Opens for reading, never waiting for a pipe's other end.
  package var openForReading: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Creates for writing with mode 0600. Fails with `EEXIST` when the name is taken, be it by a dangling link.
  package var createTemporary: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Creates a file for writing with mode 0600 that has no name. Fails with ``Errno/notSupported``, or in another way, where
  /// there is no such thing.
  package var createUnnamed: @Sendable (_ directory: String) throws(Errno) -> Int32
  /// Gives a file without a name one. Fails with `EEXIST` when it is taken.
  package var link: @Sendable (_ descriptor: Int32, _ path: String) throws(Errno) -> Void
  /// Opens for writing at the end, creating with mode 0600 what does not exist. Fails with `ELOOP` on a link.
  package var openForAppending: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Opens a directory, in order to synchronize it.
  package var openDirectory: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Opens for reading and writing, creating with mode 0600 what does not exist. Fails with `ELOOP` on a link.
  package var openLock: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Closes; the descriptor is gone also after an error.
  package var close: @Sendable (_ descriptor: Int32) throws(Errno) -> Void

  /// Reads at most `count` bytes; none means the end of the file.
  package var readBytes: @Sendable (_ descriptor: Int32, _ count: Int) throws(Errno) -> [UInt8]
  /// Writes, and says how many of the bytes it wrote.
  package var writeBytes: @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(Errno) -> Int
  /// Sets the permission bits, whatever the umask.
  package var setPermissions: @Sendable (_ descriptor: Int32, _ permissions: UInt16) throws(Errno) -> Void
  /// Cuts an open file to a length in bytes.
  package var setSize: @Sendable (_ descriptor: Int32, _ size: Int) throws(Errno) -> Void
  /// Makes an open file empty.
  package var truncate: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// Returns when the file is on the disk (`F_FULLFSYNC` on macOS, where `fsync` stops at the drive's cache).
  package var synchronize: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// Returns when a directory's names are on the disk.
  package var synchronizeDirectory: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// Takes the advisory lock of an open file at once. Fails with ``Errno/wouldBlock`` when another has it.
  package var tryLock: @Sendable (_ descriptor: Int32) throws(Errno) -> Void

  /// Moves over whatever has the new name, in one step.
  package var rename: @Sendable (_ from: String, _ to: String) throws(Errno) -> Void
  /// Removes a name.
  package var remove: @Sendable (_ path: String) throws(Errno) -> Void

  /// This process's number.
  package var processID: @Sendable () -> Int32
  /// Whether a process of this number is running.
  package var isRunning: @Sendable (_ process: Int32) -> Bool
  /// The names in a directory, in no order.
  package var names: @Sendable (_ directory: String) throws(Errno) -> [String]
}

extension FileOperations {
  /// Runs one call until no signal interrupts it, and adds to its error number where it happened.
  ///
  /// Not for ``close``: after `EINTR` the descriptor is closed, and its number may already be another file's.
  ///
  /// - Throws: ``FileError`` of this operation and path.
  func attempt<Value>(
    _ operation: FileOperation, _ path: String, _ call: () throws(Errno) -> Value
  ) throws(FileError) -> Value {
    while true {
      do {
        return try call()
      } catch {
        if error != .interrupted { throw FileError(operation, path, error) }
      }
    }
  }
}
