/// Reads the members of an object by name and collects all of its problems.
///
/// Unknown keys are reported with the nearest known name, so that a mistyped key is never ignored. Reading continues
/// after a problem, so that all problems of a file are reported at once.
package struct JSONObjectReader {
  /// The reported problems, and the number of further ones.
  var firstProblems: [SourceProblem] = []
  var otherProblems = 0
  package private(set) var object: JSONNode
  let keys: JSONKeys
  /// The position in the document of the first slot for a known key's value.
  private var slots: Int
  /// The name of the object in messages: "an event step".
  private(set) var what: StaticString
  /// The known keys that are present, and whether there are unknown ones.
  private(set) var present = JSONKeys.Subset.none
  private var hasUnknown = false

  /// - Parameter known: every key that the object may have.
  package init(_ node: JSONNode, what: StaticString, known: JSONKeys) {
    self.init(unchecked: node, what: what, known: known)
    allow(.all, what: what)
  }

  /// For an object whose kind one of its members names; the caller must call ``allow(_:what:)`` next.
  package init(unchecked node: consuming JSONNode, what: StaticString, known: JSONKeys) {
    self.what = what
    keys = known
    slots = 0
    object = node
    parse()
  }

  /// For consecutive objects, each a complete text; the caller must call ``read(_:what:)`` next.
  package init(known: JSONKeys) {
    what = ""
    keys = known
    slots = 0
    object = JSONDocument().root
  }

  /// Parses a text in place of the previous one; the caller must call ``allow(_:what:)`` next.
  ///
  /// - Throws: ``JSONError``; the reader then has no object.
  package mutating func read(_ text: UnsafeBufferPointer<UInt8>, what: StaticString) throws(JSONError) {
    try unsafe object.document.read(text)
    #if DEBUG
      // The root of the new text.
      object = object.document.root
    #endif
    self.what = what
    if !firstProblems.isEmpty { (firstProblems, otherProblems) = ([], 0) }
    present = .none
    hasUnknown = false
    parse()
  }

  @inline(__always)
  private mutating func parse() {
    let memory = unsafe object.document.memory
    slots = unsafe memory.pointee.reserveSlots(keys.names.count)
    guard unsafe memory.pointee.tokens[object.index].kind == .object else {
      append(SourceProblem("\(what) must be an object, this is \(object.kind)", at: object.range))
      return
    }
    let (text, slots) = unsafe (memory.pointee, memory.pointee.slots + slots)
    let end = text.next(after: object.index)
    var key = object.index + 1
    var found = JSONKeys.Subset.none
    while key < end {
      if let slot = index(ofKey: key, of: text) {
        if unsafe slots[slot] != JSONDocument.Memory.noToken { complainOfTwice(key, keys.names[slot]) }
        unsafe slots[slot] = Int32(truncatingIfNeeded: key + 1)
        found.insert(slot)
      } else {
        hasUnknown = true
      }
      key = text.next(after: key + 1)
    }
    present = found
  }

  /// Reports every key that is unknown or not allowed in an object of this kind.
  package mutating func allow(_ allowed: JSONKeys.Subset, what: StaticString) {
    self.what = what
    guard hasUnknown || !present.isSubset(of: allowed) else { return }
    let memory = unsafe object.document.memory
    let end = unsafe memory.pointee.next(after: object.index)
    var key = object.index + 1
    while key < end {
      if unsafe !(index(ofKey: key, of: memory.pointee).map(allowed.contains) ?? false) {
        if isFull { otherProblems += 1 } else { complainOfUnknown(key, allowed) }
      }
      key = unsafe memory.pointee.next(after: key + 1)
    }
  }

  @inline(__always)
  private func index(ofKey index: Int, of text: JSONDocument.Memory) -> Int? {
    if unsafe text.tokens[index].isEscaped { return placeOfOtherKey(index) }
    return unsafe keys.index(of: text.raw(index)) ?? placeOfOtherKey(index)
  }

  /// The slot of a key that is escaped, in camel case, or unknown.
  @inline(never)
  private func placeOfOtherKey(_ index: Int) -> Int? {
    let text = unsafe object.document.memory.pointee.text(index)
    return keys.index(of: text) ?? (keys.takesCamelCase ? keys.index(of: text.snakeCased) : nil)
  }

  /// Whether the value is an object.
  package var isObject: Bool { object.isObject }

  /// The index of the token of a slot's value.
  @inline(__always)
  func index(_ slot: Int) -> Int? {
    let index = unsafe object.document.memory.pointee.slots[slots + slot]
    return index == JSONDocument.Memory.noToken ? nil : Int(index)
  }
}

