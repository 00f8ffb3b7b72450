import SKANRun
import SKANBase

/// The records of a part of an export, in blocks that can be parsed apart from each other.
@safe package final class ExportBlocks {
  /// In bytes; a longer record is mostly a quote that never ends.
  package static let longestRecord = 1 << 20

  package let layout: ExportLayout
  private let source: ByteSource
  private let blockSize: Int
  /// What was read and is in no block yet; it begins with a record.
  private var rest: [UInt8]
  private var line: Int
  private var isAtEnd = false

  init(_ layout: ExportLayout, _ source: ByteSource, rest: [UInt8], line: Int, blockSize: Int) {
    self.layout = layout
    self.source = source
    self.rest = rest
    self.line = line
    self.blockSize = max(blockSize, 64)
  }

  private var separator: UInt8? {
    if case .delimited(let separator) = layout.format { return separator }
    return nil
  }

  /// The next whole records, about a block's size of them; nil after the last.
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

  private func fill(_ buffer: UnsafeMutablePointer<UInt8>, _ count: inout Int, _ capacity: Int) throws(ExportFailure) {
    while count < capacity, !isAtEnd {
      let room = unsafe UnsafeMutableRawBufferPointer(start: buffer + count, count: capacity - count)
      let read: Int
      do throws(SourceFailure) { read = try unsafe source.read(room) } catch { throw .source(error) }
      if read == 0 { isAtEnd = true }
      count += read
    }
  }
}
