import SKANBase
import SKANCommandLine
import SKANDevice
import SKANReceive
import SKANRun
import SKANSigning

/// The file of received postbacks, locked for this run: checks incoming postbacks and keeps them.
final class ReceivedStore {
  private let path: String
  private let environment: Environment
  private let lock: HeldLock
  /// Appends lines durably.
  private let append: ([UInt8]) throws(CommandError) -> Void
  private var intake: PostbackIntake
  /// The lines that the next ``commit()`` appends.
  private var pending: [UInt8] = []
  /// The size in bytes of the file on the disk.
  private(set) var size: Int

  /// Opens or creates the file, and reads the postbacks received before. The file stays locked until ``release()``.
  ///
  /// - Parameters:
  ///   - keys: the public keys of simulated postbacks, accepted beside Apple's.
  ///   - context: the models and campaigns.
  ///   - seconds: the maximum time, in seconds, to wait for another run on the same file.
  static func open(
    _ path: String, keys: TrustedKeys, context: PostbackContext, waiting seconds: Double, _ environment: Environment
  ) throws(CommandError) -> ReceivedStore {
    try environment.requireNoOtherFile(path)
    let lock = try environment.files.lock(path, seconds, environment.isInterrupted)
    do throws(CommandError) {
      return try ReceivedStore(path, keys, context, lock, environment)
    } catch {
      lock.release()
      throw error
    }
  }

  private init(
    _ path: String, _ keys: TrustedKeys, _ context: PostbackContext, _ lock: HeldLock, _ environment: Environment
  ) throws(CommandError) {
    let file = try environment.receivedFile(path, isRequired: false)
    if file.tornBytes > 0 {
      environment.printError(
        [
          .remark(
            "\(path.oneLine): the last line broke off and is cut (\(file.tornBytes) bytes): no sender was told that it is kept"
          )
        ])
    }
    append = try environment.files.appendDurably(path, file.size)
    if file.lacksEnd { try append([UInt8(ascii: "\n")]) }
    size = file.size + (file.lacksEnd ? 1 : 0)
    intake = PostbackIntake(
      testKey: keys.simulated?.key, keys: keys.adAttributionKit, tool: environment.signatures, context: context,
      memory: file.memory, lines: file.lines)
    self.path = path
    self.lock = lock
    self.environment = environment
  }

  func release() { lock.release() }

  /// Sets the models and campaigns used to read later postbacks.
  func use(_ context: PostbackContext) { intake.context = context }

  func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    try intake.verdict(on: document)
  }

  /// Adds a postback to those that the next ``commit()`` keeps.
  ///
  /// - Parameters:
  ///   - verdict: the verdict; a failure if signatures cannot be checked.
  ///   - address: the sender's address; nil for a postback from a file.
  ///   - time: the time of receipt; nil for now.
  func add(
    _ document: PostbackDocument, _ verdict: Result<PostbackVerdict, SigningError>, from address: String? = nil,
    at time: Instant? = nil
  ) -> ReceivedRecord {
    let time = time ?? environment.now()
    let record: ReceivedRecord
    switch verdict {
    case .success(let verdict): record = intake.record(document, verdict, at: time, from: address)
    case .failure(let error): record = intake.record(document, unchecked: error, at: time, from: address)
    }
    // Redacted here, so that the size of the file is known.
    pending += environment.redactor.redacted(document: record.line, keepsNumbers: true)
    intake.add(document, record)
    return record
  }

  /// Writes the added postbacks to the disk.
  ///
  /// - Throws: an error if they could not be written. In that case none of them is kept.
  func commit() throws(CommandError) {
    if pending.isEmpty { return }
    defer { pending.removeAll(keepingCapacity: true) }
    do throws(CommandError) {
      guard lock.isIntact() else { throw .lockLost(file: path) }
      try append(pending)
      size += pending.count
      intake.settle()
    } catch {
      intake.rollBack()
      throw error
    }
  }
}

extension Environment {
  /// Reads a file of received postbacks.
  ///
  /// - Parameters:
  ///   - isRequired: whether a missing file is an error, instead of an empty one.
  ///   - remembers: whether to build the file's memory.
  ///   - take: called with each record, its body as a postback, and its line number.
  func receivedFile(
    _ path: String, isRequired: Bool = true, remembers: Bool = true,
    take: (ReceivedRecord, PostbackDocument, Int) -> Void = { _, _, _ in }
  ) throws(CommandError) -> ReceivedFile {
    let source: ByteSource
    do throws(SourceFailure) { source = try path == "-" ? files.open(path) : files.openFile(path) } catch {
      if error == .missing, !isRequired { return ReceivedFile() }
      throw CommandError(
        error, file: path,
        hint: files.hint(forMissing: path, else: "'skan receive' and 'skan serve --postbacks' make it"))
    }
    do throws(ReceivedFileProblem) { return try ReceivedFile(source, remembers: remembers, take: take) } catch {
      throw failure(error, path)
    }
  }

  /// Throws if the path holds a file of another kind, before a lock is left beside it. All other problems are found
  /// under the lock.
  func requireNoOtherFile(_ path: String) throws(CommandError) {
    let source: ByteSource
    do throws(SourceFailure) { source = try files.openFile(path) } catch { return }
    do throws(ReceivedFileProblem) { try ReceivedFile.check(source) } catch { throw failure(error, path) }
  }

  private func failure(_ problem: ReceivedFileProblem, _ path: String) -> CommandError {
    switch problem {
    case .source(let failure): return CommandError(failure, file: path)
    case .content(let notes, let more): return CommandError.content(file: path, notes.notes, more: more)
    case .other(let line):
      let kind = ContentKind(head(of: path) ?? line)
      let message =
        kind.map { "\($0.text(path.oneLine)); what is needed is a file of received postbacks, which" }
        ?? "this is not a file of received postbacks, which"
      return .otherContent(file: path, "\(message) 'skan receive' and 'skan serve --postbacks' make")
    }
  }

  /// The beginning of a file that can be read again.
  func head(of path: String) -> [UInt8]? { path == "-" ? nil : files.head(of: path) }
}
