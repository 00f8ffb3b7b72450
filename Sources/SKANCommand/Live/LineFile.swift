import Foundation
import Synchronization

/// A file to which lines are added. What breaks off within a line, now or before, is ended, so that no line is glued to it.
final class LineFile: Sendable {
  private struct State {
    /// Whether the file may end within a line.
    var mayBeTorn = false
    var hasFailed = false
  }

  private let path: String
  private let report: @Sendable (String) -> Void
  private let descriptor: Int32
  private let state = Mutex(State())

  init(path: String, report: @escaping @Sendable (String) -> Void) throws(CommandError) {
    self.path = path
    self.report = report
    var descriptor: Int32
    repeat {
      descriptor = unsafe Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    } while descriptor < 0 && errno == EINTR && !Interrupt.wasRequested
    self.descriptor = descriptor
    if descriptor < 0, errno == EINTR { throw .interrupted }
    if descriptor < 0 { throw unsafe .cannotWrite(file: path, reason: String(cString: strerror(errno))) }
    if endsWithinLine {
      report("\(path) ends within a line: it is ended there, and what follows is whole")
      state.withLock { $0.mayBeTorn = true }
    }
  }

  deinit { close(descriptor) }

  /// - Parameter lines: with their ends.
  func append(_ lines: [UInt8]) {
    state.withLock { state in
      do throws(CommandError) {
        if state.mayBeTorn, endsWithinLine { try StandardStream.write("\n", to: descriptor) }
        state.mayBeTorn = true
        try LineWriter.append(lines, to: descriptor)
        state.mayBeTorn = false
      } catch {
        if !state.hasFailed { report("cannot write \(path): \(error.reason); requests are missing in it from here on") }
        state.hasFailed = true
      }
    }
  }

  /// Never for a pipe or a terminal, which keep nothing.
  private var endsWithinLine: Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return false
    }
    // Ours can only write.
    let reader = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if reader < 0 { return false }
    defer { close(reader) }
    var last: UInt8 = 0
    return unsafe pread(reader, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
  }
}

extension CommandError {
  /// The system's words, where there are any.
  fileprivate var reason: String {
    switch self {
    case .outputFailed(let reason, _): reason
    case .outputClosed: "its reader is gone"
    default: "interrupted"
    }
  }
}
