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

/// Writes to standard streams, and facts about the terminal behind them.
package enum StandardStream {
  package static let (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)

  /// Opens `/dev/null` for closed standard streams, so that no file gets their descriptors: output to a closed stream
  /// would end up in that file. Reading from and writing to them still fails.
  package static func reserve() {
    for descriptor in [input, output, errors] where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe Foundation.open("/dev/null", descriptor == input ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes of an array.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(StreamFailure) {
    try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(StreamFailure) in
      try unsafe write(UnsafeRawBufferPointer(bytes), to: descriptor)
    }
  }

  /// Writes all bytes, continuing after partial writes.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(StreamFailure) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      do throws(Errno) {
        let count = try unsafe POSIX.writeBytes(descriptor, rest)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        // A signal also ends a write of which a part is done; the next would block again.
        if unsafe !rest.isEmpty, Interrupt.wasRequested { throw Errno.interrupted }
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

  /// Whether a short write would not block.
  package static func isReady(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// Whether a descriptor is a terminal that can move its cursor.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && System.variable("TERM").map { $0 != "dumb" } ?? false
  }

  /// The width of the terminal behind a descriptor; nil if it is not a terminal.
  package static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    // The traditional width, for a terminal that does not report its own.
    return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether a descriptor is a pipe.
  package static func isPipe(_ descriptor: Int32) -> Bool {
    (try? POSIX.descriptorStatus(descriptor))?.kind == .fifo
  }
}

/// An open file, pipe or terminal for reading.
///
/// A regular file is read from its beginning, whatever the offset of the descriptor.
@safe package final class InputFile {
  /// Why a read failed.
  package enum Failure: Error, Equatable {
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
  /// Nil if it cannot be determined.
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
    // Some systems open a directory and fail when it is read.
    if status?.kind == .directory { throw .system(.isDirectory) }
  }

  /// - Parameter descriptor: an open descriptor; it is closed with the last reference unless it is a standard stream.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    status = try? POSIX.descriptorStatus(descriptor)
  }

  deinit { if descriptor > STDERR_FILENO { try? POSIX.closeDescriptor(descriptor) } }

  /// Whether opening it again gives the same bytes, which it does not for a pipe.
  package var isRegular: Bool { status?.kind == .regular }

  /// Fills a buffer and returns the number of bytes read; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    // An endless source that never blocks must stop here as well.
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
