import SKANBase
import SKANDevice
import SKANRun
import SKANSystem
import Synchronization

/// The device file of one command: read, changed under its lock, and written as a whole.
struct DeviceStore {
  let path: String
  let environment: Environment
  let lockSeconds: Double
  /// The lock, while it is held.
  private let held = Held()

  private final class Held { var lock: HeldLock? }

  /// - Parameter lockSeconds: how long another run is waited for.
  init(_ path: String, lockSeconds: Double = 0, _ environment: Environment) {
    self.path = path
    self.environment = environment
    self.lockSeconds = lockSeconds
  }

  /// What to do without a device file.
  static let hint = "run 'skan register' (or 'skan install') first, or name another file with --state"

  /// The file's content, or nil when there is no file.
  func readIfThere() throws(CommandError) -> DeviceFile? {
    guard let bytes = try environment.files.read(path) else { return nil }
    do throws(SourceProblems) {
      return try DeviceFile(bytes)
    } catch {
      if (try? JSONReader.read(bytes)) == nil, let first = error.problems.first {
        let message = "\(first.message); 'skan install --force' starts anew"
        throw .content(file: path, [SourceProblem(message, at: first.range)], in: bytes)
      }
      throw .content(file: path, error, in: bytes)
    }
  }

  /// The file's content, without its lock.
  func read() throws(CommandError) -> DeviceFile {
    guard let file = try readIfThere() else { throw .missing(file: path, hint: Self.hint) }
    return file
  }

  /// Writes the file, of which the lock is held.
  func save(_ file: DeviceFile) throws(CommandError) {
    if let lock = held.lock, !lock.isIntact() { throw .lockLost(file: path) }
    do throws(CommandError) {
      try environment.files.replace(path, Array(file.text.utf8))
    } catch {
      guard case .notFlushed(let file, let reason) = error else { throw error }
      throw .cannotWrite(
        file: file,
        reason:
          "\(reason); what was done is in it, though it may not be on the disk, and would be done twice if it were repeated"
      )
    }
  }

  /// Holds the lock from the beginning to the end.
  func locked<Value>(_ body: () throws(CommandError) -> Value) throws(CommandError) -> Value {
    let lock = try environment.files.lock(path, lockSeconds, environment.isInterrupted)
    held.lock = lock
    defer {
      held.lock = nil
      lock.release()
    }
    return try body()
  }

  /// Holds the lock from reading to writing; whatever `change` throws leaves the file as it was.
  ///
  /// - Parameter change: is given nil when there is no file, and gives what to write.
  func changing<Value>(
    _ change: (DeviceFile?) throws(CommandError) -> (DeviceFile, Value)
  ) throws(CommandError) -> Value {
    try requireNoOtherFile()
    return try locked { () throws(CommandError) in
      let (file, value) = try change(try readIfThere())
      try save(file)
      return value
    }
  }

  /// Refuses what is no device file before a lock is made beside it. What begins as this program writes it is read once,
  /// under the lock.
  private func requireNoOtherFile() throws(CommandError) {
    guard let bytes = try environment.files.read(path), !bytes.starts(with: DeviceFile.beginning) else { return }
    _ = try readIfThere()
  }

  /// The same for a file that must be there.
  func changingExisting<Value>(
    _ change: (inout DeviceFile) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    // Without a file no lock is left behind either.
    guard try environment.files.exists(path) else { throw .missing(file: path, hint: Self.hint) }
    return try changing { (file) throws(CommandError) in
      guard var file else { throw .missing(file: path, hint: Self.hint) }
      let value = try change(&file)
      return (file, value)
    }
  }
}

extension DeviceFile {
  /// Adds what a step did to the file's records.
  mutating func record(_ result: StepResult) {
    history += result.recordedEvents
  }
}

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
