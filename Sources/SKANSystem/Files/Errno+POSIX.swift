import SKANBase

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
