/// The system calls for reading, saving and locking, as values, so that a test can make any of them fail.
///
///     var files = FileOperations.live
///     files.writeBytes = { _, _ throws(Errno) in throw Errno(ENOSPC) }    // a full disk
///
/// Every closure makes one call. Its caller repeats it after `EINTR` or a short write, so that this can be tested too.
package struct FileOperations: Sendable {
  /// The absolute path without links, `.` and `..`. Fails with `ENOENT` if the last name does not exist.
  package var canonicalPath: @Sendable (_ path: String) throws(Errno) -> String
  /// The target of a symbolic link. Fails with `EINVAL` on anything else.
  package var linkDestination: @Sendable (_ path: String) throws(Errno) -> String
  /// The status of the name itself, without following a link.
  package var linkStatus: @Sendable (_ path: String) throws(Errno) -> FileStatus
  /// The status of the file that the path leads to.
  package var pathStatus: @Sendable (_ path: String) throws(Errno) -> FileStatus
  /// The status of an open file.
  package var descriptorStatus: @Sendable (_ descriptor: Int32) throws(Errno) -> FileStatus

  /// Opens for reading without waiting for a pipe's other end.
  package var openForReading: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Creates for writing with mode 0600. Fails with `EEXIST` if the name exists, even as a dangling link.
  package var createTemporary: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Creates a file without a name, for writing, with mode 0600. Fails with ``Errno/notSupported``, or another error,
  /// if there are no such files.
  package var createUnnamed: @Sendable (_ directory: String) throws(Errno) -> Int32
  /// Gives a nameless file a name. Fails with `EEXIST` if the name exists.
  package var link: @Sendable (_ descriptor: Int32, _ path: String) throws(Errno) -> Void
  /// Opens for writing at the end; creates a missing file with mode 0600. Fails with `ELOOP` on a link.
  package var openForAppending: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Opens a directory, in order to synchronize it.
  package var openDirectory: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Opens for reading and writing; creates a missing file with mode 0600. Fails with `ELOOP` on a link.
  package var openLock: @Sendable (_ path: String) throws(Errno) -> Int32
  /// Closes; the descriptor is closed even after an error.
  package var close: @Sendable (_ descriptor: Int32) throws(Errno) -> Void

  /// Reads at most `count` bytes; no bytes mean the end of the file.
  package var readBytes: @Sendable (_ descriptor: Int32, _ count: Int) throws(Errno) -> [UInt8]
  /// Writes, and returns the number of bytes written.
  package var writeBytes: @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(Errno) -> Int
  /// Sets the permission bits, regardless of the umask.
  package var setPermissions: @Sendable (_ descriptor: Int32, _ permissions: UInt16) throws(Errno) -> Void
  /// Sets the length of an open file in bytes.
  package var setSize: @Sendable (_ descriptor: Int32, _ size: Int) throws(Errno) -> Void
  /// Returns when the file is on the disk (`F_FULLFSYNC` on macOS, where `fsync` stops at the drive's cache).
  package var synchronize: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// Returns when a directory's names are on the disk.
  package var synchronizeDirectory: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// Tries to take the advisory lock of an open file. Fails with ``Errno/wouldBlock`` if it is held.
  package var tryLock: @Sendable (_ descriptor: Int32) throws(Errno) -> Void

  /// Renames atomically, replacing any file with the new name.
  package var rename: @Sendable (_ from: String, _ to: String) throws(Errno) -> Void
  /// Removes a name.
  package var remove: @Sendable (_ path: String) throws(Errno) -> Void

  /// This process's number.
  package var processID: @Sendable () -> Int32
  /// Whether a process of this number is running.
  package var isRunning: @Sendable (_ process: Int32) -> Bool
  /// The names in a directory, unordered.
  package var names: @Sendable (_ directory: String) throws(Errno) -> [String]
}

extension FileOperations {
  /// Repeats a call while signals interrupt it, and adds operation and path to its error.
  ///
  /// Not for ``close``: after `EINTR` the descriptor is closed, and its number may already be reused.
  ///
  /// - Throws: ``FileError`` with this operation and path.
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

