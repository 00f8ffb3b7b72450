import SKANBase
import SKANSystem

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
