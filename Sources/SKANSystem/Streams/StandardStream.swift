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
