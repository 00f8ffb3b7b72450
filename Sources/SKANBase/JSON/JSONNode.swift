/// A JSON value with its location in the text, so that a message can point at it.
package struct JSONNode {
  /// The value; integers that fit in 64 bits are kept apart from other numbers.
  package enum Content {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }

  let document: JSONDocument
  let index: Int
  #if DEBUG
    private let generation: Int
  #endif

  init(_ document: JSONDocument, _ index: Int) {
    self.document = document
    self.index = index
    #if DEBUG
      generation = unsafe document.memory.pointee.generation
    #endif
  }

  var token: JSONToken {
    #if DEBUG
      unsafe precondition(
        generation == document.memory.pointee.generation, "a node of a text that was read before this one")
    #endif
    return unsafe document.memory.pointee.tokens[index]
  }

  /// Byte offsets in the text that was read, the end exclusive.
  package var range: Range<Int> { token.range }

  /// The bytes of the value in the text.
  package var source: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: document.memory.pointee.bytes.start + range.lowerBound, count: range.count)
  }

  package var content: Content {
    let token = token
    switch token.kind {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .integer: return .integer(Int64(bitPattern: token.payload))
    case .unsigned: return .unsigned(token.payload)
    case .double: return .double(Double(bitPattern: token.payload))
    case .string: return unsafe .string(document.memory.pointee.text(index))
    case .array: return .array(Array(children))
    case .object:
      var keys = children.makeIterator()
      var members: [JSONMember] = []
      while let key = keys.next(), let value = keys.next() {
        unsafe members.append(
          JSONMember(key: document.memory.pointee.text(key.index), keyRange: key.range, value: value))
      }
      return .object(members)
    }
  }

  /// The contents of an array or object: items, or keys and values in turn.
  private var children: some Sequence<JSONNode> {
    sequence(state: index + 1) { position -> JSONNode? in
      guard unsafe position < document.memory.pointee.next(after: index) else { return nil }
      defer { position = unsafe document.memory.pointee.next(after: position) }
      return JSONNode(document, position)
    }
  }

  /// The last member of that name; nil if the value is not an object or has no such member.
  package func member(_ key: String) -> JSONNode? {
    guard token.kind == .object else { return nil }
    let memory = unsafe document.memory.pointee
    let end = memory.next(after: index)
    var found: Int?
    var position = index + 1
    while position < end {
      if memory.isText(position, key) { found = position + 1 }
      position = memory.next(after: position + 1)
    }
    return found.map { JSONNode(document, $0) }
  }

  /// The value without its locations; of two equal keys the last one counts.
  package var value: JSON { content.value }

  /// The kind of value in the words of a message: "a string", "null".
  package var kind: String { content.kind }

  package var isObject: Bool { token.kind == .object }

  package var isNull: Bool { token.kind == .null }
}

extension JSONNode {
  /// The text of a member; nil if it is absent or not a string.
  package func text(_ key: String) -> String? { member(key)?.content.text }

  /// The integer of a member; nil if it is absent or not an integer.
  package func integer(_ key: String) -> Int64? {
    if case .integer(let number)? = member(key)?.content { number } else { nil }
  }
}

extension JSONNode.Content {
  /// The text; nil for other values.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value without its locations; of two equal keys the last one counts.
  package var value: JSON {
    switch self {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .unsigned(let number): return .unsigned(number)
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .array(let items): return .array(items.map(\.value))
    case .object(let members):
      var seen: Set<[UInt8]> = []
      let last = members.reversed().filter { seen.insert(Array($0.key.utf8)).inserted }
      return .object(last.reversed().map { ($0.key, $0.value.value) })
    }
  }

  /// The kind of value in the words of a message.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value for a message: the value itself if it is short, otherwise its kind.
  package var briefly: String {
    switch self {
    case .array, .object, .null: return kind
    default:
      let text = JSONWriter.text(value)
      return text.count <= 40 ? text : kind
    }
  }
}

/// One `"key": value` of an object.
package struct JSONMember {
  package var key: String
  /// Byte offsets of the quoted key.
  package var keyRange: Range<Int>
  package var value: JSONNode
}