extension String {
  /// The text in snake case: `appId` becomes `app_id`.
  package var snakeCased: String {
    reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }
}

/// Members by the indices of their keys, for objects read millions of times.
extension JSONObjectReader {
  package func has(at slot: Int) -> Bool { index(slot) != nil }

  /// Whether any of these keys is present.
  package func hasAny(of slots: JSONKeys.Subset) -> Bool { !present.isDisjoint(from: slots) }

  /// The value of a key; nil if it is absent.
  package func node(at slot: Int) -> JSONNode? { index(slot).map { JSONNode(object.document, $0) } }

  /// The index in `names` of a key's text; nil if the key is absent or its text is not among them.
  package func name(at slot: Int, among names: JSONKeys) -> Int? {
    guard let index = index(slot) else { return nil }
    let memory = unsafe object.document.memory
    guard unsafe memory.pointee.tokens[index].kind == .string else { return nil }
    return unsafe memory.pointee.tokens[index].isEscaped
      ? names.index(of: memory.pointee.text(index)) : names.index(of: memory.pointee.raw(index))
  }

  /// The text of a key; nil if it is absent. A value of another type is a problem.
  package mutating func string(at slot: Int) -> String? {
    guard let index = index(slot) else { return nil }
    let memory = unsafe object.document.memory
    if unsafe memory.pointee.tokens[index].kind == .string { return unsafe memory.pointee.text(index) }
    complain(at: slot, expected: "a string")
    return nil
  }

  /// The index of a key's text in a table, which adds it if it is new; nil if the key is absent. A value of another
  /// type is a problem.
  package mutating func string(at slot: Int, in table: NameTable) -> Int? {
    guard let index = index(slot) else { return nil }
    let memory = unsafe object.document.memory
    if unsafe memory.pointee.tokens[index].kind == .string {
      return unsafe memory.pointee.tokens[index].isEscaped
        ? table.insert(memory.pointee.text(index)) : table.insert(memory.pointee.raw(index))
    }
    complain(at: slot, expected: "a string")
    return nil
  }

  package mutating func bool(at slot: Int) -> Bool? {
    guard let index = index(slot) else { return nil }
    switch unsafe object.document.memory.pointee.tokens[index].kind {
    case .true: return true
    case .false: return false
    default:
      complain(at: slot, expected: "true or false")
      return nil
    }
  }

  package mutating func integer(at slot: Int, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    guard let index = index(slot) else { return nil }
    let token = unsafe object.document.memory.pointee.tokens[index]
    let number = Int64(bitPattern: token.payload)
    if token.kind == .integer, range.contains(number) { return number }
    if token.kind == .double, let whole = Int64(whole: Double(bitPattern: token.payload)), range.contains(whole) {
      return whole
    }
    let bounds = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    complain(at: slot, expected: range == .min ... .max ? "a whole number" : bounds)
    return nil
  }

  package mutating func number(at slot: Int) -> Double? {
    guard let index = index(slot) else { return nil }
    if let number = unsafe object.document.memory.pointee.tokens[index].number { return number }
    complain(at: slot, expected: "a number")
    return nil
  }

  /// The integer of a key; nil if the key is absent or its value is not an integer.
  package func integerIfAny(at slot: Int) -> Int64? {
    guard let index = index(slot) else { return nil }
    let token = unsafe object.document.memory.pointee.tokens[index]
    return token.kind == .integer ? Int64(bitPattern: token.payload) : nil
  }

