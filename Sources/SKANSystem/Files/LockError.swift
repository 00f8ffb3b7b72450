/// Why a lock was not got.
package enum LockError: Error, Equatable {
  /// The lock file could not be opened or locked at all: waiting would not help.
  case file(FileError)
  /// Another process, or another part of this one, has it still.
  ///
  /// - Parameters:
  ///   - path: The lock file.
  ///   - by: The holder's process number, as it wrote it; nil when it did not, or not yet.
  ///   - waited: The seconds waited.
  case held(path: String, by: Int32?, waited: Double)
  /// The user ended the waiting.
  case interrupted
}

extension LockError: CustomStringConvertible {
  /// One line, such as `/tmp/a.json.lock is held by process 42`.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .held(let path, .some(let process), _): "\(path) is held by process \(process)"
    case .held(let path, .none, _): "\(path) is held by another process"
    case .interrupted: "interrupted while waiting for a lock"
    }
  }
}
