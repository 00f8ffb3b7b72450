/// A JSON value as it was read, with the bytes it stood on, so that a message can point at it.
package struct JSONNode: Sendable {
  /// What the value is; integers that fit 64 bits are kept apart from all other numbers.
  package enum Content: Sendable {
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

  package var content: Content
  /// Byte offsets in the text that was read, the end exclusive.
  package var range: Range<Int>

  package init(_ content: Content, range: Range<Int>) {
    self.content = content
    self.range = range
  }

  /// The last member of that name, or nil when this is no object or has none.
  package func member(_ key: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members.last { $0.key.isLiterally(key) }?.value
  }

  /// The value without its places; of two equal keys the last one counts.
  package var value: JSON {
    switch content {
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

  /// What kind of value this is, in the words of a message: "a string", "null".
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// One `"key": value` of an object.
package struct JSONMember: Sendable {
  package var key: String
  /// Byte offsets of the quoted key.
  package var keyRange: Range<Int>
  package var value: JSONNode
}
