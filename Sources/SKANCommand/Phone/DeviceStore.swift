import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// The device file of a command: read, changed under its lock, and replaced atomically.
struct DeviceStore {
  let path: String
  let environment: Environment
  let lockSeconds: Double
  /// The lock, while held.
  private let held = Held()

  private final class Held { var lock: HeldLock? }

  /// - Parameter lockSeconds: the maximum time, in seconds, to wait for another run.
  init(_ path: String, lockSeconds: Double = 0, _ environment: Environment) {
    self.path = path
    self.environment = environment
    self.lockSeconds = lockSeconds
  }

  /// The advice for a missing device file.
  static let hint = "run 'skan register' (or 'skan install') first, or name another file with --state"

  /// Reads the file without its lock; nil if it does not exist.
  func readIfThere() throws(CommandError) -> DeviceFile? {
    guard let bytes = try environment.files.read(path) else { return nil }
    return try DeviceFile(bytes, path: path)
  }

  /// Throws if the path holds anything else than a phone, which may be damaged.
  ///
  /// - Parameter isReplaced: whether a phone is replaced; otherwise it is an error, too.
  func requireReplaceable(_ isReplaced: Bool) throws(CommandError) {
    guard let bytes = try environment.files.read(path) else { return }
    if DeviceFile.isBegun(bytes) {
      if isReplaced { return }
      throw .exists(file: path)
    }
    throw .otherContent(file: path, ContentKind(bytes)?.text(path.oneLine) ?? "this is no device file\(Self.advice)")
  }

  /// The advice about a file that is no phone.
  static let advice = "; name another one with --state"

  /// Reads the file without its lock. Throws if it does not exist.
  func read() throws(CommandError) -> DeviceFile {
    guard let file = try readIfThere() else { throw .missing(file: path, hint: Self.hint) }
    return file
  }

  /// Writes the file. Throws if the lock was lost.
  func save(_ file: DeviceFile) throws(CommandError) {
    var file = file
    file.history = file.history.redacted(by: environment.redactor)
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

  /// Holds the lock while `body` runs.
  func locked<Value>(_ body: () throws(CommandError) -> Value) throws(CommandError) -> Value {
    let lock = try environment.files.lock(path, lockSeconds, environment.isInterrupted)
    held.lock = lock
    defer {
      held.lock = nil
      lock.release()
    }
    return try body()
  }

  /// Holds the lock while the file is read, changed and written. If `change` throws, the file is unchanged.
  ///
  /// - Parameter change: takes the file's content, nil if there is no file, and returns the content to write.
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

  /// Throws if the path holds a file of another kind, before a lock is created beside it. A file that begins like a
  /// device file is only read under the lock.
  private func requireNoOtherFile() throws(CommandError) {
    guard let bytes = try environment.files.read(path), !bytes.starts(with: DeviceFile.beginning) else { return }
    _ = try readIfThere()
  }

  /// Changes the file like ``changing(_:)``. Throws if it does not exist.
  func changingExisting<Value>(
    _ change: (inout DeviceFile) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    // Checked first, so that no lock file is left behind.
    guard try environment.files.exists(path) else { throw .missing(file: path, hint: Self.hint) }
    return try changing { (file) throws(CommandError) in
      guard var file else { throw .missing(file: path, hint: Self.hint) }
      let value = try change(&file)
      return (file, value)
    }
  }
}

extension DeviceFile {
  /// Reads the bytes of a file.
  ///
  /// - Throws: what is wrong with them; for a file of another kind what it is, and which command takes it.
  init(_ bytes: [UInt8], path: String) throws(CommandError) {
    do throws(SourceProblems) {
      self = try DeviceFile(bytes)
    } catch {
      try ContentKind.check(bytes, of: path, isOneOf: [.deviceFile])
      if (try? JSONReader.read(bytes)) == nil, let first = error.problems.first {
        let advice = Self.isBegun(bytes) ? "; 'skan install --force' starts anew" : DeviceStore.advice
        throw .content(file: path, [SourceProblem("\(first.message)\(advice)", at: first.range)], in: bytes)
      }
      throw .content(file: path, error, in: bytes)
    }
  }

  /// Whether the bytes are those of a phone, also of one that is damaged or breaks off. An empty file has nothing to
  /// lose.
  static func isBegun(_ bytes: [UInt8]) -> Bool {
    ContentKind(bytes) == .deviceFile || beginning.starts(with: bytes)
      || bytes.allSatisfy { $0 == 0x0A || $0.isLineSpace }
  }

  /// Appends the events of a step to the file's history.
  mutating func record(_ result: StepResult) {
    history += result.recordedEvents
  }
}

extension DeviceStore {
  /// Throws if a new phone's clock cannot start at a time. Called before the lock is taken.
  func checkTime(_ time: TimeSpec?) throws(CommandError) {
    if PhoneClock(isVirtual: false).beginning(time, now: environment.now()) == nil {
      throw .usage(StepError.timeOutOfRange.message, command: nil)
    }
  }
}
