import SKANBase

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

extension ByteSource {
  /// The same with some bytes before it, such as those that were read to find out what it is.
  package func preceded(by bytes: [UInt8]) -> ByteSource {
    var position = 0
    return unsafe ByteSource(isRegular: false, size: size, identity: identity) { buffer throws(SourceFailure) in
      if position == bytes.count { return try unsafe read(buffer) }
      let count = min(buffer.count, bytes.count - position)
      unsafe buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
  }

  /// The same; `watch` gets the number of bytes of each read.
  package func watched(_ watch: @escaping (Int) -> Void) -> ByteSource {
    unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) { buffer throws(SourceFailure) in
      let count = try unsafe read(buffer)
      watch(count)
      return count
    }
  }

  /// The first bytes: fewer than asked for where there are fewer.
  package func beginning(_ count: Int) throws(SourceFailure) -> [UInt8] {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { unsafe block.deallocate() }
    var filled = 0
    while filled < count {
      let more = try unsafe read(UnsafeMutableRawBufferPointer(rebasing: block[filled...]))
      if more == 0 { break }
      filled += more
    }
    return unsafe Array(block[..<filled])
  }
}

/// Cuts bytes into lines, in memory of a fixed size.
@safe package final class LineReader {
  /// No one writes a longer line: the ends of lines are missing, or it is not text.
  package static let longest = 1 << 20
  /// Behind so many bytes of one line the source counts as ended: it may be one that never ends.
  package static let mostPassedOver = 64 << 20
  private static let block = 1 << 16

  @safe package enum Line {
    /// Without its end; good until the next line is asked for.
    case line(UnsafeBufferPointer<UInt8>)
    /// It is longer than ``LineReader/longest``, and was passed over; its beginning.
    case tooLong(UnsafeBufferPointer<UInt8>)
  }

  private let source: ByteSource
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity = LineReader.longest + LineReader.block
  /// The part of the buffer that was read and not yet passed on.
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// Bytes of the lines so far.
  package private(set) var consumed = 0

  package init(_ source: ByteSource) {
    self.source = source
    unsafe buffer = .allocate(capacity: capacity)
  }

  deinit { unsafe buffer.deallocate() }

  /// The next line, or nil after the last. What stands behind the last line end is a line too, if it is anything.
  package func next() throws(SourceFailure) -> Line? {
    var searched = start
    while true {
      if let line = nextAtHand(searchingFrom: searched) { return line }
      if isAtEnd { return start == end ? nil : give(upTo: end, next: end) }
      if end - start > Self.longest { return try tooLong() }
      searched = try fill(keeping: end - start)
    }
  }

  /// The next line, where all of it was read already: there is no wait for input then, and earlier lines stay good.
  package func nextAtHand() -> Line? { nextAtHand(searchingFrom: start) }

  private func nextAtHand(searchingFrom index: Int) -> Line? {
    guard let length = unsafe UnsafePointer(buffer + index).offset(of: 0x0A, within: end - index) else { return nil }
    return give(upTo: index + length, next: index + length + 1)
  }

  private func give(upTo newline: Int, next: Int) -> Line {
    let line = unsafe UnsafeBufferPointer(start: buffer + start, count: newline - start)
    consumed += next - start
    start = next
    return unsafe line.count > Self.longest ? .tooLong(beginning(line)) : .line(line)
  }

  private func beginning(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: line.prefix(200))
  }

  /// Reads a block behind what is kept; gives where the new bytes begin.
  private func fill(keeping kept: Int) throws(SourceFailure) -> Int {
    unsafe buffer.update(from: buffer + start, count: kept)
    start = 0
    end = kept
    let count = try unsafe source.read(UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.block))
    if count == 0 { isAtEnd = true }
    end += count
    return kept
  }

  /// Passes over a line to its end.
  private func tooLong() throws(SourceFailure) -> Line {
    let kept = 200
    let beginning = consumed
    while true {
      consumed += end - start - kept
      end = start + kept
      let new = try fill(keeping: kept)
      if let length = unsafe UnsafePointer(buffer + new).offset(of: 0x0A, within: end - new) {
        start = new + length + 1
        consumed += start
        break
      }
      if consumed - beginning > Self.mostPassedOver { isAtEnd = true }
      if isAtEnd {
        consumed += end
        start = end
        break
      }
    }
    return unsafe .tooLong(UnsafeBufferPointer(start: buffer, count: kept))
  }
}
