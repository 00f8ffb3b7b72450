/// Takes the members of an object apart by name and collects everything that is wrong with them.
///
/// Every key must be asked for or declared; what is left over is reported with the nearest known name, so that a
/// mistyped key never passes silently. Reading goes on after a problem, so that a file's problems come all at once.
package struct JSONObjectReader {
  package private(set) var problems: [SourceProblem] = []
  let node: JSONNode
  let members: [JSONMember]
  /// What the object is, in the words of a message: "an event step".
  let what: String

  /// - Parameters:
  ///   - known: every key that may stand here.
  package init(_ node: JSONNode, what: String, known: [String]) {
    self.node = node
    self.what = what
    guard case .object(let members) = node.content else {
      self.members = []
      problems.append(SourceProblem("\(what) must be an object, this is \(node.kind)", at: node.range))
      return
    }
    self.members = members
    for member in members where !known.contains(where: { $0.isLiterally(member.key) }) {
      let hint = nearestName(to: member.key, in: known).map { "; did you mean \"\($0)\"?" }
      problems.append(
        SourceProblem(
          "\(what) has no key \(JSONWriter.quoted(member.key))\(hint ?? "; known: \(known.joined(separator: ", "))")",
          at: member.keyRange))
    }
  }

  /// Whether there was an object to take apart.
  package var isObject: Bool { if case .object = node.content { true } else { false } }

  /// The value of a key, or nil when it is absent.
  package func node(_ key: String) -> JSONNode? { members.first { $0.key.isLiterally(key) }?.value }

  /// Adds a problem with the value of `key`, or with the whole object when it has none.
  package mutating func complain(_ message: String, about key: String? = nil) {
    problems.append(SourceProblem(message, at: key.flatMap(node)?.range ?? node.range))
  }

  package mutating func add(_ more: [SourceProblem]) { problems += more }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(_ key: String) -> String? {
    read(key, "a string") { if case .string(let text) = $0 { text } else { nil } }
  }

  package mutating func bool(_ key: String) -> Bool? {
    read(key, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  package mutating func integer(_ key: String, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    let words =
      range == .min ... .max ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return read(key, words) { if case .integer(let number) = $0, range.contains(number) { number } else { nil } }
  }

  package mutating func number(_ key: String) -> Double? {
    read(key, "a number") { content in
      switch content {
      case .integer(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    }
  }

  /// The items of the array under a key; absent is none.
  package mutating func items<Item>(_ key: String, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    guard let node = node(key) else { return [] }
    guard case .array(let items) = node.content else {
      complain("\"\(key)\" must be an array, this is \(node.briefly)", about: key)
      return []
    }
    return items.compactMap { read($0, &self) }
  }

  /// A key that must be there.
  package mutating func require<Value>(_ key: String, _ value: Value?) -> Value? {
    if value == nil, node(key) == nil { complain("\(what) needs the key \"\(key)\"") }
    return value
  }

  /// The value of `key` through `convert`; when it gives nil, a problem that says what it should be.
  package mutating func read<Value>(
    _ key: String, _ expected: String, _ convert: (JSONNode.Content) -> Value?
  ) -> Value? {
    guard let node = node(key) else { return nil }
    guard let value = convert(node.content) else {
      problems.append(SourceProblem("\"\(key)\" must be \(expected), this is \(node.briefly)", at: node.range))
      return nil
    }
    return value
  }
}

extension JSONNode {
  /// The value for a message: itself when it is short, otherwise its kind.
  package var briefly: String {
    switch content {
    case .array, .object, .null: return kind
    default:
      let text = JSONWriter.text(value)
      return text.count <= 40 ? text : kind
    }
  }
}
