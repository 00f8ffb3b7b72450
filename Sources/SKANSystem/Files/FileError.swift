import SKANBase

/// A file could not be read, replaced or locked: the step that failed, the path and the cause.
package struct FileError: Error, Equatable {
  /// The step that failed.
  package let operation: FileOperation
  /// The file concerned: for all steps of a save the file to be replaced (links followed), never the temporary file;
  /// for ``FileOperation/findDirectory`` and ``FileOperation/synchronizeDirectory`` the directory.
  package let path: String
  /// The system's error number; `EISDIR` or `EINVAL` if ``kind`` is the cause.
  package let errno: Errno
  /// The kind of file found instead of a regular one; nil for other errors.
  package let kind: FileKind?

  /// An error that a system call reported.
  package init(_ operation: FileOperation, _ path: String, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.kind = nil
  }

  /// Something other than a regular file where one is expected.
  package init(_ operation: FileOperation, _ path: String, notRegular kind: FileKind) {
    self.operation = operation
    self.path = path
    self.errno = kind == .directory ? .isDirectory : .invalid
    self.kind = kind
  }

  /// The cause in a few words: the system's own text, or the kind of file.
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

/// The steps of reading, saving and locking that can fail, as the words after "cannot".
package enum FileOperation: String, Equatable, Sendable {
  /// Following symbolic links to the file.
  case resolve = "follow"
  /// Finding the directory of the file.
  case findDirectory = "find the directory"
  /// Reading the status of the file.
  case inspect = "inspect"
  /// Opening the file.
  case open = "open"
  /// Reading its bytes.
  case read = "read"
  /// Creating the temporary file that will replace it.
  case create = "create a temporary file beside"
  /// Creating a temporary file for data that does not fit in memory.
  case createSpool = "create a temporary file in"
  /// Writing the new bytes.
  case write = "write"
  /// Cutting an incomplete write off the end of a file.
  case cut = "cut"
  /// Setting the mode of the new file.
  case setPermissions = "set the mode of"
  /// Waiting until the new bytes are on the disk.
  case synchronize = "flush to disk"
  /// Closing the new file.
  case close = "close"
  /// Renaming the new file over the old one.
  case rename = "replace"
  /// Waiting until the new name is on the disk; the new content is already in place.
  case synchronizeDirectory = "flush to disk the directory"
  /// Removing the temporary file after an error; never reported, because the error before it is more useful.
  case remove = "remove the temporary file of"
  /// Opening the lock file.
  case openLock = "open the lock file"
  /// Taking the lock.
  case lock = "lock"
}

/// The error number of a failed system call; ``FileError`` adds the location.
package struct Errno: Error, Equatable {
  /// The value of `errno`, such as 28 for a full disk on Linux.
  package let code: Int32

  package init(_ code: Int32) {
    self.code = code
  }
}

// The numbers differ between Linux and macOS; with these names other files need not import a C library.
extension Errno {
  /// EACCES: the permissions forbid it.
  package static let accessDenied = Errno(EACCES)
  /// EPIPE: the reader has gone.
  package static let brokenPipe = Errno(EPIPE)
  /// ECONNREFUSED: no program listens at the address.
  package static let connectionRefused = Errno(ECONNREFUSED)
  /// ECONNRESET: the peer has reset the connection.
  package static let connectionReset = Errno(ECONNRESET)
  /// EEXIST: the name is taken.
  package static let exists = Errno(EEXIST)
  /// EILSEQ: a name on the disk is not UTF-8, so that a `String` cannot hold it.
  package static let illegalSequence = Errno(EILSEQ)
  /// EINTR: a signal came first; the call can be made again.
  package static let interrupted = Errno(EINTR)
  /// EINVAL: the call is not valid for this file.
  package static let invalid = Errno(EINVAL)
  /// EIO: the device failed.
  package static let inputOutput = Errno(EIO)
  /// EISDIR: a directory instead of a file.
  package static let isDirectory = Errno(EISDIR)
  /// ELOOP: symbolic links form a circle, or a link is not allowed here.
  package static let linkLoop = Errno(ELOOP)
  /// ENAMETOOLONG: a name or path exceeds the limit of the file system.
  package static let nameTooLong = Errno(ENAMETOOLONG)
  /// ENOTDIR: a file instead of a directory.
  package static let notDirectory = Errno(ENOTDIR)
  /// ENOEXEC: the file is not a program.
  package static let notExecutable = Errno(ENOEXEC)
  /// ENOENT: there is no such file or directory.
  package static let notFound = Errno(ENOENT)
  /// EPERM: the file system does not permit this to any user.
  package static let notPermitted = Errno(EPERM)
  /// ENOTSUP: the file system does not support this operation.
  package static let notSupported = Errno(ENOTSUP)
  /// EFBIG: the file is too large.
  package static let tooLarge = Errno(EFBIG)
  /// EAGAIN, also spelled EWOULDBLOCK: another process has the lock.
  package static let wouldBlock = Errno(EAGAIN)

  /// The system's own short text, such as `No space left on device`.
  package var reason: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
