/// A file to which lines are added, each on the disk before the call returns, and whole or not at all.
///
///     let file = try AppendedFile("received.jsonl", size: 0)
///     try file.append(Array("{}\n".utf8))    // is on the disk now
///
/// It is for one writer: beside it belongs a ``FileLock``.
package final class AppendedFile {
  private let files: FileOperations
  /// The file that is meant, links followed.
  private let path: String
  private let descriptor: Int32
  /// The bytes that are on the disk for good.
  private var size: Int
  /// Whether something may stand behind ``size``.
  private var mayBeTorn: Bool

  /// Opens a file, creating it when there is none.
  ///
  /// - Parameter size: the bytes of its whole lines; what stands behind them is cut. A file that is shorter is another.
  /// - Throws: ``FileError`` for a directory, pipe or device, and for a file that cannot be opened, cut or flushed.
  package init(_ path: String, size: Int, files: FileOperations = .live) throws(FileError) {
    let target = try files.target(of: path)
    self.files = files
    self.path = target.path
    self.size = size
    mayBeTorn = false
    descriptor = try files.attempt(.open, target.path) { () throws(Errno) in try files.openForAppending(target.path) }
    let found = try files.attempt(.inspect, target.path) { () throws(Errno) in try files.descriptorStatus(descriptor) }
    guard found.kind == .regular else { throw FileError(.inspect, target.path, notRegular: found.kind) }
    guard found.size >= size else { throw FileError(.inspect, target.path, .invalid) }
    mayBeTorn = found.size > size
    try cut()
    try AtomicFile(files: files).synchronizeDirectory(of: target.path)
  }

  deinit { try? files.close(descriptor) }

  /// Adds whole lines, and returns when they are on the disk.
  ///
  /// - Throws: ``FileError``; nothing is added then. A file that another has written to, moved or removed is one of them:
  ///   what is added there might be lost.
  package func append(_ lines: [UInt8]) throws(FileError) {
    try cut()
    try requireInPlace()
    mayBeTorn = true
    do throws(FileError) {
      var rest = ArraySlice(lines)
      while !rest.isEmpty {
        let count = try files.attempt(.write, path) { () throws(Errno) in try files.writeBytes(descriptor, rest) }
        // A disk that takes nothing and reports nothing would hold us here for ever.
        guard count > 0 else { throw FileError(.write, path, .inputOutput) }
        rest = rest.dropFirst(count)
      }
      try files.attempt(.synchronize, path) { () throws(Errno) in try files.synchronize(descriptor) }
    } catch {
      // Where that fails too, it is tried again before the next line.
      try? cut()
      throw error
    }
    size += lines.count
    mayBeTorn = false
  }

  /// Cuts what broke off.
  private func cut() throws(FileError) {
    guard mayBeTorn else { return }
    try files.attempt(.cut, path) { () throws(Errno) in try files.setSize(descriptor, size) }
    try files.attempt(.synchronize, path) { () throws(Errno) in try files.synchronize(descriptor) }
    mayBeTorn = false
  }

  private func requireInPlace() throws(FileError) {
    let own = try files.attempt(.inspect, path) { () throws(Errno) in try files.descriptorStatus(descriptor) }
    let named = try files.attempt(.inspect, path) { () throws(Errno) in try files.linkStatus(path) }
    guard named.identity == own.identity else { throw FileError(.inspect, path, .notFound) }
    guard own.size == size else { throw FileError(.inspect, path, .invalid) }
  }
}
