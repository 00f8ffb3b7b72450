import Foundation
import SKANBase
import Synchronization

/// A file to which lines are added. What breaks off within a line, now or before, is ended, so that no line is glued to it.
package final class LineFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the file may end within a line.
  private let mayBeTorn: Mutex<Bool>
  /// Whether it ended within a line when it was opened.
  package let wasTorn: Bool

  /// Opens a file, creating it when there is none; waits for the reader of a pipe.
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

  /// - Parameter lines: with their ends.
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

  /// Never for a pipe or a terminal, which keep nothing.
  private static func endsWithinLine(_ path: String, _ descriptor: Int32) -> Bool {
    guard let status = try? POSIX.descriptorStatus(descriptor), status.kind == .regular, status.size > 0,
      // Ours can only write.
      let reader = try? POSIX.openForReading(path)
    else { return false }
    defer { try? POSIX.closeDescriptor(reader) }
    return (try? POSIX.readBytes(reader, 1, at: status.size - 1)).map { $0 != [UInt8(ascii: "\n")] && !$0.isEmpty }
      ?? false
  }
}

/// Adds lines to a file so that it ends with a whole one also when the program is killed in the middle.
///
/// The system looks for signals between the pages of a file, so a write that stays within a page is there as a whole or not
/// at all; of a pipe the same is promised for this many bytes.
package enum LineWriter {
  private static let page = 4096

  /// - Parameter lines: with their ends.
  static func append(_ lines: [UInt8], to descriptor: Int32) throws(StreamFailure) {
    // -1 for a pipe, which has no place.
    var index = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    var rest = ArraySlice(lines)
    while !rest.isEmpty {
      let piece = firstPiece(of: rest, room: page - index % page)
      try StandardStream.write(Array(piece), to: descriptor)
      index += piece.count
      rest = rest[piece.endIndex...]
    }
  }

  /// As many whole lines as there is room for, and at least one.
  package static func firstPiece(of lines: ArraySlice<UInt8>, room: Int) -> ArraySlice<UInt8> {
    if lines.count <= room { return lines }
    let newline = UInt8(ascii: "\n")
    if let last = lines.prefix(room).lastIndex(of: newline) { return lines[...last] }
    return lines.firstIndex(of: newline).map { lines[...$0] } ?? lines
  }
}
