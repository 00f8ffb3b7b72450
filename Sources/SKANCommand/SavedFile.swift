import SKANBase
import Synchronization

/// The device file that a command has saved, for the message of what goes wrong after that.
final class SavedFile: Sendable {
  private let last = Mutex<String?>(nil)

  var path: String? { last.withLock { $0 } }

  /// The world in which it is seen what is saved.
  func watching(_ environment: Environment) -> Environment {
    var watched = environment
    watched.files.replace = { [self] (path, bytes) throws(CommandError) in
      try environment.files.replace(path, bytes)
      last.withLock { $0 = path }
    }
    return watched
  }
}

extension CommandError {
  /// The error of a command that had saved this file before.
  func adding(saved: String?) -> CommandError {
    guard let saved else { return self }
    let done = "what was done is saved in \(saved.oneLine), and would be done twice if it were repeated"
    switch self {
    case .interrupted: return .interruptedAfterSaving(file: saved)
    case .cannotWrite(let file, let reason) where file != saved:
      return .cannotWrite(file: file, reason: "\(reason); \(done)")
    case .notFlushed(let file, let reason) where file != saved:
      return .cannotWrite(file: file, reason: "\(reason); its new content is in place; \(done)")
    default: return adding(done: done)
    }
  }

  /// The error of a command that could not write its output and had done this before.
  func adding(done: String) -> CommandError {
    guard case .outputFailed(let reason, nil) = self else { return self }
    return .outputFailed(reason: reason, done: done)
  }
}
