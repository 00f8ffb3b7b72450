/// A parsed JSON text: its bytes, and in one flat list what stands where.
///
/// No tree: once its memory has grown, reading another text into the same document allocates nothing, which is what a list
/// of a million lines needs. Tokens stand in the order of the text: after an object come its keys, each followed by its
/// value; after an array its items.
@safe package final class JSONDocument {
  /// Behind a pointer, so that looking at a token costs no check of exclusive access.
  let memory: UnsafeMutablePointer<Memory>

  @safe struct Memory {
    var bytes: PaddedBytes
    #if DEBUG
      /// Counts the texts that were read, so that a node of an earlier one is found out.
      var generation = 0
    #endif
    var tokens: UnsafeMutablePointer<JSONToken>
    var tokenCount = 0
    var tokenCapacity: Int
    /// Positions of tokens, for ``JSONObjectReader``: those of the known keys' values in each parsed object.
    var slots: UnsafeMutablePointer<Int32>
    var slotCount = 0
    var slotCapacity: Int
  }

  /// Offsets are kept in 32 bits.
  static let longest = Int(UInt32.max) - PaddedBytes.padding

  package init() {
    unsafe memory = .allocate(capacity: 1)
    let (bytes, tokens, slots) = (256, 32, 64)
    unsafe memory.initialize(
      to: Memory(
        bytes: PaddedBytes(capacity: bytes), tokens: .allocate(capacity: tokens), tokenCapacity: tokens,
        slots: .allocate(capacity: slots), slotCapacity: slots))
  }

  deinit {
    unsafe memory.pointee.bytes.deallocate()
    unsafe memory.pointee.tokens.deallocate()
    unsafe memory.pointee.slots.deallocate()
    unsafe memory.deallocate()
  }

  /// Reads a text in the place of the one before; a node of that one traps in debug builds.
  ///
  /// - Throws: ``JSONError`` with the offset of the first byte that is wrong. There is no root then.
  package func read(_ text: UnsafeBufferPointer<UInt8>, dialect: JSONDialect = .strict) throws(JSONError) {
    guard text.count <= Self.longest else { throw JSONError(problem: .tooLong, offset: Self.longest) }
    unsafe memory.pointee.take(text)
    var reader = unsafe JSONReader(memory, dialect)
    try reader.document()
  }

  /// The whole text as a value.
  package var root: JSONNode { JSONNode(self, 0) }
}

extension JSONDocument.Memory {
  fileprivate mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    unsafe bytes.assign(text)
    #if DEBUG
      generation += 1
    #endif
    tokenCount = 0
    slotCount = 0
  }

  /// Adds a token and gives its position.
  @inline(__always)
  mutating func append(_ token: JSONToken) -> Int {
    if tokenCount == tokenCapacity { growTokens() }
    unsafe tokens[tokenCount] = token
    tokenCount += 1
    return tokenCount - 1
  }

  @inline(never)
  private mutating func growTokens() {
    let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: tokenCapacity * 2)
    unsafe larger.moveUpdate(from: tokens, count: tokenCount)
    unsafe tokens.deallocate()
    unsafe tokens = unsafe larger
    tokenCapacity *= 2
  }

  /// Reserves `count` empty positions and returns the first.
  mutating func reserveSlots(_ count: Int) -> Int {
    if slotCount + count > slotCapacity {
      let larger = UnsafeMutablePointer<Int32>.allocate(capacity: (slotCapacity + count) * 2)
      unsafe larger.moveUpdate(from: slots, count: slotCount)
      unsafe slots.deallocate()
      unsafe slots = unsafe larger
      slotCapacity = (slotCapacity + count) * 2
    }
    unsafe (slots + slotCount).update(repeating: Self.noToken, count: count)
    slotCount += count
    return slotCount - count
  }

  static let noToken: Int32 = -1

  /// The token after a value and all that stands in it.
  @inline(__always)
  func next(after index: Int) -> Int {
    unsafe tokens[index].kind.rawValue >= JSONToken.Kind.array.rawValue ? Int(tokens[index].payload) : index + 1
  }

  /// What stands between a string's quotes, escapes as they are written.
  @inline(__always)
  func raw(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let token = unsafe tokens[index]
    return unsafe UnsafeBufferPointer(
      start: bytes.start + Int(token.start) + 1, count: Int(token.end - token.start) - 2)
  }

  /// The text of a string or key.
  func text(_ index: Int) -> String {
    let raw = unsafe raw(index)
    return unsafe tokens[index].isEscaped ? JSONEscapes.text(raw) : String(decoding: raw, as: UTF8.self)
  }

  /// Whether two strings say the same, however they are written.
  func haveSameText(_ left: Int, _ right: Int) -> Bool {
    if unsafe tokens[left].isEscaped || tokens[right].isEscaped { return text(left).isLiterally(text(right)) }
    let (one, other) = unsafe (raw(left), raw(right))
    return unsafe one.count == other.count && one.elementsEqual(other)
  }

  /// Whether a string or key says this.
  func isText(_ index: Int, _ other: String) -> Bool {
    if unsafe tokens[index].isEscaped { return text(index).isLiterally(other) }
    let raw = unsafe raw(index)
    return unsafe raw.count == other.utf8.count && raw.elementsEqual(other.utf8)
  }
}
