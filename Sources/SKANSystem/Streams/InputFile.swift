import Foundation
import SKANBase

/// An open file, pipe or terminal that is read.
///
/// Of a regular file the bytes come from its beginning, whatever was read of it before.
@safe package final class InputFile {
  /// What became of a read that is not an error of the system.
  package enum Failure: Error, Equatable {
    /// There is no such file.
    case missing
    /// The user asked to stop.
    case interrupted
    case system(Errno)

    fileprivate init(_ error: Errno) {
      switch error {
      case .notFound, .notDirectory: self = .missing
      case .interrupted: self = .interrupted
      default: self = .system(error)
      }
    }
  }

  private let descriptor: Int32
  /// Nil where it cannot be found out.
  package let status: FileStatus?
  private var position = 0

  /// Opens a file or a pipe.
  ///
  /// - Parameter waits: whether opening a pipe blocks until it has a writer.
  package convenience init(_ path: String, waits: Bool) throws(Failure) {
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try POSIX.unlessInterrupted { () throws(Errno) in
        try unsafe POSIX.check(path) { unsafe open($0, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)) }
      }
    } catch {
      throw Failure(error)
    }
    self.init(descriptor: descriptor)
    // Some systems let a directory be opened, and fail when it is read.
    if status?.kind == .directory { throw .system(.isDirectory) }
  }

  /// An open descriptor, which is closed with the last reference unless it is a standard stream.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    status = try? POSIX.descriptorStatus(descriptor)
  }

  deinit { if descriptor > STDERR_FILENO { try? POSIX.closeDescriptor(descriptor) } }

  /// Whether opening it again gives the same bytes again, which a pipe does not.
  package var isRegular: Bool { status?.kind == .regular }

  /// Fills a buffer and gives how many bytes it put there; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    // A source that never ends and never waits is to end here all the same.
    if Interrupt.wasRequested { throw .interrupted }
    do throws(Errno) {
      let count = try POSIX.unlessInterrupted { () throws(Errno) in
        try POSIX.check {
          unsafe isRegular
            ? pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
            : Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        }
      }
      position += count
      return count
    } catch {
      throw Failure(error)
    }
  }
}
