import SKANBase

/// The objects of a block of JSON Lines, one after the other: the values that the mapping uses go into their slots.
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
  /// - Returns: its line; nil after the last.
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

  /// A string without its quotes; anything else as it is written.
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
