import Foundation
import SKANRun

extension ByteSource {
  /// The bytes of an open file, which is closed with its last reference.
  private final class Descriptor {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { if number > STDERR_FILENO { close(number) } }
  }

  /// A file or a pipe.
  ///
  /// - Parameter waits: whether opening a pipe blocks until it has a writer.
  init(path: String, waits: Bool = true) throws(SourceFailure) {
    var descriptor: Int32
    repeat {
      descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    } while descriptor < 0 && errno == EINTR && !Interrupt.wasRequested
    if descriptor < 0 { throw Self.failure() }
    let source = ByteSource(descriptor: descriptor)
    // Some systems let a directory be opened, and fail when it is read.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw unsafe .unreadable(String(cString: strerror(EISDIR)))
    }
    self = source
  }

  /// What an open descriptor gives: of a regular file all of it from its beginning, whatever was read of it before.
  init(descriptor: Int32) {
    let file = Descriptor(descriptor)
    var status = stat()
    let isOpen = unsafe fstat(descriptor, &status) == 0
    let isRegular = isOpen && status.st_mode & S_IFMT == S_IFREG
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    var position: off_t = 0
    unsafe self.init(
      isRegular: isRegular, size: isRegular ? Int(status.st_size) : nil, identity: isOpen ? identity : nil
    ) { buffer throws(SourceFailure) in
      while true {
        // A source that never ends and never waits is to end here all the same.
        if Interrupt.wasRequested { throw .interrupted }
        let count =
          unsafe isRegular
          ? pread(file.number, buffer.baseAddress, buffer.count, position)
          : Foundation.read(file.number, buffer.baseAddress, buffer.count)
        if count >= 0 {
          position += off_t(count)
          return count
        }
        if errno != EINTR { throw Self.failure() }
      }
    }
  }

  private static func failure() -> SourceFailure {
    switch errno {
    case ENOENT, ENOTDIR: .missing
    case EINTR where Interrupt.wasRequested: .interrupted
    default: unsafe .unreadable(String(cString: strerror(errno)))
    }
  }
}
