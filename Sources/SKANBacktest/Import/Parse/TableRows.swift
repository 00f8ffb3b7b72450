import SKANBase

/// The records of a block of a table, one after the other: the fields that the mapping uses go into their slots.
@safe struct TableRows: ~Copyable {
  private let layout: ExportLayout
  private let slots: FieldSlots
  private let slotOfColumn: [Int]
  private let end: UnsafePointer<UInt8>
  private var position: UnsafePointer<UInt8>
  private var line: Int
  private var arena = TextArena()
  private let longestRow: Int
  /// The separator and a line end in each byte of a word.
  private let separator: UInt8
  private let separators: UInt64
  /// The block's memory is that of the pointers.
  private let block: ExportBlock

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let lineEnds = ones &* UInt64(UInt8(ascii: "\n"))
  private static let quote = UInt8(ascii: "\"")

  init(_ block: ExportBlock, _ plan: ExportPlan, separator: UInt8) {
    self.block = block
    layout = block.layout
    slots = plan.slots
    slotOfColumn = plan.slotOfColumn
    unsafe position = unsafe UnsafePointer(block.start)
    unsafe end = unsafe UnsafePointer(block.start + block.count)
    line = block.firstLine
    longestRow = block.count
    self.separator = separator
    separators = Self.ones &* UInt64(separator)
  }

  /// Reads the next record that has the header's fields; those that have not are counted as rejected.
  ///
  /// - Returns: its line; nil after the last.
  @inline(__always)
  mutating func next(_ mapper: inout RowMapper) -> Int? {
    while unsafe position < end {
      let start = unsafe position
      if unsafe start[0] == UInt8(ascii: "\n") || start[0] == UInt8(ascii: "\r") && start[1] == UInt8(ascii: "\n") {
        unsafe position += start[0] == UInt8(ascii: "\n") ? 1 : 2
        line += 1
        continue
      }
      let first = line
      arena.clear()
      let (width, isClean) = readFields()
      line += 1
      if unsafe isHeader(start, position - start) {
        mapper.tally.repeatedHeaders += 1
      } else if !isClean || width != slotOfColumn.count {
        mapper.tally.rows += 1
        unsafe mapper.reject(isClean ? .width : .quotes, first)
      } else {
        unsafe position += 1
        return first
      }
      unsafe position += 1
    }
    return nil
  }

  /// Reads up to the line end.
  ///
  /// - Returns: how many fields there are, and whether their quotes are right.
  @inline(__always)
  private mutating func readFields() -> (width: Int, isClean: Bool) {
    var column = 0
    var isClean = true
    let (slots, slotOfColumn, separator, separators) = (slots, slotOfColumn, separator, separators)
    let (end, width) = unsafe (end, slotOfColumn.count)
    var current = unsafe position
    while true {
      let slot = column < width ? slotOfColumn[column] : -1
      let first = unsafe current[0]
      if first == Self.quote {
        unsafe position = unsafe current
        if !readQuoted(slot) { isClean = false }
        unsafe current = unsafe position
      } else if first == separator {
        if slot >= 0 { unsafe slots[slot] = unsafe UnsafeBufferPointer(start: current, count: 0) }
      } else {
        let start = unsafe current
        unsafe current = unsafe Self.fieldEnd(start, separators)
        if slot >= 0 {
          var count = unsafe current - start
          if unsafe current[0] == UInt8(ascii: "\n"), count > 0, unsafe start[count - 1] == UInt8(ascii: "\r") {
            count -= 1
          }
          unsafe slots[slot] = unsafe UnsafeBufferPointer(start: start, count: count)
        }
      }
      column += 1
      if unsafe current[0] != separator || current >= end {
        unsafe position = unsafe current
        return (column, isClean)
      }
      unsafe current += 1
    }
  }

  /// The first separator or line end from a byte on, looked for eight bytes at a time; the padding stops it.
  ///
  /// - Parameter separators: the separator, ASCII, in each byte.
  @inline(__always)
  private static func fieldEnd(_ start: UnsafePointer<UInt8>, _ separators: UInt64) -> UnsafePointer<UInt8> {
    var current = unsafe start
    while true {
      let word = unsafe UInt64(littleEndian: UnsafeRawPointer(current).loadUnaligned(as: UInt64.self))
      // The high bit of each byte that is one of them, and perhaps of some above the first such byte.
      let stops = (((word ^ separators) &- ones) | ((word ^ lineEnds) &- ones)) & ~word & 0x8080_8080_8080_8080
      if stops != 0 { return unsafe current + stops.trailingZeroBitCount / 8 }
      unsafe current += 8
    }
  }

  /// Reads a field in quotes.
  ///
  /// - Returns: whether it ends as it should.
  private mutating func readQuoted(_ slot: Int) -> Bool {
    let start = unsafe position + 1
    var current = unsafe start
    var hasQuotes = false
    while true {
      guard unsafe current < end, let step = unsafe current.offset(of: Self.quote, within: end - current) else {
        unsafe position = unsafe end
        return false
      }
      unsafe current += step
      if unsafe current[1] != Self.quote { break }
      unsafe current += 2
      hasQuotes = true
    }
    var field = unsafe UnsafeBufferPointer(start: start, count: current - start)
    unsafe line += RecordScan.lineEnds(start, field.count)
    if slot >= 0 {
      if hasQuotes {
        arena.reserve(longestRow)
        unsafe field = unsafe arena.unquoted(field)
      }
      unsafe slots[slot] = unsafe field
    }
    unsafe position = unsafe current + 1
    if unsafe position >= end || position[0] == separator || position[0] == UInt8(ascii: "\n") { return true }
    let behind = unsafe position
    unsafe position = unsafe Self.fieldEnd(behind, separators)
    return unsafe position - behind == 1 && behind[0] == UInt8(ascii: "\r") && position[0] == UInt8(ascii: "\n")
  }

  /// Whether a record is the header again, as where parts were put together.
  @inline(__always)
  private func isHeader(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let header = layout.header
    guard count >= header.count, unsafe start[0] == header.first || start[0] == 0xEF else { return false }
    return unsafe Self.isHeader(UnsafeBufferPointer(start: start, count: count), header)
  }

  @inline(never)
  private static func isHeader(_ record: UnsafeBufferPointer<UInt8>, _ header: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = unsafe record.starts(with: mark) && !header.starts(with: mark) ? 3 : 0
    let text = unsafe record[start...]
    return unsafe text.starts(with: header)
      && (text.count == header.count || text.count == header.count + 1 && text.last == UInt8(ascii: "\r"))
  }
}
