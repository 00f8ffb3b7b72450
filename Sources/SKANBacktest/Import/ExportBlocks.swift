import SKANBase
import SKANRun

/// Reads the records of a part of an export in blocks, which can be parsed independently.
@safe package final class ExportBlocks {
  /// The most bytes of a record; a longer one usually has a quote that never ends.
  package static let longestRecord = 1 << 20

  package let layout: ExportLayout
  private let source: ByteSource
  /// Rewrites the input as lines; nil for input that consists of lines.
  private let elements: JSONElements?
  private let blockSize: Int
  /// Bytes that were read and are not in a block yet; they begin with a record.
  private var rest: [UInt8]
  private var line: Int
  private var isAtEnd = false

  init(
    _ layout: ExportLayout, _ source: ByteSource, elements: JSONElements? = nil, rest: [UInt8], line: Int,
    blockSize: Int
  ) {
    self.layout = layout
    self.source = source
    self.elements = elements
    self.rest = rest
    self.line = line
    self.blockSize = max(blockSize, 64)
  }

  private var separator: UInt8? {
    if case .delimited(let separator) = layout.format { return separator }
    return nil
  }

  /// The next complete records, about the size of a block; nil after the last.
  package func next() throws(ExportFailure) -> ExportBlock? {
    if isAtEnd, rest.isEmpty { return nil }
    var capacity = max(blockSize, rest.count + min(blockSize, 1 << 16))
    var buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + ExportBlock.padding)
    var count = rest.count
    unsafe rest.withUnsafeBufferPointer { rest in
      if let start = rest.baseAddress { unsafe buffer.update(from: start, count: rest.count) }
    }
    rest = []
    do throws(ExportFailure) {
      while true {
        try unsafe fill(buffer, &count, capacity)
        let scan = unsafe RecordScan(UnsafeBufferPointer(start: buffer, count: count), separator: separator)
        var end = scan.end
        if isAtEnd {
          if let quote = scan.openQuote {
            let before = unsafe RecordScan.lineEnds(buffer, quote)
            throw .content(line: line + before, message: "a quote in this line opens a field that never ends")
          }
          end = count
        } else if end < count, count - end > Self.longestRecord {
          let before = unsafe RecordScan.lineEnds(buffer, end)
          throw .content(
            line: line + before,
            message: "the record of this line has more than \(Self.longestRecord) bytes: is a quote missing?")
        }
        if end > 0 || isAtEnd {
          try unsafe checkText(UnsafeBufferPointer(start: buffer, count: end))
          if end < count { unsafe rest = Array(UnsafeBufferPointer(start: buffer + end, count: count - end)) }
          let block = unsafe ExportBlock(layout, firstLine: line, start: buffer, count: end)
          unsafe line += RecordScan.lineEnds(buffer, end)
          return end == 0 ? nil : block
        }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + ExportBlock.padding)
        unsafe larger.update(from: buffer, count: count)
        unsafe buffer.deallocate()
        unsafe buffer = unsafe larger
        capacity *= 2
      }
    } catch {
      unsafe buffer.deallocate()
      throw error
    }
  }

  static let notUTF8 =
    "this line is not UTF-8; Latin-1 (Windows-1252) is read with --encoding latin1, other encodings after iconv -t UTF-8"

  /// Throws for complete records that are not UTF-8: what they mean must be said, not guessed.
  private func checkText(_ text: UnsafeBufferPointer<UInt8>) throws(ExportFailure) {
    if unsafe text.isUTF8 { return }
    let bytes = unsafe Array(text)
    let before = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .prefix { String(validating: $0, as: UTF8.self) != nil }.count
    throw .content(line: line + before, message: Self.notUTF8)
  }

  private func fill(_ buffer: UnsafeMutablePointer<UInt8>, _ count: inout Int, _ capacity: Int) throws(ExportFailure) {
    while count < capacity, !isAtEnd {
      let room = unsafe UnsafeMutableRawBufferPointer(start: buffer + count, count: capacity - count)
      let read: Int
      do throws(SourceFailure) { read = try unsafe source.read(room) } catch { throw .source(error) }
      if read == 0 { try end() }
      count += read
    }
  }

  private func end() throws(ExportFailure) {
    isAtEnd = true
    if let problem = elements?.problem { throw .content(line: problem.line, message: problem.message) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are UTF-8, for which most are ASCII.
  var isUTF8: Bool { unsafe isASCII || String(validating: self, as: UTF8.self) != nil }
}

/// Complete records of a part of an export, which can be parsed on any thread.
@safe package final class ExportBlock: @unchecked Sendable {
  /// The bytes after the records that can be read; the first is a line end.
  static let padding = 16

  package let layout: ExportLayout
  /// The line of the first record, from 1.
  package let firstLine: Int
  /// Not changed after the block is made.
  let start: UnsafeMutablePointer<UInt8>
  package let count: Int

  /// - Parameter start: memory with ``padding`` additional bytes, which the block owns from now on.
  init(_ layout: ExportLayout, firstLine: Int, start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.layout = layout
    self.firstLine = firstLine
    unsafe self.start = unsafe start
    self.count = count
    unsafe (start + count).update(repeating: UInt8(ascii: "\n"), count: Self.padding)
  }

  deinit { unsafe start.deallocate() }
}

/// Finds the ends of records in a text that begins with a record. A line end within quotes is part of a field.
///
/// A quote only opens a field at its beginning; any other quote is a normal character, as in real exports.
@safe struct RecordScan {
  /// The end of the last complete record; 0 if there is none.
  private(set) var end = 0
  /// The quote that is still open at the end of the text.
  private(set) var openQuote: Int?

  /// - Parameter separator: nil if quotes have no meaning, as in JSON Lines.
  init(_ text: UnsafeBufferPointer<UInt8>, separator: UInt8?) {
    guard let start = text.baseAddress else { return }
    guard let separator else {
      end = unsafe Self.behindLastLineEnd(start, 0, text.count) ?? 0
      return
    }
    let quote = UInt8(ascii: "\"")
    var plain = 0
    var position = 0
    while true {
      guard let step = unsafe (start + position).offset(of: quote, within: text.count - position) else {
        end = unsafe Self.behindLastLineEnd(start, plain, text.count) ?? end
        return
      }
      let opening = position + step
      let before = unsafe opening == 0 ? UInt8(ascii: "\n") : start[opening - 1]
      if before != separator, before != UInt8(ascii: "\n") {
        position = opening + 1
        continue
      }
      end = unsafe Self.behindLastLineEnd(start, plain, opening) ?? end
      guard let closing = unsafe Self.closing(start, opening, text.count) else {
        openQuote = opening
        return
      }
      plain = closing + 1
      position = plain
    }
  }

  /// The quote that closes a field; nil when it is not in the text. A quote that is the last byte may be the first of
  /// two. That is resolved when there is more text: no record ends there, so the record is read again.
  @inline(__always)
  private static func closing(_ start: UnsafePointer<UInt8>, _ opening: Int, _ count: Int) -> Int? {
    let quote = UInt8(ascii: "\"")
    var position = opening + 1
    while let step = unsafe (start + position).offset(of: quote, within: count - position) {
      position += step
      if unsafe position + 1 >= count || start[position + 1] != quote { return position }
      position += 2
      if position >= count { return nil }
    }
    return nil
  }

  @inline(__always)
  private static func behindLastLineEnd(_ start: UnsafePointer<UInt8>, _ from: Int, _ to: Int) -> Int? {
    var position = to
    while position > from {
      if unsafe start[position - 1] == UInt8(ascii: "\n") { return position }
      position -= 1
    }
    return nil
  }

  /// The number of line ends in a text.
  static func lineEnds(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var (lines, position) = (0, 0)
    let lineEnd = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
    while position + 16 <= count {
      // A lane can count up to 255.
      let end = min(count - 15, position + 255 * 16)
      var counts = SIMD16<UInt8>()
      while position < end {
        let bytes = unsafe UnsafeRawPointer(start + position).loadUnaligned(as: SIMD16<UInt8>.self)
        counts &+= SIMD16<UInt8>().replacing(with: 1, where: bytes .== lineEnd)
        position += 16
      }
      for lane in counts.indices { lines &+= Int(counts[lane]) }
    }
    while position < count {
      lines &+= unsafe start[position] == UInt8(ascii: "\n") ? 1 : 0
      position += 1
    }
    return lines
  }
}
