/// Members by the names of their keys.
extension JSONObjectReader {
  private func slot(_ key: JSONKey) -> Int? { keys.index(of: key.name) }

  package func has(_ key: JSONKey) -> Bool { slot(key).map(has(at:)) ?? false }

  /// The value of a key, or nil when it is absent.
  package func node(_ key: JSONKey) -> JSONNode? { slot(key).flatMap(node(at:)) }

  /// Whether a key is absent, or its value null.
  package func isNull(_ key: JSONKey) -> Bool { node(key)?.isNull ?? true }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(_ key: JSONKey) -> String? { slot(key).flatMap { string(at: $0) } }

  package mutating func bool(_ key: JSONKey) -> Bool? { slot(key).flatMap { bool(at: $0) } }

  package mutating func integer(_ key: JSONKey, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    slot(key).flatMap { integer(at: $0, in: range) }
  }

  package mutating func number(_ key: JSONKey) -> Double? { slot(key).flatMap { number(at: $0) } }

  /// The items of the array under a key; empty when absent.
  package mutating func items<Item>(_ key: JSONKey, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    guard let slot = slot(key), let node = node(at: slot) else { return [] }
    guard case .array(let items) = node.content else {
      complain(at: slot, expected: "an array")
      return []
    }
    var values: [Item] = []
    for item in items {
      if let value = read(item, &self) { values.append(value) }
    }
    return values
  }

  /// A key that must be there.
  package mutating func require<Value>(_ key: JSONKey, _ value: Value?) -> Value? {
    if value == nil, let slot = slot(key) { require(at: slot) }
    return value
  }

  /// The value of `key` through `convert`; when it gives nil, a problem that says what it should be.
  package mutating func read<Value>(
    _ key: JSONKey, _ expected: @autoclosure () -> String, _ convert: (JSONNode.Content) -> Value?
  ) -> Value? {
    guard let slot = slot(key), let node = node(at: slot) else { return nil }
    if let value = convert(node.content) { return value }
    complain(at: slot, expected: expected())
    return nil
  }
}
