import SKANBase
import SKANSystem
import Synchronization

/// The records of a list's steps, in the order of the list; set aside, however many there are.
package struct StepRecords: Sendable {
  /// What there is in them.
  package private(set) var totals = RecordTotals()
  /// The last line of the list itself that has a step.
  private(set) var lastLine = 0
  private let list: String
  /// The first is added to, the others are those of other threads.
  private var parts: [RecordPart]

  /// - Parameters:
  ///   - list: the outermost list.
  ///   - spool: where they are set aside.
  package init(of list: String, in spool: RecordSpool) {
    self.list = list
    parts = [RecordPart(in: spool)]
  }

  /// Adds a record.
  ///
  /// - Parameter index: of the step in its list, higher than that of the one before.
  package mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    try parts[0].append(step, at: index)
    totals.count(step)
    if step.file == list { lastLine = max(lastLine, step.line) }
  }

  /// Adds the records of other steps of the list: those with indices between these.
  package mutating func merge(_ other: StepRecords) {
    totals += other.totals
    lastLine = max(lastLine, other.lastLine)
    parts += other.parts
  }

  /// Sets everything aside, as no more is added.
  package mutating func finish() throws(FileError) { try parts[0].flush() }

  /// Gives each record to `body`, in the order of the list.
  ///
  /// - Parameter failure: what to throw when they cannot be read back.
  package func forEach<Failure>(
    _ failure: (FileError) -> Failure, _ body: (StepRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var cursors: [RecordCursor] = []
    do throws(FileError) { for part in parts { cursors.append(try RecordCursor(part)) } } catch { throw failure(error) }
    while let next = cursors.indices.min(by: { cursors[$0].precedes(cursors[$1]) }),
      let step = cursors[next].current?.step
    {
      try body(step)
      do throws(FileError) { try cursors[next].advance() } catch { throw failure(error) }
    }
  }
}

extension RecordCursor {
  /// Whether it stands at an earlier step; behind the last is after all others.
  fileprivate func precedes(_ other: RecordCursor) -> Bool {
    (current?.index ?? .max) < (other.current?.index ?? .max)
  }
}

/// What there is in the records of a list.
package struct RecordTotals: Sendable, Equatable {
  package var steps = 0
  /// Of the steps, those that did not run.
  package var skipped = 0
  package var expectations = 0
  /// Expectations that were not met.
  package var failures = 0
  /// Steps that fail for a remote endpoint.
  package var endpointFailures = 0
  /// Steps with findings.
  package var findings = 0
  /// Steps with an expectation that was not met, and those that fail for a remote endpoint.
  package var failed = 0
  /// Those, and steps with findings.
  package var failedStrictly = 0

  /// Counts a step.
  mutating func count(_ step: StepRecord) {
    steps += 1
    if case .skipped = step.fate { skipped += 1 }
    expectations += step.expectations
    failures += step.failures.count
    if !step.findings.isEmpty { findings += 1 }
    if step.fault != nil { endpointFailures += 1 }
    if step.hasFailed(isStrict: false) { failed += 1 }
    if step.hasFailed(isStrict: true) { failedStrictly += 1 }
  }

  static func += (left: inout RecordTotals, right: RecordTotals) {
    left.steps += right.steps
    left.skipped += right.skipped
    left.expectations += right.expectations
    left.failures += right.failures
    left.endpointFailures += right.endpointFailures
    left.findings += right.findings
    left.failed += right.failed
    left.failedStrictly += right.failedStrictly
  }
}

/// The records that one thread made of a list's steps, in the order in which they ran; set aside in blocks.
struct RecordPart: Sendable {
  /// Bytes of records that are read and written together.
  private static let blockSize = 1 << 16

  private let spool: RecordSpool
  /// The lists that steps stand in, which records name by their indices.
  private(set) var files: [String] = []
  private var indices: [String: Int] = [:]
  private var lastIndex = 0
  private var blocks: [Range<Int>] = []
  /// Those of the last block.
  private var bytes: [UInt8] = []

  init(in spool: RecordSpool) { self.spool = spool }

  /// Adds a record.
  ///
  /// - Parameter index: higher than that of the record before.
  mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    let file = self.index(of: step.file)
    bytes.append { $0.put(step, index: index, file: file) }
    if bytes.count >= Self.blockSize { try flush() }
  }

  /// Sets everything aside.
  mutating func flush() throws(FileError) {
    if bytes.isEmpty { return }
    blocks.append(try spool.append(bytes))
    bytes = []
  }

  /// Mostly that of the step before.
  private mutating func index(of file: String) -> Int {
    if lastIndex < files.count, files[lastIndex] == file { return lastIndex }
    lastIndex = indices[file] ?? files.count
    if lastIndex == files.count {
      files.append(file)
      indices[file] = lastIndex
    }
    return lastIndex
  }

  /// How many blocks there are.
  var blockCount: Int { blocks.count + 1 }

  /// The bytes of a block; the last one has not been set aside.
  func block(_ number: Int) throws(FileError) -> [UInt8] {
    number < blocks.count ? try spool.read(blocks[number]) : bytes
  }
}

/// Goes through the records of a part.
struct RecordCursor {
  private let part: RecordPart
  private var bytes: [UInt8] = []
  /// The offset of the next record.
  private var offset = 0
  private var block = 0
  /// The record that it stands at, and its index; nil behind the last.
  private(set) var current: (index: Int, step: StepRecord)?

  /// At the first record.
  init(_ part: RecordPart) throws(FileError) {
    self.part = part
    try advance()
  }

  /// Goes on to the next record.
  ///
  /// - Throws: also where the bytes are not those of records: they were lost, or changed by others.
  mutating func advance() throws(FileError) {
    while offset == bytes.count {
      current = nil
      if block == part.blockCount { return }
      (bytes, offset) = (try part.block(block), 0)
      block += 1
    }
    let files = part.files
    guard let next = bytes.reading(from: offset, { ($0.step(files: files), end: $0.offset) }) else {
      throw FileError(.read, "a temporary file", .inputOutput)
    }
    current = next.0
    offset = next.end
  }
}

/// Where the records of a run's steps are set aside, by all threads that run lists: so that a million of them take no
/// memory.
package final class RecordSpool: Sendable {
  /// Bytes that stay in memory.
  private static let limit = 1 << 20

  private let file: Mutex<SpoolFile>

  /// No file yet: a short run needs none.
  ///
  /// - Parameter directory: for the file; the system's for temporary files when it is nil.
  package init(directory: String? = nil) { file = Mutex(SpoolFile(limit: Self.limit, directory: directory)) }

  /// Adds bytes, and gives where they are.
  func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    try file.withLock { (file) throws(FileError) in try file.append(bytes) }
  }

  /// The bytes that were added as one.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    try file.withLock { (file) throws(FileError) in try file.read(range) }
  }
}
