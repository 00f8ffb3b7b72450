/// A JSON text taken apart: its bytes, and in one flat list what stands where.
///
/// No tree: once its memory has grown, reading another text into the same document allocates nothing, which is what a list
/// of a million lines needs. Tokens stand in the order of the text: after an object come its keys, each followed by its
/// value; after an array its items.
package final class JSONDocument {
  /// Behind a pointer, so that looking at a token costs no check of exclusive access.
  let memory: UnsafeMutablePointer<Memory>

  struct Memory {
    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0
    var capacity: Int
    var tokens: UnsafeMutablePointer<JSONToken>
    var tokenCount = 0
    var tokenCapacity: Int
    /// Places of tokens, for ``JSONObjectReader``: those of the known keys' values in each object that was taken apart.
    var slots: UnsafeMutablePointer<Int32>
    var slotCount = 0
    var slotCapacity: Int
  }

  package init() {
    memory = .allocate(capacity: 1)
    let (bytes, tokens, slots) = (256, 32, 64)
    memory.initialize(
      to: Memory(
        bytes: .allocate(capacity: bytes), capacity: bytes, tokens: .allocate(capacity: tokens), tokenCapacity: tokens,
        slots: .allocate(capacity: slots), slotCapacity: slots))
  }

  deinit {
    memory.pointee.bytes.deallocate()
    memory.pointee.tokens.deallocate()
    memory.pointee.slots.deallocate()
    memory.deallocate()
  }

  /// Reads a text in the place of the one before; nodes of that one must not be used any more.
  ///
  /// - Throws: ``JSONError`` with the offset of the first byte that is wrong. There is no root then.
  package func read(_ text: UnsafeBufferPointer<UInt8>, dialect: JSONDialect = .strict) throws(JSONError) {
    take(text)
    var reader = JSONReader(memory, dialect)
    try reader.document()
  }

  /// The whole text as a value.
  package var root: JSONNode { JSONNode(self, 0) }

  private func take(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count > memory.pointee.capacity {
      memory.pointee.bytes.deallocate()
      memory.pointee.capacity = text.count * 2
      memory.pointee.bytes = .allocate(capacity: memory.pointee.capacity)
    }
    if let start = text.baseAddress { memory.pointee.bytes.update(from: start, count: text.count) }
    memory.pointee.count = text.count
    memory.pointee.tokenCount = 0
    memory.pointee.slotCount = 0
  }
}

extension JSONDocument.Memory {
  /// Adds a token and gives its place.
  mutating func append(_ token: JSONToken) -> Int {
    if tokenCount == tokenCapacity { growTokens() }
    tokens[tokenCount] = token
    tokenCount += 1
    return tokenCount - 1
  }

  private mutating func growTokens() {
    let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: tokenCapacity * 2)
    larger.moveUpdate(from: tokens, count: tokenCount)
    tokens.deallocate()
    tokens = larger
    tokenCapacity *= 2
  }

  /// Makes room for so many places, all of them empty, and gives the first.
  mutating func reserveSlots(_ count: Int) -> Int {
    if slotCount + count > slotCapacity {
      let larger = UnsafeMutablePointer<Int32>.allocate(capacity: (slotCapacity + count) * 2)
      larger.moveUpdate(from: slots, count: slotCount)
      slots.deallocate()
      slots = larger
      slotCapacity = (slotCapacity + count) * 2
    }
    (slots + slotCount).update(repeating: Self.noToken, count: count)
    slotCount += count
    return slotCount - count
  }

  static let noToken: Int32 = -1

  /// The token after a value and all that stands in it.
  func next(after index: Int) -> Int {
    switch tokens[index].kind {
    case .array, .object: Int(tokens[index].payload)
    default: index + 1
    }
  }

  /// What stands between a string's quotes, escapes as they are written.
  func raw(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let token = tokens[index]
    return UnsafeBufferPointer(start: bytes + token.start + 1, count: token.end - token.start - 2)
  }

  /// The text of a string or key.
  func text(_ index: Int) -> String {
    let raw = raw(index)
    return tokens[index].isEscaped ? JSONEscapes.text(raw) : String(decoding: raw, as: UTF8.self)
  }
}
