import SKANBase
import SKANSystem
import Synchronization

/// The records of a list's steps in list order, stored outside memory when there are many.
package struct StepRecords: Sendable {
  /// The totals of the records.
  package private(set) var totals = RecordTotals()
  /// The last line of the list itself, not of an included one, that has a step.
  private(set) var lastLine = 0
  private let list: String
  /// The first part receives new records; the others come from other threads.
  private var parts: [RecordPart]

  /// - Parameters:
  ///   - list: the outermost list.
  ///   - spool: stores the records.
  package init(of list: String, in spool: RecordSpool) {
    self.list = list
    parts = [RecordPart(in: spool)]
  }

  /// Adds a record.
  ///
  /// - Parameter index: the step's index in its list, higher than that of the previous record.
  package mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    try parts[0].append(step, at: index)
    totals.count(step)
    if step.file == list { lastLine = max(lastLine, step.line) }
  }

  /// Adds the records of the list's other steps, whose indices lie between those of these.
  package mutating func merge(_ other: StepRecords) {
    totals += other.totals
    lastLine = max(lastLine, other.lastLine)
    parts += other.parts
  }

  /// Stores all records; no more can be added.
  package mutating func finish() throws(FileError) { try parts[0].flush() }

  /// Passes each record to `body`, in list order.
  ///
  /// - Parameter failure: makes the error to throw when the records cannot be read back.
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
  /// Whether this cursor is at an earlier step; the end comes after all steps.
  fileprivate func precedes(_ other: RecordCursor) -> Bool {
    (current?.index ?? .max) < (other.current?.index ?? .max)
  }
}

/// The totals of a list's records.
package struct RecordTotals: Sendable, Equatable {
  package var steps = 0
  /// Steps that did not run.
  package var skipped = 0
  package var expectations = 0
  /// Expectations that were not met.
  package var failures = 0
  /// Steps that fail because of a remote endpoint.
  package var endpointFailures = 0
  /// Steps with findings.
  package var findings = 0
  /// Steps with an unmet expectation, and those that fail because of a remote endpoint.
  package var failed = 0
  /// The ``failed`` steps, and those with findings.
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

/// The records that one thread made of a list's steps, in the order in which they ran, stored in blocks.
struct RecordPart: Sendable {
  /// The bytes of records that are read and written together.
  private static let blockSize = 1 << 16

  private let spool: RecordSpool
  /// The lists that contain the steps; records name them by index.
  private(set) var files: [String] = []
  private var indices: [String: Int] = [:]
  private var lastIndex = 0
  private var blocks: [Range<Int>] = []
  /// The bytes of the last block.
  private var bytes: [UInt8] = []

  init(in spool: RecordSpool) { self.spool = spool }

  /// Adds a record.
  ///
  /// - Parameter index: higher than that of the previous record.
  mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    let file = self.index(of: step.file)
    bytes.append { $0.put(step, index: index, file: file) }
    if bytes.count >= Self.blockSize { try flush() }
  }

  /// Stores the last block.
  mutating func flush() throws(FileError) {
    if bytes.isEmpty { return }
    blocks.append(try spool.append(bytes))
    bytes = []
  }

  /// Usually the index of the previous step's file.
  private mutating func index(of file: String) -> Int {
    if lastIndex < files.count, files[lastIndex] == file { return lastIndex }
    lastIndex = indices[file] ?? files.count
    if lastIndex == files.count {
      files.append(file)
      indices[file] = lastIndex
    }
    return lastIndex
  }

  /// The number of blocks.
  var blockCount: Int { blocks.count + 1 }

  /// The bytes of a block; the last one is still in memory.
  func block(_ number: Int) throws(FileError) -> [UInt8] {
    number < blocks.count ? try spool.read(blocks[number]) : bytes
  }
}

/// Iterates over the records of a part.
struct RecordCursor {
  private let part: RecordPart
  private var bytes: [UInt8] = []
  /// The offset of the next record.
  private var offset = 0
  private var block = 0
  /// The current record and its index; nil after the last.
  private(set) var current: (index: Int, step: StepRecord)?

  /// Starts at the first record.
  init(_ part: RecordPart) throws(FileError) {
    self.part = part
    try advance()
  }

  /// Moves to the next record.
  ///
  /// - Throws: also where the bytes are not valid records, because the file was truncated or changed.
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

/// Stores the records of a run's steps for all threads that run lists, so that a million of them take little memory.
package final class RecordSpool: Sendable {
  /// Bytes that stay in memory.
  private static let limit = 1 << 20

  private let file: Mutex<SpoolFile>

  /// Creates no file yet: a short run needs none.
  ///
  /// - Parameter directory: the directory for the file; nil for the system's temporary directory.
  package init(directory: String? = nil) { file = Mutex(SpoolFile(limit: Self.limit, directory: directory)) }

  /// Adds bytes and returns their range.
  func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    try file.withLock { (file) throws(FileError) in try file.append(bytes) }
  }

  /// Reads the bytes of one ``append(_:)``.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    try file.withLock { (file) throws(FileError) in try file.read(range) }
  }
}
