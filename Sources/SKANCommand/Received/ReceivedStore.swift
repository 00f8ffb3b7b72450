import SKANBase
import SKANDevice
import SKANReceive
import SKANRun
import SKANSigning

/// The file of received postbacks, while it is locked for this run: checks what comes in and keeps it.
final class ReceivedStore {
  private let path: String
  private let environment: Environment
  private let lock: HeldLock
  /// Adds lines, which are on the disk then.
  private let append: ([UInt8]) throws(CommandError) -> Void
  private var intake: PostbackIntake
  /// The lines that ``commit()`` adds.
  private var pending: [UInt8] = []
  /// The bytes of the file that are on the disk.
  private(set) var size: Int

  /// Opens the file, or makes it, and reads what was received before. It stays locked until ``release()``.
  ///
  /// - Parameters:
  ///   - testKey: the key of simulated postbacks, beside Apple's.
  ///   - context: what is known beside the postbacks.
  ///   - seconds: how long to wait for another run on the same file.
  static func open(
    _ path: String, testKey: PublicKey?, context: PostbackContext, waiting seconds: Double, _ environment: Environment
  ) throws(CommandError) -> ReceivedStore {
    try environment.requireNoOtherFile(path)
    let lock = try environment.files.lock(path, seconds, environment.isInterrupted)
    do throws(CommandError) {
      return try ReceivedStore(path, testKey: testKey, context, lock, environment)
    } catch {
      lock.release()
      throw error
    }
  }

  private init(
    _ path: String, testKey: PublicKey?, _ context: PostbackContext, _ lock: HeldLock, _ environment: Environment
  ) throws(CommandError) {
    let file = try environment.receivedFile(path, isRequired: false)
    if file.tornBytes > 0 {
      environment.printError(
        .remark(
          "\(path.oneLine): the last line broke off and is cut (\(file.tornBytes) bytes): no sender was told that it is kept"
        ))
    }
    append = try environment.files.appendDurably(path, file.size)
    if file.lacksEnd { try append([UInt8(ascii: "\n")]) }
    size = file.size + (file.lacksEnd ? 1 : 0)
    intake = PostbackIntake(
      testKey: testKey, tool: environment.signatures, context: context, memory: file.memory, lines: file.lines)
    self.path = path
    self.lock = lock
    self.environment = environment
  }

  func release() { lock.release() }

  /// Sets the models and campaigns with which later postbacks are read.
  func use(_ context: PostbackContext) { intake.context = context }

  /// The verdict on a postback.
  func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    try intake.verdict(on: document)
  }

  /// Takes a postback, which ``commit()`` keeps, with those before it.
  ///
  /// - Parameters:
  ///   - verdict: a failure where no signature can be checked.
  ///   - address: who sent it; nil for one from a file.
  ///   - time: when it was received; nil = now.
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
    pending += record.line
    intake.add(document, record)
    return record
  }

  /// Puts what was added on the disk.
  ///
  /// - Throws: when it is not kept, none of it.
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
  ///   - isRequired: whether a file that does not exist is an error, and not an empty one.
  ///   - remembers: whether the file's memory is wanted.
  ///   - take: gets each record, its body as a postback, and its line.
  func receivedFile(
    _ path: String, isRequired: Bool = true, remembers: Bool = true,
    take: (ReceivedRecord, PostbackDocument, Int) -> Void = { _, _, _ in }
  ) throws(CommandError) -> ReceivedFile {
    let source: ByteSource
    do throws(SourceFailure) { source = try path == "-" ? files.open(path) : files.openFile(path) } catch {
      if error == .missing, !isRequired { return ReceivedFile() }
      throw CommandError(error, file: path, hint: "'skan receive' and 'skan serve --postbacks' make it")
    }
    do throws(ReceivedFileProblem) { return try ReceivedFile(source, remembers: remembers, take: take) } catch {
      throw failure(error, path)
    }
  }

  /// Refuses a file that is something else, before a lock is left beside it. All else is found out under the lock.
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
      let what = ContentKind.message(of: whole(path) ?? line, file: path.oneLine)
      let message =
        what.map { "\($0); what is needed is a file of received postbacks, which" }
        ?? "this is not a file of received postbacks, which"
      let note = SourceNote(
        location: TextLocation(of: 0..<0, in: []),
        message: "\(message) 'skan receive' and 'skan serve --postbacks' make")
      return CommandError.content(file: path, [note])
    }
  }

  /// The bytes of a file, where they can be had once more.
  func whole(_ path: String) -> [UInt8]? {
    if path == "-" { return nil }
    do throws(CommandError) { return try files.read(path) } catch { return nil }
  }
}
