import SKANBase

/// Bytes that are set aside for later: in memory while they are few, then in a temporary file that has no name, so that
/// nothing of it is left when the process ends, however it ends.
///
///     let spool = SpoolFile()
///     let range = try spool.append(bytes)
///     try spool.read(range)    // the bytes again
package final class SpoolFile {
  /// How many bytes are kept in memory before they are written.
  private let limit: Int
  private let directory: String
  private(set) var descriptor: Int32?
  /// How many bytes are in the file.
  private var written = 0
  /// The bytes behind them.
  private var buffer: [UInt8] = []

  /// How many bytes stay in memory where nothing else is asked for.
  package static let defaultLimit = 8 << 20

  /// No bytes yet, and no file.
  ///
  /// - Parameters:
  ///   - limit: how many bytes stay in memory.
  ///   - directory: for the file; `TMPDIR`, else `/tmp`, when it is nil.
  package init(limit: Int = SpoolFile.defaultLimit, directory: String? = nil) {
    self.limit = limit
    let variable = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) }
    self.directory = directory ?? variable ?? "/tmp"
  }

  deinit { if let descriptor { try? POSIX.closeDescriptor(descriptor) } }

  /// Adds bytes.
  ///
  /// - Returns: where they are.
  /// - Throws: when the file cannot be made or written.
  package func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    if buffer.count + bytes.count > limit, !buffer.isEmpty { try flush() }
    let start = written + buffer.count
    buffer += bytes
    return start..<start + bytes.count
  }

  /// The bytes that were added as one.
  package func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    if range.lowerBound >= written { return Array(buffer[(range.lowerBound - written)..<(range.upperBound - written)]) }
    let bytes = try attempt(.read) { () throws(Errno) in
      try POSIX.readBytes(descriptor ?? -1, range.count, at: range.lowerBound)
    }
    guard bytes.count == range.count else { throw FileError(.read, directory, .inputOutput) }
    return bytes
  }

  private func flush() throws(FileError) {
    let descriptor = try openDescriptor()
    var rest = ArraySlice(buffer)
    while !rest.isEmpty {
      let count = try attempt(.write) { () throws(Errno) in try POSIX.writeBytes(descriptor, rest) }
      guard count > 0 else { throw FileError(.write, directory, .inputOutput) }
      rest = rest.dropFirst(count)
    }
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// The file, which is made when it is needed first.
  private func openDescriptor() throws(FileError) -> Int32 {
    if let descriptor { return descriptor }
    let made = try attempt(.createSpool) { () throws(Errno) in try POSIX.createUnnamed(directory) }
    descriptor = made
    return made
  }

  /// Makes a call again that a signal interrupted.
  private func attempt<Value>(
    _ operation: FileOperation, _ call: () throws(Errno) -> Value
  ) throws(FileError) -> Value {
    while true {
      do throws(Errno) { return try call() } catch {
        guard error == .interrupted else { throw FileError(operation, directory, error) }
      }
    }
  }
}
