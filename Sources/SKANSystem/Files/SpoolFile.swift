import SKANBase

/// Stores bytes for later: in memory while they are few, then in a temporary file without a name, so that nothing is
/// left of it however the process ends.
///
///     let spool = SpoolFile()
///     let range = try spool.append(bytes)
///     try spool.read(range)    // the bytes again
package final class SpoolFile {
  /// The number of bytes kept in memory before they are written.
  private let limit: Int
  private let directory: String
  private(set) var descriptor: Int32?
  /// The number of bytes in the file.
  private var written = 0
  /// The bytes that follow those in the file.
  private var buffer: [UInt8] = []

  /// The default limit of bytes in memory.
  package static let defaultLimit = 8 << 20

  /// An empty store without a file.
  ///
  /// - Parameters:
  ///   - limit: the number of bytes kept in memory.
  ///   - directory: the directory of the file; nil for `TMPDIR`, else `/tmp`.
  package init(limit: Int = SpoolFile.defaultLimit, directory: String? = nil) {
    self.limit = limit
    let variable = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) }
    self.directory = directory ?? variable ?? "/tmp"
  }

  deinit { if let descriptor { try? POSIX.closeDescriptor(descriptor) } }

  /// Appends bytes.
  ///
  /// - Returns: the range for ``read(_:)``.
  /// - Throws: ``FileError`` if the file cannot be created or written.
  package func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    if buffer.count + bytes.count > limit, !buffer.isEmpty { try flush() }
    let start = written + buffer.count
    buffer += bytes
    return start..<start + bytes.count
  }

  /// The bytes that one call appended.
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

  /// The descriptor of the file, which is created on first use.
  private func openDescriptor() throws(FileError) -> Int32 {
    if let descriptor { return descriptor }
    let made = try attempt(.createSpool) { () throws(Errno) in try POSIX.createUnnamed(directory) }
    descriptor = made
    return made
  }

  /// Repeats a call while signals interrupt it.
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