  /// The number of a key; nil if the key is absent or its value is not a number.
  package func numberIfAny(at slot: Int) -> Double? {
    index(slot).flatMap { unsafe object.document.memory.pointee.tokens[$0].number }
  }
}

extension Int64 {
  /// The value of a number without a fraction, such as `24.0` or `2.4e1`, which is an integer of JSON Schema, too; nil
  /// for one with a fraction, and from 2^53 on, where the number may have been rounded.
  package init?(whole number: Double) {
    guard number.magnitude < 0x1p53, let whole = Int64(exactly: number) else { return nil }
    self = whole
  }
}

extension JSONToken {
  fileprivate var number: Double? {
    switch kind {
    case .integer: Double(Int64(bitPattern: payload))
    case .unsigned: Double(payload)
    case .double: Double(bitPattern: payload)
    default: nil
    }
  }
}

/// Members by the names of their keys.
extension JSONObjectReader {
  private func slot(_ key: JSONKey) -> Int? { keys.index(of: key.name) }

  package func has(_ key: JSONKey) -> Bool { slot(key).map(has(at:)) ?? false }

  /// The value of a key; nil if it is absent.
  package func node(_ key: JSONKey) -> JSONNode? { slot(key).flatMap(node(at:)) }

  /// Whether a key is absent or its value is null.
  package func isNull(_ key: JSONKey) -> Bool { node(key)?.isNull ?? true }

  /// The text of a key; nil if it is absent. A value of another type is a problem.
  package mutating func string(_ key: JSONKey) -> String? { slot(key).flatMap { string(at: $0) } }

  package mutating func bool(_ key: JSONKey) -> Bool? { slot(key).flatMap { bool(at: $0) } }

  package mutating func integer(_ key: JSONKey, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    slot(key).flatMap { integer(at: $0, in: range) }
  }

  package mutating func number(_ key: JSONKey) -> Double? { slot(key).flatMap { number(at: $0) } }

  /// The items of a key's array; empty if the key is absent.
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

  /// Returns the value, and reports the key as missing if it is nil and the key absent.
  package mutating func require<Value>(_ key: JSONKey, _ value: Value?) -> Value? {
    if value == nil, let slot = slot(key) { require(at: slot) }
    return value
  }

  /// The converted value of a key. If `convert` returns nil, a problem says what was expected.
  package mutating func read<Value>(
    _ key: JSONKey, _ expected: @autoclosure () -> String, _ convert: (JSONNode.Content) -> Value?
  ) -> Value? {
    guard let slot = slot(key), let node = node(at: slot) else { return nil }
    if let value = convert(node.content) { return value }
    complain(at: slot, expected: expected())
    return nil
  }
}

/// The problems of an object.
extension JSONObjectReader {
  /// The problems in the order found. Beyond the limit, the last one says how many more there are.
  package var problems: [SourceProblem] {
    if otherProblems == 0 { return firstProblems }
    let end = max(object.range.lowerBound, object.range.upperBound - 1)
    let message = "and \(otherProblems) more problem\(otherProblems == 1 ? "" : "s")"
    return firstProblems + [SourceProblem(message, at: end..<object.range.upperBound)]
  }

  /// Whether further problems are only counted; the last problem then gives their number.
  package var isFull: Bool { firstProblems.count >= SourceProblem.mostReported - 1 }

  mutating func append(_ problem: SourceProblem) {
    if isFull { otherProblems += 1 } else { firstProblems.append(problem) }
  }

  /// Adds a problem with the value of `key`, or with the whole object if the key is absent.
  package mutating func complain(_ message: String, about key: JSONKey? = nil) {
    append(SourceProblem(message, at: key.flatMap(node)?.range ?? object.range))
  }

  package mutating func add(_ more: [SourceProblem]) { for problem in more { append(problem) } }

