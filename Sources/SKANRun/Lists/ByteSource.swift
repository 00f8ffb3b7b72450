import SKANBase

/// A stream of a list's bytes, from a file, a pipe or memory.
@safe package struct ByteSource {
  /// Fills a buffer and returns the number of bytes; 0 at the end.
  package let read: (UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int
  /// Whether it can be opened again for the same bytes; a pipe cannot.
  package let isRegular: Bool
  /// The number of bytes, where it is known.
  package let size: Int?
  /// Identifies the file, whatever path led to it; nil where that is not known.
  package let identity: Identity?

  /// A file's identity in its file system.
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

extension ByteSource {
  /// All bytes of a file.
  ///
  /// - Throws: also for a pipe, and if there are more than `most`.
  func all(most: Int) throws(SourceFailure) -> [UInt8] {
    guard isRegular else { throw .unreadable("it is not a plain file") }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= most {
      var result: Result<Int, SourceFailure> = .success(0)
      unsafe buffer.withUnsafeMutableBytes { buffer in
        do throws(SourceFailure) { result = .success(try unsafe read(buffer)) } catch { result = .failure(error) }
      }
      let count = try result.get()
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw .unreadable("it is larger than \(most >> 20) MiB")
  }
}

/// Why bytes cannot be read.
package enum SourceFailure: Error, Sendable, Equatable {
  /// There is no such file.
  case missing
  /// The system's reason.
  case unreadable(String)
  /// The program that decompresses the file is not on the `PATH`.
  case programMissing(String)
  /// A compressed file holds more bytes than this number.
  case unpacksToMore(than: Int)
  /// The user asked to stop.
  case interrupted
}

extension ByteSource {
  /// This source after some bytes that were already read from it, such as those that identify its format.
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

  /// This source, reporting the number of bytes of each read to `watch`.
  package func watched(_ watch: @escaping (Int) -> Void) -> ByteSource {
    unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) { buffer throws(SourceFailure) in
      let count = try unsafe read(buffer)
      watch(count)
      return count
    }
  }

  /// This source of unpacked bytes; reading more than `most` of them throws ``SourceFailure/unpacksToMore(than:)``.
  package func bounded(to most: Int) -> ByteSource {
    var total = 0
    return unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) { buffer throws(SourceFailure) in
      let count = try unsafe read(buffer)
      total += count
      if total > most { throw .unpacksToMore(than: most) }
      return count
    }
  }

  /// The first `count` bytes, or all where there are fewer.
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

/// Splits bytes into lines, in a buffer of fixed size.
@safe package final class LineReader {
  /// The longest line in bytes. A longer one means that line ends are missing, or that the file is not text.
  package static let longest = 1 << 20
  /// After this many bytes of one line the source counts as ended, as it may be endless.
  package static let mostPassedOver = 64 << 20
  private static let block = 1 << 16

  @safe package enum Line {
    /// The line without its end, valid until the next line is read.
    case line(UnsafeBufferPointer<UInt8>)
    /// The beginning of a line longer than ``LineReader/longest``, which was skipped.
    case tooLong(UnsafeBufferPointer<UInt8>)
  }

  private let source: ByteSource
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity = LineReader.longest + LineReader.block
  /// The range of the buffer that was read and not yet returned.
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// Bytes of the lines so far, with their ends.
  package private(set) var consumed = 0

  private let skipsByteOrderMark: Bool

  /// - Parameter skipsByteOrderMark: whether the first line is returned without a byte order mark of UTF-8.
  package init(_ source: ByteSource, skipsByteOrderMark: Bool = false) {
    self.source = source
    self.skipsByteOrderMark = skipsByteOrderMark
    unsafe buffer = .allocate(capacity: capacity)
  }

  deinit { unsafe buffer.deallocate() }

  /// Returns the next line; nil after the last. Bytes after the last line end are a line, too.
  package func next() throws(SourceFailure) -> Line? {
    var searched = start
    while true {
      if let line = nextAtHand(searchingFrom: searched) { return line }
      if isAtEnd { return start == end ? nil : give(upTo: end, next: end) }
      if end - start > Self.longest { return try tooLong() }
      searched = try fill(keeping: end - start)
    }
  }

  /// The next line if the buffer has all of it: this reads no input, and earlier lines stay valid.
  package func nextAtHand() -> Line? { nextAtHand(searchingFrom: start) }

  private func nextAtHand(searchingFrom index: Int) -> Line? {
    guard let length = unsafe UnsafePointer(buffer + index).offset(of: 0x0A, within: end - index) else { return nil }
    return give(upTo: index + length, next: index + length + 1)
  }

  private func give(upTo newline: Int, next: Int) -> Line {
    var line = unsafe UnsafeBufferPointer(start: buffer + start, count: newline - start)
    if consumed == 0, skipsByteOrderMark { unsafe line = UnsafeBufferPointer(rebasing: line.withoutByteOrderMark) }
    consumed += next - start
    start = next
    return unsafe line.count > Self.longest ? .tooLong(beginning(line)) : .line(line)
  }

  private func beginning(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: line.prefix(200))
  }

  /// Reads a block after the bytes that are kept; returns where the new bytes begin.
  private func fill(keeping kept: Int) throws(SourceFailure) -> Int {
    unsafe buffer.update(from: buffer + start, count: kept)
    start = 0
    end = kept
    let count = try unsafe source.read(UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.block))
    if count == 0 { isAtEnd = true }
    end += count
    return kept
  }

  /// Skips a line up to its end.
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
