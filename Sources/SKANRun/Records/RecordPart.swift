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
  private var writer = RecordWriter()

  init(in spool: RecordSpool) { self.spool = spool }

  /// Adds a record.
  ///
  /// - Parameter index: higher than that of the record before.
  mutating func append(_ step: StepRecord, at index: Int) throws(FileError) {
    writer.append(step, index: index, file: self.index(of: step.file))
    if writer.bytes.count >= Self.blockSize { try flush() }
  }

  /// Sets everything aside.
  mutating func flush() throws(FileError) {
    if writer.bytes.isEmpty { return }
    blocks.append(try spool.append(writer.bytes))
    writer = RecordWriter()
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

  /// The records of a block; the last one has not been set aside.
  func block(_ number: Int) throws(FileError) -> RecordReader {
    RecordReader(number < blocks.count ? try spool.read(blocks[number]) : writer.bytes)
  }
}

/// Goes through the records of a part.
struct RecordCursor {
  private let part: RecordPart
  private var reader = RecordReader([])
  private var block = 0
  /// The record that it stands at, and its index; nil behind the last.
  private(set) var current: (index: Int, step: StepRecord)?

  /// At the first record.
  init(_ part: RecordPart) throws(FileError) {
    self.part = part
    try advance()
  }

  /// Goes on to the next record.
  mutating func advance() throws(FileError) {
    while true {
      current = reader.next(files: part.files)
      if reader.isBroken { throw FileError(.read, "a temporary file", .inputOutput) }
      if current != nil || block == part.blockCount { return }
      reader = try part.block(block)
      block += 1
    }
  }
}