  /// Adds the problem that the value of a slot is not what was expected.
  ///
  /// - Parameter hint: a suggestion that is appended to the message.
  package mutating func complain(at slot: Int, expected: String, hint: String = "") {
    guard let node = node(at: slot) else { return }
    let message = "\"\(keys.names[slot])\" must be \(expected), this is \(node.briefly)\(hint)"
    append(SourceProblem(message, at: node.range))
  }

  /// Adds a problem if a key is missing.
  package mutating func require(at slot: Int) {
    if index(slot) == nil { complain("\(what) needs the key \"\(keys.names[slot])\"") }
  }

  mutating func complainOfUnknown(_ index: Int, _ allowed: JSONKeys.Subset) {
    let name = unsafe object.document.memory.pointee.text(index)
    let known = keys.names.indices.filter(allowed.contains).map { keys.names[$0] }
    let spelled = keys.takesCamelCase ? name.snakeCased : name
    let hint =
      keys.advice(name).map { "; \($0)" } ?? nearestName(to: spelled, in: known).map { "; did you mean \"\($0)\"?" }
    append(
      SourceProblem(
        "\(what) has no key \(JSONWriter.quoted(name))\(hint ?? "; known: \(known.joined(separator: ", "))")",
        at: JSONNode(object.document, index).range))
  }

  mutating func complainOfTwice(_ index: Int, _ name: String) {
    append(
      SourceProblem("the key \"\(name)\" is given in both spellings", at: JSONNode(object.document, index).range))
  }
}

extension JSONNode {
  /// The value for a message: the value itself if it is short, otherwise its kind.
  package var briefly: String {
    guard case .double = content else { return content.briefly }
    // As it is written: 24.0 is not 24.
    let text = unsafe String(decoding: source, as: UTF8.self)
    return text.utf8.count <= 40 ? text : content.briefly
  }
}

/// The keys that an object may have; the order gives each its index.
package final class JSONKeys: Sendable {
  package let names: [String]
  /// Whether `appId` is accepted for `app_id`.
  package let takesCamelCase: Bool
  /// The advice about a key that an object does not have; nil to name the nearest key.
  let advice: @Sendable (_ key: String) -> String?
  private let index: NameIndex

  /// - Parameters:
  ///   - names: at most 64 (``Subset``), without duplicates.
  ///   - advice: what to do about a key that an object does not have; nil to name the nearest key.
  package init(
    _ names: [String], takesCamelCase: Bool = false,
    advice: @escaping @Sendable (_ key: String) -> String? = { _ in nil }
  ) {
    self.advice = advice
    assert(names.count <= Subset.most, "an object of more than \(Subset.most) keys")
    self.names = names
    self.takesCamelCase = takesCamelCase
    index = NameIndex(names)
  }

  /// The index of a key; nil if it is unknown.
  @inline(__always)
  package func index(of key: UnsafeBufferPointer<UInt8>) -> Int? { unsafe index.index(of: key) }

  package func index(of key: String) -> Int? {
    var key = key
    return key.withUTF8 { unsafe index.index(of: $0) }
  }
}

extension JSONKeys {
  /// A set of keys, by their indices.
  package struct Subset: Sendable {
    /// The largest number of keys that an object may have.
    static let most = 64

    private var bits: UInt64

    package static let none = Subset(bits: 0)
    package static let all = Subset(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    package init(_ indices: [Int]) {
      bits = 0
      for index in indices { insert(index) }
    }

    mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }

    package func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    func isDisjoint(from other: Subset) -> Bool { bits & other.bits == 0 }

    /// The names of the keys in the set, in the order of `names`.
    package func names(of names: [String]) -> [String] {
      names.enumerated().filter { contains($0.offset) }.map(\.element)
    }

    func isSubset(of other: Subset) -> Bool { bits & ~other.bits == 0 }
  }
}

extension JSONKeys: ExpressibleByArrayLiteral {
  package convenience init(arrayLiteral names: String...) { self.init(names) }
}

/// The name of a known key.
package struct JSONKey: ExpressibleByStringLiteral, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package init(stringLiteral name: String) { self.name = name }
}
