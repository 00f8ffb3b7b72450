/// A JSON value in the text that it was read from, so that a message can point at it.
package struct JSONNode {
  /// What the value is; integers that fit 64 bits are kept apart from all other numbers.
  package enum Content {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number beyond `Int64`.
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

  /// The bytes of the value as it is written.
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

  /// What stands in an array or object: items, or keys and values in turn.
  private var children: some Sequence<JSONNode> {
    sequence(state: index + 1) { position -> JSONNode? in
      guard unsafe position < document.memory.pointee.next(after: index) else { return nil }
      defer { position = unsafe document.memory.pointee.next(after: position) }
      return JSONNode(document, position)
    }
  }

  /// The last member of that name, or nil when this is not an object or has none.
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

  /// What kind of value this is, in the words of a message: "a string", "null".
  package var kind: String { content.kind }

  package var isObject: Bool { token.kind == .object }

  package var isNull: Bool { token.kind == .null }
}

extension JSONNode {
  /// The text of a member; nil when there is none, or it is not a text.
  package func text(_ key: String) -> String? { member(key)?.content.text }

  /// The whole number of a member; nil when there is none, or it is not a whole number.
  package func integer(_ key: String) -> Int64? {
    if case .integer(let number)? = member(key)?.content { number } else { nil }
  }
}

extension JSONNode.Content {
  /// The text; nil for another value.
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

  /// In the words of a message.
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

  /// The value for a message: itself when it is short, otherwise its kind.
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
