/// A value that is read in the form in which it is written.
package protocol JSONReadable: JSONWritable {
  /// The value of a key; nil if the key is absent, or after a problem.
  ///
  /// - Parameter form: the key's own form; nil for that of the type.
  static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Self?
}

/// A value that is also read as an item of a list.
package protocol JSONItemReadable: JSONReadable {
  /// - Returns: nil after a problem, which is added to the outer reader.
  init?(_ node: JSONNode, in outer: inout JSONObjectReader)
}

extension JSONItemReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Self? {
    reader.node(key).flatMap { Self($0, in: &reader) }
  }
}

extension JSONReadable where Self: RawRepresentable<String> & CaseIterable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Self? {
    reader.choice(key)
  }
}

extension String: JSONReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> String? {
    guard case .choice(let values)? = form else { return reader.string(key) }
    let names = values.compactMap(\.text)
    let expected = names.count == 2 ? names.map { "\"\($0)\"" }.joined(separator: " or ") : .oneOf(names)
    return reader.read(key, expected) { content in content.text.flatMap { names.contains($0) ? $0 : nil } }
  }

  /// The expectation of one of these names in a message.
  fileprivate static func oneOf(_ names: [String]) -> String {
    "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }
}

extension Bool: JSONReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Bool? {
    reader.bool(key)
  }
}

extension Double: JSONReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Double? {
    reader.number(key)
  }
}

extension Int64: JSONReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Int64? {
    if case .integer(let range?)? = form { reader.integer(key, in: range) } else { reader.integer(key) }
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Wrapped?? {
    guard let node = reader.node(key) else { return nil }
    return node.isNull ? .some(nil) : Wrapped.read(key, as: form, from: &reader).map(Optional.some)
  }
}

extension Array: JSONReadable where Element: JSONItemReadable {
  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> [Element]? {
    reader.has(key) ? reader.items(key) { Element($0, in: &$1) } : nil
  }
}

extension JSONObjectReader {
  /// A name of an enumeration.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: JSONKey) -> Choice?
  where Choice.RawValue == String {
    read(key, .oneOf(Choice.allCases.map(\.rawValue))) { content in content.text.flatMap { Choice(rawValue: $0) } }
  }
}

extension JSONItemReadable where Self: JSONObjectWritable {
  /// Reads an object by its rows; problems are added to the outer reader.
  ///
  /// - Parameters:
  ///   - usual: has the values of absent keys.
  ///   - check: checks what concerns several keys.
  /// - Returns: nil if a required key gives no value.
  package init?(
    _ node: JSONNode, what: StaticString, usual: Self, in outer: inout JSONObjectReader,
    check: (inout JSONObjectReader) -> Void = { _ in }
  ) {
    var reader = JSONObjectReader(node, what: what, known: Self.fields.known)
    defer { outer.add(reader.problems) }
    self = usual
    let isUsable = Self.fields.read(into: &self, from: &reader)
    check(&reader)
    if !isUsable { return nil }
  }
}
