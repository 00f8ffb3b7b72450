/// The bytes of a list, as they come: a file's, a pipe's, or a test's own.
package struct ByteSource {
  /// Fills a buffer and gives how many bytes it put there; 0 at the end.
  package let read: (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int
  /// Whether opening it again gives the same bytes again, which a pipe does not.
  package let isRegular: Bool
  /// How many bytes there are, where it is known.
  package let size: Int?

  package init(
    isRegular: Bool, size: Int? = nil,
    read: @escaping (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int
  ) {
    self.isRegular = isRegular
    self.size = size
    self.read = read
  }

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) {
    var position = 0
    self.init(isRegular: true, size: bytes.count) { buffer throws(SourceFailure) in
      let count = min(buffer.count, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
  }
}

/// Why bytes do not come.
package enum SourceFailure: Error, Sendable, Equatable {
  /// There is no such file.
  case missing
  /// The system's reason.
  case unreadable(String)
  /// The user asked to stop.
  case interrupted
}
