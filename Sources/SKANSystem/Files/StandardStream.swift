import Foundation
import SKANBase

/// Why bytes cannot be written.
package enum StreamFailure: Error, Equatable {
  /// The reader of a pipe has gone.
  case closed
  /// The user asked to stop.
  case interrupted
  /// The system's error.
  case system(Errno)
}

/// Whole pieces to a descriptor, and what a person at a terminal sees of them.
package enum StandardStream {
  package static let (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)

  /// Takes the places of standard streams that are closed, so that no file gets one of them: what is written to a closed
  /// output would end up in it. They stay as closed as they were, for reading and for writing.
  package static func reserve() {
    for descriptor in [input, output, errors] where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe Foundation.open("/dev/null", descriptor == input ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes: a write that is cut short goes on.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(StreamFailure) {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      do throws(Errno) {
        rest = rest.dropFirst(try POSIX.writeBytes(descriptor, rest))
      } catch {
        switch error {
        case .interrupted where !Interrupt.wasRequested: continue
        case .interrupted: throw .interrupted
        case .brokenPipe: throw .closed
        default: throw .system(error)
        }
      }
    }
  }

  /// Whether a write of a few bytes would not have to wait.
  package static func isReady(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// Whether a descriptor leads to a terminal that can move its cursor.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && System.variable("TERM").map { $0 != "dumb" } ?? false
  }

  /// The width of the terminal that a descriptor leads to; nil where it leads elsewhere.
  package static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    // A terminal that does not say is as wide as terminals were.
    return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether a descriptor leads into a pipe.
  package static func isPipe(_ descriptor: Int32) -> Bool {
    (try? POSIX.descriptorStatus(descriptor))?.kind == .fifo
  }
}

/// An open file, pipe or terminal that is read.
///
/// Of a regular file the bytes come from its beginning, whatever was read of it before.
@safe package final class InputFile {
  /// The outcome of a read that is not an error of the system.
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