  /// The real system calls.
  package static let live = FileOperations(
    canonicalPath: POSIX.canonicalPath,
    linkDestination: POSIX.linkDestination,
    linkStatus: POSIX.linkStatus,
    pathStatus: POSIX.pathStatus,
    descriptorStatus: POSIX.descriptorStatus,
    openForReading: POSIX.openForReading,
    createTemporary: POSIX.createTemporary,
    createUnnamed: POSIX.createNameless,
    link: POSIX.link,
    openForAppending: POSIX.openForAppending,
    openDirectory: POSIX.openDirectory,
    openLock: POSIX.openLock,
    close: POSIX.closeDescriptor,
    readBytes: POSIX.readBytes,
    writeBytes: POSIX.writeBytes,
    setPermissions: POSIX.setPermissions,
    setSize: POSIX.setSize,
    synchronize: POSIX.synchronize,
    synchronizeDirectory: POSIX.synchronizeDirectory,
    tryLock: POSIX.tryLock,
    rename: POSIX.move,
    remove: POSIX.remove,
    processID: POSIX.processID,
    isRunning: POSIX.isRunning,
    names: POSIX.names)

  /// The number of links that Linux follows in one path (path_resolution(7)).
  static let mostLinks = 40

  /// Resolves a path to its file. A dangling link resolves to the file that it names.
  ///
  /// - Throws: ``FileError``: `ENOENT` if the directory does not exist (a trailing slash denotes a directory), `ELOOP`
  ///   for a circle of links, `EISDIR` for a directory, `EINVAL` with its ``FileError/kind`` for any other file that is
  ///   not regular, `EILSEQ` if the real path is not UTF-8, and other system errors.
  package func target(of path: String) throws(FileError) -> FileTarget {
    let target = try resolve(path)
    let status: FileStatus
    do {
      status = try attempt(.inspect, target) { () throws(Errno) in try linkStatus(target) }
    } catch {
      guard error.errno == .notFound else { throw error }
      return FileTarget(path: target, permissions: nil)
    }
    guard status.kind == .regular else { throw FileError(.inspect, target, notRegular: status.kind) }
    return FileTarget(path: target, permissions: status.permissions)
  }

  private func resolve(_ path: String) throws(FileError) -> String {
    guard !path.isEmpty else { throw FileError(.resolve, path, .notFound) }
    var current = path
    for _ in 0...Self.mostLinks {
      if let found = try unlessMissing({ () throws(FileError) in
        try attempt(.resolve, current) { () throws(Errno) in try canonicalPath(current) }
      }) {
        return found
      }
      // `realpath` requires that the path exists, but the last name may be new, or a link to a new file.
      let (parent, name) = FileTarget.split(current)
      let directory = try attempt(.findDirectory, parent) { () throws(Errno) in try canonicalPath(parent) }
      let prefix = directory == "/" ? "/" : directory + "/"
      let candidate = prefix + name
      let status = try unlessMissing { () throws(FileError) in
        try attempt(.resolve, candidate) { () throws(Errno) in try linkStatus(candidate) }
      }
      guard status?.kind == .link else { return candidate }
      let destination = try attempt(.resolve, candidate) { () throws(Errno) in try linkDestination(candidate) }
      current = destination.hasPrefix("/") ? destination : prefix + destination
    }
    throw FileError(.resolve, path, .linkLoop)
  }

  private func unlessMissing<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
    do {
      return try body()
    } catch {
      guard error.errno == .notFound else { throw error }
      return nil
    }
  }
}

/// The file of a path with links resolved: the one that is replaced and locked.
package struct FileTarget: Equatable, Sendable {
  /// The absolute path without links, the same for all names of a file.
  package let path: String
  /// The permission bits of the file; nil if it does not exist.
  package let permissions: UInt16?
}

extension FileTarget {
  /// The directory and the last name of a path; the directory of a bare name is `.`.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }
}

/// The part of `stat` that reading and saving need.
package struct FileStatus: Equatable, Sendable {
  package let kind: FileKind
  /// The permission bits, 0–0o777. The set-user-ID bit and its like are left out: a data file does not need them, and
  /// the new file may belong to another user.
  package let permissions: UInt16
  /// The length in bytes; 0 if the system does not know it in advance (files in `/proc`).
  package let size: Int
  package let identity: Identity

  /// The device of a file, and its number on that device.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64 = 0
    package var number: UInt64 = 0
  }

  package init(kind: FileKind, permissions: UInt16, size: Int, identity: Identity = Identity()) {
    self.kind = kind
    self.permissions = permissions
    self.size = size
    self.identity = identity
  }
}

/// The kind of a file; only ``regular`` files are read and replaced.
package enum FileKind: String, Equatable, Sendable {
  /// An ordinary file.
  case regular = "regular file"
  /// A directory.
  case directory = "directory"
  /// A symbolic link itself, not its target.
  case link = "symbolic link"
  /// A named pipe.
  case fifo = "named pipe"
  /// A socket in the file system.
  case socket = "socket"
  /// A character device, such as `/dev/null` or a terminal.
  case characterDevice = "character device"
  /// A block device, such as a disk.
  case blockDevice = "block device"
  /// Any other kind.
  case other = "special file"
}
