import SKANBase
import SKANRun

/// Parses the blocks of an export into rows. Each thread has its own parser.
package final class ExportParser {
  private let mapping: ExportMapping
  /// The plan for the columns of the last block.
  private var plan: ExportPlan?

  package init(_ mapping: ExportMapping) { self.mapping = mapping }

  /// Passes the rows of a block to `body` in order; their texts are only valid during the call.
  ///
  /// - Returns: the tally of the block's rows.
  /// - Throws: an error of `body`.
  package func parse<Failure: Error>(
    _ block: ExportBlock, _ body: (ExportedRow) throws(Failure) -> Void
  ) throws(Failure) -> ImportTally {
    let plan = plan(for: block.layout)
    var mapper = RowMapper(plan)
    switch block.layout.format {
    case .delimited(let separator):
      var rows = TableRows(block, plan, separator: separator)
      while let row = rows.next(&mapper) {
        if let mapped = unsafe mapper.map(row) { try unsafe body(mapped) }
      }
    case .jsonLines:
      var rows = ObjectRows(block, plan)
      while let row = rows.next(&mapper) {
        if let mapped = unsafe mapper.map(row) { try unsafe body(mapped) }
      }
    }
    return mapper.finished
  }

  private func plan(for layout: ExportLayout) -> ExportPlan {
    if let plan, plan.layout === layout { return plan }
    let made = ExportPlan(mapping, layout)
    plan = made
    return made
  }
}

/// Iterates over the records of a table's block, and stores the fields that the mapping uses in their slots.
@safe struct TableRows: ~Copyable {
  private let layout: ExportLayout
  private let slots: FieldSlots
  private let slotOfColumn: [Int]
  private let end: UnsafePointer<UInt8>
  private var position: UnsafePointer<UInt8>
  private var line: Int
  private var arena = TextArena()
  private let longestRow: Int
  /// The separator, and a word with it in each byte.
  private let separator: UInt8
  private let separators: UInt64
  /// Keeps the memory of the pointers alive.
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

  /// Reads the next record that has as many fields as the header; others are counted as rejected.
  ///
  /// - Returns: the record's line; nil after the last.
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

  /// Reads the fields up to the line end.
  ///
  /// - Returns: the number of fields, and whether their quotes are valid.
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

  /// Finds the first separator or line end, eight bytes at a time. The padding ends with a line end.
  ///
  /// - Parameter separators: the ASCII separator in each byte.
  @inline(__always)
  private static func fieldEnd(_ start: UnsafePointer<UInt8>, _ separators: UInt64) -> UnsafePointer<UInt8> {
    var current = unsafe start
    while true {
      let word = unsafe UInt64(littleEndian: UnsafeRawPointer(current).loadUnaligned(as: UInt64.self))
      // The high bit of each byte that matches, and perhaps of some bytes above the first match.
      let stops = (((word ^ separators) &- ones) | ((word ^ lineEnds) &- ones)) & ~word & 0x8080_8080_8080_8080
      if stops != 0 { return unsafe current + stops.trailingZeroBitCount / 8 }
      unsafe current += 8
    }
  }

  /// Reads a field in quotes.
  ///
  /// - Returns: whether the field ends correctly.
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

  /// Whether a record repeats the header, as where exports were concatenated.
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

/// Iterates over the objects of a JSON Lines block, and stores the values that the mapping uses in their slots.
@safe struct ObjectRows: ~Copyable {
  private let slots: FieldSlots
  private let paths: [ExportPath]
  private let end: UnsafePointer<UInt8>
  private var position: UnsafePointer<UInt8>
  private var line: Int
  private var arena = TextArena()
  private let longestRow: Int
  private let document = JSONDocument()
  private let block: ExportBlock

  init(_ block: ExportBlock, _ plan: ExportPlan) {
    self.block = block
    slots = plan.slots
    paths = plan.paths
    unsafe position = unsafe UnsafePointer(block.start)
    unsafe end = unsafe UnsafePointer(block.start + block.count)
    line = block.firstLine
    longestRow = block.count
  }

  /// Reads the next line with an object; others are counted as rejected.
  ///
  /// - Returns: the line number; nil after the last.
  mutating func next(_ mapper: inout RowMapper) -> Int? {
    while unsafe position < end {
      let start = unsafe position
      let count = unsafe start.offset(of: UInt8(ascii: "\n"), within: end - start) ?? end - start
      let number = line
      unsafe position = unsafe start + count + 1
      line += 1
      let text = unsafe UnsafeBufferPointer(start: start, count: count)
      if unsafe text.allSatisfy(\.isLineSpace) { continue }
      arena.clear()
      do throws(JSONError) { try unsafe document.read(text, dialect: .export) } catch {
        mapper.tally.rows += 1
        unsafe mapper.reject(.json, number)
        continue
      }
      let root = document.root
      guard root.isObject else {
        mapper.tally.rows += 1
        unsafe mapper.reject(.json, number)
        continue
      }
      for (slot, path) in paths.enumerated() {
        let text = unsafe value(path.node(in: root)); unsafe slots[slot] = unsafe text
      }
      return number
    }
    return nil
  }

  /// The content of a string without its quotes; any other value as written.
  private mutating func value(_ node: JSONNode?) -> UnsafeBufferPointer<UInt8> {
    guard let node else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    let source = unsafe node.source
    guard unsafe source.first == UInt8(ascii: "\"") else { return unsafe source }
    let inner = unsafe UnsafeBufferPointer(rebasing: source[1..<source.count - 1])
    guard let start = inner.baseAddress, unsafe start.offset(of: UInt8(ascii: "\\"), within: inner.count) != nil,
      case .string(let text) = node.content
    else { return unsafe inner }
    arena.reserve(longestRow)
    return unsafe arena.copy(text.utf8)
  }
}

/// Memory for texts of one row that differ from the input: fields with doubled quotes, strings with escapes.
@safe struct TextArena: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  private var used = 0

  deinit { unsafe memory?.deallocate() }

  /// Discards the texts of the previous row.
  @inline(__always)
  mutating func clear() { used = 0 }

  /// Reserves memory for the texts of a row; called before there are any.
  mutating func reserve(_ bytes: Int) {
    if bytes <= capacity || used > 0 { return }
    unsafe memory?.deallocate()
    unsafe memory = .allocate(capacity: bytes)
    capacity = bytes
  }

  /// Copies a text. The copy is truncated if there is no space, which cannot happen as a row's texts are no longer than
  /// the row.
  mutating func copy(_ text: some Sequence<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let memory = unsafe memory else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    let start = unsafe memory + used
    var count = 0
    for byte in text where used + count < capacity {
      unsafe start[count] = byte
      count += 1
    }
    used += count
    return unsafe UnsafeBufferPointer(start: start, count: count)
  }

  /// Copies a field with each two quotes replaced by one.
  mutating func unquoted(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let quote = UInt8(ascii: "\"")
    guard let memory = unsafe memory else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    let start = unsafe memory + used
    var (index, count) = (0, 0)
    while index < text.count, used + count < capacity {
      unsafe start[count] = unsafe text[index]
      index += unsafe text[index] == quote ? 2 : 1
      count += 1
    }
    used += count
    return unsafe UnsafeBufferPointer(start: start, count: count)
  }
}
