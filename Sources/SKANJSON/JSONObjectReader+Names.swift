/// Members by the names of their keys.
extension JSONObjectReader {
  private func place(_ key: JSONKey) -> Int? { keys.place(of: key.name) }

  package func has(_ key: JSONKey) -> Bool { place(key).map(has(at:)) ?? false }

  /// The value of a key, or nil when it is absent.
  package func node(_ key: JSONKey) -> JSONNode? { place(key).flatMap(node(at:)) }

  /// Whether a key is absent, or its value null.
  package func isNull(_ key: JSONKey) -> Bool { node(key)?.isNull ?? true }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(_ key: JSONKey) -> String? { place(key).flatMap { string(at: $0) } }

  package mutating func bool(_ key: JSONKey) -> Bool? { place(key).flatMap { bool(at: $0) } }

  package mutating func integer(_ key: JSONKey, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    place(key).flatMap { integer(at: $0, in: range) }
  }

  package mutating func number(_ key: JSONKey) -> Double? { place(key).flatMap { number(at: $0) } }

  /// The items of the array under a key; empty when absent.
  package mutating func items<Item>(_ key: JSONKey, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    guard let place = place(key), let node = node(at: place) else { return [] }
    guard case .array(let items) = node.content else {
      complain(at: place, expected: "an array")
      return []
    }
    return items.compactMap { read($0, &self) }
  }

  /// A key that must be there.
  package mutating func require<Value>(_ key: JSONKey, _ value: Value?) -> Value? {
    if value == nil, let place = place(key) { require(at: place) }
    return value
  }

  /// The value of `key` through `convert`; when it gives nil, a problem that says what it should be.
  package mutating func read<Value>(
    _ key: JSONKey, _ expected: @autoclosure () -> String, _ convert: (JSONNode.Content) -> Value?
  ) -> Value? {
    guard let place = place(key), let node = node(at: place) else { return nil }
    if let value = convert(node.content) { return value }
    complain(at: place, expected: expected())
    return nil
  }
}
