import Foundation

/// A file to which lines are added. What breaks off within a line, now or before, is ended, so that no line is glued to it.
///
/// Without a lock: one thread adds.
final class LineFile: @unchecked Sendable {
  private let path: String
  private let tell: @Sendable (String) -> Void
  private let descriptor: Int32
  /// Whether the file may end within a line.
  private var mayBeTorn = false
  private var hasFailed = false

  init(path: String, tell: @escaping @Sendable (String) -> Void) throws(CommandError) {
    self.path = path
    self.tell = tell
    descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .cannotWrite(file: path, reason: String(cString: strerror(errno))) }
    if endsWithinLine {
      tell("\(path) ends within a line: it is ended there, and what follows is whole")
      mayBeTorn = true
    }
  }

  deinit { close(descriptor) }

  /// - Parameter lines: with their ends.
  func append(_ lines: [UInt8]) {
    do throws(CommandError) {
      if mayBeTorn, endsWithinLine { try StandardStream.write("\n", to: descriptor) }
      mayBeTorn = true
      try LineWriter.append(lines, to: descriptor)
      mayBeTorn = false
    } catch {
      if !hasFailed { tell("cannot write \(path): \(error.reason); requests are missing in it from here on") }
      hasFailed = true
    }
  }

  /// Never for a pipe or a terminal, which keep nothing.
  private var endsWithinLine: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
    // Ours can only write.
    let reader = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if reader < 0 { return false }
    defer { close(reader) }
    var last: UInt8 = 0
    return pread(reader, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
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
