/// A file could not be read, replaced or locked: what was being done, with which path, and why it failed.
package struct FileError: Error, Equatable {
  /// The step that failed.
  package let operation: FileOperation
  /// The file meant: for every step of a save the file to be replaced (links followed), never the temporary's name;
  /// for ``FileOperation/findDirectory`` and ``FileOperation/synchronizeDirectory`` the directory.
  package let path: String
  /// The system's error number; `EISDIR` or `EINVAL` when ``kind`` is what was wrong.
  package let errno: Errno
  /// What was found where a regular file should be, when that is what was wrong.
  package let kind: FileKind?

  /// An error that a system call reported.
  package init(_ operation: FileOperation, _ path: String, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.kind = nil
  }

  /// Something other than a regular file where one should be.
  package init(_ operation: FileOperation, _ path: String, notRegular kind: FileKind) {
    self.operation = operation
    self.path = path
    self.errno = kind == .directory ? .isDirectory : .invalid
    self.kind = kind
  }

  /// A short text for the cause alone: the system's own, or what the file is instead of a regular one.
  package var reason: String {
    switch kind {
    case .none, .directory: errno.reason
    case .some(let kind): "Is a \(kind.rawValue), not a regular file"
    }
  }
}

extension FileError: CustomStringConvertible {
  /// One line, such as `cannot write /tmp/a.json: No space left on device`.
  package var description: String {
    "cannot \(operation.rawValue) \(path): \(reason)"
  }
}
