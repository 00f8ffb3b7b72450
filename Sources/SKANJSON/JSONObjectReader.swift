/// Takes the members of an object apart by name and collects everything that is wrong with them.
///
/// Every key must be known; any other is reported with the nearest known name, so that a mistyped key never passes
/// silently. Reading goes on after a problem, so that a file's problems come all at once.
package struct JSONObjectReader {
  package private(set) var problems: [SourceProblem] = []
  let object: JSONNode
  private let keys: JSONKeys
  /// In the document, where the places of the known keys' values begin.
  private let slots: Int
  /// What the object is, in the words of a message: "an event step".
  private var what: String
  /// The known keys that are there, as bits, and whether others are.
  private var present = JSONKeys.Places.none
  private var hasUnknown = false

  /// - Parameter known: every key that may stand here.
  package init(_ node: JSONNode, what: String, known: JSONKeys) {
    self.init(unchecked: node, what: what, known: known)
    allow(.all, what: what)
  }

  /// For an object whose kind is told by one of its members; ``allow(_:what:)`` must follow.
  package init(unchecked node: JSONNode, what: String, known: JSONKeys) {
    object = node
    self.what = what
    keys = known
    slots = node.document.memory.pointee.reserveSlots(known.names.count)
    if node.isObject {
      takeMembers()
    } else {
      problems.append(SourceProblem("\(what) must be an object, this is \(node.kind)", at: node.range))
    }
  }

  private mutating func takeMembers() {
    let memory = object.document.memory
    let end = memory.pointee.next(after: object.index)
    var key = object.index + 1
    while key < end {
      if let place = place(ofKey: key) {
        let slot = memory.pointee.slots + slots + place
        if slot.pointee != JSONDocument.Memory.noToken { complainOfTwice(key, keys.names[place]) }
        slot.pointee = Int32(truncatingIfNeeded: key + 1)
        present.insert(place)
      } else {
        hasUnknown = true
      }
      key = memory.pointee.next(after: key + 1)
    }
  }

  /// Complains of every key that is unknown, or not among those that may stand in an object of this kind.
  package mutating func allow(_ allowed: JSONKeys.Places, what: String) {
    self.what = what
    guard hasUnknown || !present.isSubset(of: allowed) else { return }
    let memory = object.document.memory
    let end = memory.pointee.next(after: object.index)
    var key = object.index + 1
    while key < end {
      if !(place(ofKey: key).map(allowed.contains) ?? false) { complainOfUnknown(key, allowed) }
      key = memory.pointee.next(after: key + 1)
    }
  }

  private func place(ofKey index: Int) -> Int? {
    let memory = object.document.memory
    if !memory.pointee.tokens[index].isEscaped, let place = keys.place(of: memory.pointee.raw(index)) { return place }
    let text = memory.pointee.text(index)
    return keys.place(of: text) ?? (keys.takesCamelCase ? keys.place(of: text.snakeCased) : nil)
  }

  private mutating func complainOfUnknown(_ index: Int, _ allowed: JSONKeys.Places) {
    let name = object.document.memory.pointee.text(index)
    let known = keys.names.indices.filter(allowed.contains).map { keys.names[$0] }
    let spelled = keys.takesCamelCase ? name.snakeCased : name
    let hint = nearestName(to: spelled, in: known).map { "; did you mean \"\($0)\"?" }
    problems.append(
      SourceProblem(
        "\(what) has no key \(JSONWriter.quoted(name))\(hint ?? "; known: \(known.joined(separator: ", "))")",
        at: JSONNode(object.document, index).range))
  }

  private mutating func complainOfTwice(_ index: Int, _ name: String) {
    problems.append(
      SourceProblem("the key \"\(name)\" is given in both spellings", at: JSONNode(object.document, index).range))
  }

  /// Whether there was an object to take apart.
  package var isObject: Bool { object.isObject }

  /// The place of a key's value among the tokens.
  private func index(_ key: JSONKey) -> Int? {
    guard let place = key.place ?? keys.place(of: key.name) else { return nil }
    let index = object.document.memory.pointee.slots[slots + place]
    return index == JSONDocument.Memory.noToken ? nil : Int(index)
  }

  package func has(_ key: JSONKey) -> Bool { index(key) != nil }

  /// The value of a key, or nil when it is absent.
  package func node(_ key: JSONKey) -> JSONNode? { index(key).map { JSONNode(object.document, $0) } }

  /// The value of a key as it is, or nil when it is absent.
  package func content(_ key: JSONKey) -> JSONNode.Content? { node(key)?.content }

  /// Which of some names the text of a key is; nil when it is absent or none of them.
  package func name(_ key: JSONKey, among names: JSONKeys) -> Int? {
    guard let index = index(key) else { return nil }
    let memory = object.document.memory
    guard memory.pointee.tokens[index].kind == .string else { return nil }
    return memory.pointee.tokens[index].isEscaped
      ? names.place(of: memory.pointee.text(index)) : names.place(of: memory.pointee.raw(index))
  }

  /// Adds a problem with the value of `key`, or with the whole object when it has none.
  package mutating func complain(_ message: String, about key: JSONKey? = nil) {
    problems.append(SourceProblem(message, at: key.flatMap(node)?.range ?? object.range))
  }

  package mutating func add(_ more: [SourceProblem]) { problems += more }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(_ key: JSONKey) -> String? {
    guard let index = index(key) else { return nil }
    let memory = object.document.memory
    if memory.pointee.tokens[index].kind == .string { return memory.pointee.text(index) }
    complain(about: key, expected: "a string")
    return nil
  }

  package mutating func bool(_ key: JSONKey) -> Bool? {
    read(key, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  package mutating func integer(_ key: JSONKey, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    guard let index = index(key) else { return nil }
    let token = object.document.memory.pointee.tokens[index]
    if token.kind == .integer, range.contains(Int64(bitPattern: token.payload)) { return Int64(bitPattern: token.payload) }
    complain(
      about: key,
      expected: range == .min ... .max
        ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  package mutating func number(_ key: JSONKey) -> Double? {
    guard let index = index(key) else { return nil }
    let token = object.document.memory.pointee.tokens[index]
    switch token.kind {
    case .integer: return Double(Int64(bitPattern: token.payload))
    case .unsigned: return Double(token.payload)
    case .double: return Double(bitPattern: token.payload)
    default:
      complain(about: key, expected: "a number")
      return nil
    }
  }

  /// The items of the array under a key; absent is none.
  package mutating func items<Item>(_ key: JSONKey, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    guard let node = node(key) else { return [] }
    guard case .array(let items) = node.content else {
      complain(about: key, expected: "an array")
      return []
    }
    return items.compactMap { read($0, &self) }
  }

  /// A key that must be there.
  package mutating func require<Value>(_ key: JSONKey, _ value: Value?) -> Value? {
    if value == nil, !has(key) { complain("\(what) needs the key \"\(key.name)\"") }
    return value
  }

  /// The value of `key` through `convert`; when it gives nil, a problem that says what it should be.
  package mutating func read<Value>(
    _ key: JSONKey, _ expected: @autoclosure () -> String, _ convert: (JSONNode.Content) -> Value?
  ) -> Value? {
    guard let node = node(key) else { return nil }
    if let value = convert(node.content) { return value }
    complain(about: key, expected: expected())
    return nil
  }

  /// Adds the problem that a key's value is not what it should be.
  package mutating func complain(about key: JSONKey, expected: String) {
    guard let node = node(key) else { return }
    problems.append(SourceProblem("\"\(key.name)\" must be \(expected), this is \(node.briefly)", at: node.range))
  }
}

extension JSONNode {
  /// The value for a message: itself when it is short, otherwise its kind.
  package var briefly: String { content.briefly }
}

extension String {
  /// `appId` as `app_id`.
  fileprivate var snakeCased: String {
    reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }
}