/// A parsed JSON text: its bytes and a flat list of tokens.
///
/// There is no tree: once the memory has grown, reading another text into the same document allocates nothing, which a
/// list of a million lines needs. Tokens are in the order of the text: an object is followed by its keys, each with its
/// value, and an array by its items.
@safe package final class JSONDocument {
  /// A pointer, so that reading a token needs no exclusivity check.
  let memory: UnsafeMutablePointer<Memory>

  @safe struct Memory {
    var bytes: PaddedBytes
    #if DEBUG
      /// Counts the texts read, so that use of a node from an earlier text is detected.
      var generation = 0
    #endif
    var tokens: UnsafeMutablePointer<JSONToken>
    var tokenCount = 0
    var tokenCapacity: Int
    /// Token positions for ``JSONObjectReader``: the values of the known keys in each parsed object.
    var slots: UnsafeMutablePointer<Int32>
    var slotCount = 0
    var slotCapacity: Int
  }

  /// The longest text in bytes; offsets are 32 bits wide.
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

  /// Replaces the text with another one. Using a node of the previous text traps in debug builds.
  ///
  /// - Throws: ``JSONError`` with the offset of the first invalid byte. The document then has no root.
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

  /// Appends a token and returns its position.
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

  /// Reserves `count` empty slots and returns the first.
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

  /// The token after a value and everything in it.
  @inline(__always)
  func next(after index: Int) -> Int {
    unsafe tokens[index].kind.rawValue >= JSONToken.Kind.array.rawValue ? Int(tokens[index].payload) : index + 1
  }

  /// The text between a string's quotes, with its escapes.
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

  /// Whether two strings are equal once unescaped.
  func haveSameText(_ left: Int, _ right: Int) -> Bool {
    if unsafe tokens[left].isEscaped || tokens[right].isEscaped { return text(left).isLiterally(text(right)) }
    let (one, other) = unsafe (raw(left), raw(right))
    return unsafe one.count == other.count && one.elementsEqual(other)
  }

  /// Whether a string or key equals a text.
  func isText(_ index: Int, _ other: String) -> Bool {
    if unsafe tokens[index].isEscaped { return text(index).isLiterally(other) }
    let raw = unsafe raw(index)
    return unsafe raw.count == other.utf8.count && raw.elementsEqual(other.utf8)
  }
}

/// A value or key of a text: its kind and location.
struct JSONToken {
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, unsigned, double, string, array, object
  }

  /// Byte offsets in the text, quotes and brackets included, the end exclusive.
  var start: UInt32
  var end: UInt32
  /// A number's bits. For an array or object, the index of the token after it and everything in it.
  var payload: UInt64 = 0
  var kind: Kind
  /// Whether a string contains a backslash.
  var isEscaped = false

  init(_ kind: Kind, start: Int, end: Int) {
    self.kind = kind
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Growable bytes followed by ``padding`` zero bytes, so that a word can be loaded at each byte and a scan stops at the
/// end. Debug builds check that nothing beyond the padding is read.
@safe struct PaddedBytes {
  /// The number of padding bytes: the size of a word.
  static let padding = 8

  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  /// - Parameter capacity: bytes, padding included.
  init(capacity: Int) {
    self.capacity = max(capacity, Self.padding)
    unsafe start = .allocate(capacity: self.capacity)
    unsafe UnsafeMutableRawPointer(start).storeBytes(of: 0, as: UInt64.self)
  }

  func deallocate() { unsafe start.deallocate() }

  /// Copies a text over the previous one.
  mutating func assign(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count + Self.padding > capacity {
      unsafe start.deallocate()
      capacity = (text.count + Self.padding) * 2
      unsafe start = .allocate(capacity: capacity)
    }
    if let first = text.baseAddress { unsafe start.update(from: first, count: text.count) }
    unsafe UnsafeMutableRawPointer(start + text.count).storeBytes(of: 0, as: UInt64.self)
    count = text.count
  }

  /// A byte of the text or of the padding.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count + Self.padding)
    return unsafe start[index]
  }

  /// The word that begins at a byte of the text, or directly after the text; its first byte is the lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index <= count)
    return unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self).littleEndian
  }
}
