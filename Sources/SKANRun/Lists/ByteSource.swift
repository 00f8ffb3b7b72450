/// The bytes of a list, as they come: a file's, a pipe's, or a test's own.
@safe package struct ByteSource {
  /// Fills a buffer and gives how many bytes it put there; 0 at the end.
  package let read: (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int
  /// Whether opening it again gives the same bytes again, which a pipe does not.
  package let isRegular: Bool
  /// How many bytes there are, where it is known.
  package let size: Int?
  /// Tells one file from all others, whatever path led to it; nil where that is not known.
  package let identity: Identity?

  /// What a file system calls a file.
  package struct Identity: Sendable, Equatable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }

  package init(
    isRegular: Bool, size: Int? = nil, identity: Identity? = nil,
    read: @escaping (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int
  ) {
    self.isRegular = isRegular
    self.size = size
    self.identity = identity
    unsafe self.read = unsafe read
  }

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) {
    var position = 0
    unsafe self.init(isRegular: true, size: bytes.count) { buffer throws(SourceFailure) in
      let count = min(buffer.count, bytes.count - position)
      unsafe buffer.copyBytes(from: bytes[position..<position + count])
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
  /// The program that unpacks them is not on the `PATH`.
  case programMissing(String)
  /// The user asked to stop.
  case interrupted
}
