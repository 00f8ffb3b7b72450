import Foundation
import SKANBase
import Synchronization

/// A file to which lines are appended. Each call returns when its lines are on the disk, and adds them completely or
/// not at all.
///
///     let file = try AppendedFile("received.jsonl", size: 0)
///     try file.append(Array("{}\n".utf8))    // is on the disk now
///
/// A file has one writer at a time; a ``FileLock`` keeps others out.
package final class AppendedFile {
  private let files: FileOperations
  /// The path of the file, with links resolved.
  private let path: String
  private let descriptor: Int32
  /// The number of bytes that are safely on the disk.
  private var size: Int
  /// Whether there may be bytes of an incomplete write after ``size``.
  private var mayBeTorn: Bool

  /// Opens a file, which is created if it does not exist.
  ///
  /// - Parameter size: the byte count of the complete lines; anything after them is cut. A shorter file is an error.
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

  /// Appends whole lines, and returns when they are on the disk.
  ///
  /// - Throws: ``FileError``, without appending anything. This includes a file that another program has written to,
  ///   moved or removed, where the lines might be lost.
  package func append(_ lines: [UInt8]) throws(FileError) {
    try cut()
    try requireInPlace()
    mayBeTorn = true
    do throws(FileError) {
      var rest = ArraySlice(lines)
      while !rest.isEmpty {
        let count = try files.attempt(.write, path) { () throws(Errno) in try files.writeBytes(descriptor, rest) }
        // Without this, a disk that writes nothing and reports no error would block forever.
        guard count > 0 else { throw FileError(.write, path, .inputOutput) }
        rest = rest.dropFirst(count)
      }
      try files.attempt(.synchronize, path) { () throws(Errno) in try files.synchronize(descriptor) }
    } catch {
      // If this fails too, the next append tries again.
      try? cut()
      throw error
    }
    size += lines.count
    mayBeTorn = false
  }

  /// Cuts an incomplete write off the end of the file.
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

/// A file to which lines are appended. An incomplete line at its end, from this run or an earlier one, is terminated
/// first, so that no line continues it.
package final class LineFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the file may end within a line.
  private let mayBeTorn: Mutex<Bool>
  /// Whether the file ended within a line when it was opened.
  package let wasTorn: Bool

  /// Opens a file, which is created if it does not exist. Opening a pipe waits for its reader.
  package init(_ path: String) throws(StreamFailure) {
    do throws(Errno) { descriptor = try Self.open(path) } catch {
      throw error == .interrupted ? .interrupted : .system(error)
    }
    self.path = path
    wasTorn = Self.endsWithinLine(path, descriptor)
    mayBeTorn = Mutex(wasTorn)
  }

  deinit { try? POSIX.closeDescriptor(descriptor) }

  private static func open(_ path: String) throws(Errno) -> Int32 {
    try POSIX.unlessInterrupted { () throws(Errno) in
      try unsafe POSIX.check(path) { unsafe Foundation.open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600) }
    }
  }

  /// - Parameter lines: with their line ends.
  package func append(_ lines: [UInt8]) throws(StreamFailure) {
    try mayBeTorn.withLock { (mayBeTorn) throws(StreamFailure) in
      if mayBeTorn, Self.endsWithinLine(path, descriptor) {
        try StandardStream.write([UInt8(ascii: "\n")], to: descriptor)
      }
      mayBeTorn = true
      try LineWriter.append(lines, to: descriptor)
      mayBeTorn = false
    }
  }

  /// Always false for a pipe or a terminal.
  private static func endsWithinLine(_ path: String, _ descriptor: Int32) -> Bool {
    guard let status = try? POSIX.descriptorStatus(descriptor), status.kind == .regular, status.size > 0,
      // ``descriptor`` is open for writing only.
      let reader = try? POSIX.openForReading(path)
    else { return false }
    defer { try? POSIX.closeDescriptor(reader) }
    return (try? POSIX.readBytes(reader, 1, at: status.size - 1)).map { $0 != [UInt8(ascii: "\n")] && !$0.isEmpty }
      ?? false
  }
}

/// Appends lines to a file so that it ends with a whole line even if the program is killed in between.
///
/// The system checks for signals between the pages of a file, so a write within one page is atomic. For a pipe, a write
/// of this many bytes is atomic too.
package enum LineWriter {
  private static let page = 4096

  /// - Parameter lines: with their line ends.
  static func append(_ lines: [UInt8], to descriptor: Int32) throws(StreamFailure) {
    // -1 for a pipe, which has no file offset.
    var index = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    var rest = ArraySlice(lines)
    while !rest.isEmpty {
      let piece = firstPiece(of: rest, room: page - index % page)
      try StandardStream.write(Array(piece), to: descriptor)
      index += piece.count
      rest = rest[piece.endIndex...]
    }
  }

  /// As many whole lines as fit, and at least one.
  package static func firstPiece(of lines: ArraySlice<UInt8>, room: Int) -> ArraySlice<UInt8> {
    if lines.count <= room { return lines }
    let newline = UInt8(ascii: "\n")
    if let last = lines.prefix(room).lastIndex(of: newline) { return lines[...last] }
    return lines.firstIndex(of: newline).map { lines[...$0] } ?? lines
  }
}
