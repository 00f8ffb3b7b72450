import SKANBase

/// A file could not be read, replaced or locked: what was being done, with which path, and why it failed.
package struct FileError: Error, Equatable {
  /// The step that failed.
  package let operation: FileOperation
  /// The file meant: for every step of a save the file to be replaced (links followed), never the temporary's name;
  /// for ``FileOperation/findDirectory`` and ``FileOperation/synchronizeDirectory`` the directory.
  package let path: String
  /// The system's error number; `EISDIR` or `EINVAL` when ``kind`` is what was wrong.
  package let errno: Errno
  /// The kind of file found in the place of a regular one; nil for other errors.
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

/// The steps of reading, saving and locking at which a system call can fail, as the words that follow "cannot".
package enum FileOperation: String, Equatable, Sendable {
  /// Following symbolic links to the file meant.
  case resolve = "follow"
  /// Finding the directory that the file is in.
  case findDirectory = "find the directory"
  /// Asking what the file is.
  case inspect = "inspect"
  /// Opening the file for reading.
  case open = "open"
  /// Reading its bytes.
  case read = "read"
  /// Making the temporary file that will take its place.
  case create = "create a temporary file beside"
  /// Making a temporary file for what does not fit into memory.
  case createSpool = "create a temporary file in"
  /// Writing the new bytes.
  case write = "write"
  /// Cutting what broke off at the end of a file.
  case cut = "cut"
  /// Giving the new file the old one's mode.
  case setPermissions = "set the mode of"
  /// Waiting until the new bytes are on the disk.
  case synchronize = "flush to disk"
  /// Closing the new file.
  case close = "close"
  /// Putting the new file in the old one's place.
  case rename = "replace"
  /// Waiting until the new name is on the disk; here the new content is in place already.
  case synchronizeDirectory = "flush to disk the directory"
  /// Removing the temporary file after an error; never reported, since the error before it says more.
  case remove = "remove the temporary file of"
  /// Opening the lock file.
  case openLock = "open the lock file"
  /// Taking the lock.
  case lock = "lock"
}

/// The error number of one failed system call, with nothing else: where it happened is added by ``FileError``.
package struct Errno: Error, Equatable {
  /// The number as `errno` had it, such as 28 for a full disk on Linux.
  package let code: Int32

  /// An error number as the system gave it.
  package init(_ code: Int32) {
    self.code = code
  }
}

// The numbers differ between Linux and macOS; naming them here lets every other file do without a C library import.
extension Errno {
  /// EACCES: a permission bit is in the way.
  package static let accessDenied = Errno(EACCES)
  /// EPIPE: the reader has gone.
  package static let brokenPipe = Errno(EPIPE)
  /// ECONNREFUSED: no program listens there.
  package static let connectionRefused = Errno(ECONNREFUSED)
  /// ECONNRESET: the other side has thrown the connection away.
  package static let connectionReset = Errno(ECONNRESET)
  /// EEXIST: the name is taken.
  package static let exists = Errno(EEXIST)
  /// EILSEQ: a name on the disk is not UTF-8, so that a `String` cannot hold it.
  package static let illegalSequence = Errno(EILSEQ)
  /// EINTR: a signal came first; the call can be made again.
  package static let interrupted = Errno(EINTR)
  /// EINVAL: the call makes no sense for this file.
  package static let invalid = Errno(EINVAL)
  /// EIO: the device failed.
  package static let inputOutput = Errno(EIO)
  /// EISDIR: a directory where a file should be.
  package static let isDirectory = Errno(EISDIR)
  /// ELOOP: symbolic links lead round in a circle, or a link is where none may be.
  package static let linkLoop = Errno(ELOOP)
  /// ENAMETOOLONG: a name or path is longer than the file system takes.
  package static let nameTooLong = Errno(ENAMETOOLONG)
  /// ENOTDIR: a file where a directory should be.
  package static let notDirectory = Errno(ENOTDIR)
  /// ENOEXEC: the file is no program.
  package static let notExecutable = Errno(ENOEXEC)
  /// ENOENT: there is no such file or directory.
  package static let notFound = Errno(ENOENT)
  /// EPERM: the file system does not do this for any user.
  package static let notPermitted = Errno(EPERM)
  /// ENOTSUP: the file system does not know this operation.
  package static let notSupported = Errno(ENOTSUP)
  /// EFBIG: the file is larger than it may be.
  package static let tooLarge = Errno(EFBIG)
  /// EAGAIN, also spelled EWOULDBLOCK: another process has the lock.
  package static let wouldBlock = Errno(EAGAIN)

  /// The system's own short text, such as `No space left on device`.
  package var reason: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
