import SKANBase

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
  /// What of the buffer was read and not yet given on.
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
