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
  /// The target of a symbolic link. Fails with `EINVAL` on anything else.
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
    truncate: POSIX.makeEmpty,
    synchronize: POSIX.synchronize,
    synchronizeDirectory: POSIX.synchronizeDirectory,
    tryLock: POSIX.tryLock,
    rename: POSIX.move,
    remove: POSIX.remove,
    processID: POSIX.processID,
    isRunning: POSIX.isRunning,
    names: POSIX.names)

  /// As many links as Linux follows in one path (path_resolution(7)).
  private static let mostLinks = 40

  /// Finds the file that a path stands for. A link that leads to nothing yet stands for the file that it names.
  ///
  /// - Throws: ``FileError``: `ENOENT` when the directory does not exist (a name that ends in a slash is one), `ELOOP` for
  ///   links in a circle, `EISDIR` for a directory, `EINVAL` with its ``FileError/kind`` for any other file that is not a
  ///   regular one, `EILSEQ` for a place whose real path is not UTF-8, or what else the system says.
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
    for _ in 0..<Self.mostLinks {
      if let found = try unlessMissing({ () throws(FileError) in
        try attempt(.resolve, current) { () throws(Errno) in try canonicalPath(current) }
      }) {
        return found
      }
      // realpath knows only what exists: the last name may be new, or a link to something new.
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

/// The file that a path stands for, links followed: the one to replace, and the one that a lock is for.
package struct FileTarget: Equatable, Sendable {
  /// Absolute and without links, so that two names of one file come out the same.
  package let path: String
  /// The permission bits of the file, nil when it does not exist yet.
  package let permissions: UInt16?
}

extension FileTarget {
  /// The directory and the last name of a path, `.` being the directory of a bare name.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }
}

/// The part of `stat` that reading and saving need.
package struct FileStatus: Equatable, Sendable {
  /// The kind of the file.
  package let kind: FileKind
  /// The permission bits, 0…0o777. Set-user-id and its like are left out: a data file has no use for them, and the
  /// replaced file may belong to another user than the old one.
  package let permissions: UInt16
  /// The length in bytes; 0 also where the system does not know it beforehand (files in `/proc`).
  package let size: Int
  /// The system's identity of a file.
  package let identity: Identity

  /// A file's device and its number there.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64 = 0
    package var number: UInt64 = 0
  }

  /// A status of its parts.
  package init(kind: FileKind, permissions: UInt16, size: Int, identity: Identity = Identity()) {
    self.kind = kind
    self.permissions = permissions
    self.size = size
    self.identity = identity
  }
}

/// The kind of file that a path leads to; only ``regular`` can be read or replaced whole.
package enum FileKind: String, Equatable, Sendable {
  /// An ordinary file.
  case regular = "regular file"
  /// A directory.
  case directory = "directory"
  /// A symbolic link that was looked at itself, not followed.
  case link = "symbolic link"
  /// A named pipe.
  case fifo = "named pipe"
  /// A socket in the file system.
  case socket = "socket"
  /// A character device, such as `/dev/null` or a terminal.
  case characterDevice = "character device"
  /// A block device, such as a disk.
  case blockDevice = "block device"
  /// Anything that this list does not know.
  case other = "special file"
}
