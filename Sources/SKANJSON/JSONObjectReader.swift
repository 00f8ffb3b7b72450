/// Takes the members of an object apart by name and collects everything that is wrong with them.
///
/// Every key must be known; any other is reported with the nearest known name, so that a mistyped key never passes
/// silently. Reading goes on after a problem, so that a file's problems come all at once.
package struct JSONObjectReader {
  /// The first problems, and how many there are besides.
  private var told: [SourceProblem] = []
  private var untold = 0
  package let object: JSONNode
  let keys: JSONKeys
  /// Where texts follow one another in which keys mostly stand in the same order.
  private let order: JSONKeyOrder?
  /// In the document, where the places of the known keys' values begin.
  private var slots: Int
  /// What the object is, in the words of a message: "an event step".
  private var what: StaticString
  /// The known keys that are there, as bits, and whether others are.
  private var present = JSONKeys.Places.none
  private var hasUnknown = false

  /// - Parameter known: every key that may stand here.
  package init(_ node: JSONNode, what: StaticString, known: JSONKeys) {
    self.init(unchecked: node, what: what, known: known)
    allow(.all, what: what)
  }

  /// For an object whose kind is told by one of its members; ``allow(_:what:)`` must follow.
  package init(unchecked node: consuming JSONNode, what: StaticString, known: JSONKeys) {
    self.what = what
    keys = known
    order = nil
    slots = 0
    object = node
    takeApart()
  }

  /// For objects that come one after the other, each a whole text: ``read(_:what:)`` must follow.
  package init(known: JSONKeys, order: JSONKeyOrder) {
    what = ""
    keys = known
    self.order = order
    slots = 0
    object = JSONDocument().root
  }

  /// Takes a text apart in the place of the one before; ``allow(_:what:)`` must follow.
  ///
  /// - Throws: ``JSONError``; then there is nothing to be read.
  package mutating func read(_ text: UnsafeBufferPointer<UInt8>, what: StaticString) throws(JSONError) {
    try object.document.read(text)
    self.what = what
    if !told.isEmpty { (told, untold) = ([], 0) }
    present = .none
    hasUnknown = false
    takeApart()
  }

  @inline(__always)
  private mutating func takeApart() {
    let memory = object.document.memory
    slots = memory.pointee.reserveSlots(keys.names.count)
    guard memory.pointee.tokens[object.index].kind == .object else {
      append(SourceProblem("\(what) must be an object, this is \(object.kind)", at: object.range))
      return
    }
    let (text, places) = (memory.pointee, memory.pointee.slots + slots)
    let end = text.next(after: object.index)
    var key = object.index + 1
    var last = -1
    var found = JSONKeys.Places.none
    while key < end {
      if let place = place(ofKey: key, of: text, after: last) {
        if places[place] != JSONDocument.Memory.noToken { complainOfTwice(key, keys.names[place]) }
        places[place] = Int32(truncatingIfNeeded: key + 1)
        found.insert(place)
        last = place
      } else {
        hasUnknown = true
      }
      key = text.next(after: key + 1)
    }
    present = found
  }

  /// Complains of every key that is unknown, or not among those that may stand in an object of this kind.
  package mutating func allow(_ allowed: JSONKeys.Places, what: StaticString) {
    self.what = what
    guard hasUnknown || !present.isSubset(of: allowed) else { return }
    let memory = object.document.memory
    let end = memory.pointee.next(after: object.index)
    var key = object.index + 1
    while key < end {
      if !(place(ofKey: key, of: memory.pointee, after: -1).map(allowed.contains) ?? false) {
        if isFull { untold += 1 } else { complainOfUnknown(key, allowed) }
      }
      key = memory.pointee.next(after: key + 1)
    }
  }

  /// - Parameter last: the place of the key before it; -1 for the first.
  @inline(__always)
  private func place(ofKey index: Int, of text: JSONDocument.Memory, after last: Int) -> Int? {
    if text.tokens[index].isEscaped { return placeOfOtherKey(index) }
    let key = text.raw(index)
    if let place = order.map({ $0.place(of: key, after: last) }) ?? keys.place(of: key) { return place }
    return placeOfOtherKey(index)
  }

  /// Of one that is escaped, in camel case, or unknown.
  @inline(never)
  private func placeOfOtherKey(_ index: Int) -> Int? {
    let text = object.document.memory.pointee.text(index)
    return keys.place(of: text) ?? (keys.takesCamelCase ? keys.place(of: text.snakeCased) : nil)
  }

  private mutating func complainOfUnknown(_ index: Int, _ allowed: JSONKeys.Places) {
    let name = object.document.memory.pointee.text(index)
    let known = keys.names.indices.filter(allowed.contains).map { keys.names[$0] }
    let spelled = keys.takesCamelCase ? name.snakeCased : name
    let hint = nearestName(to: spelled, in: known).map { "; did you mean \"\($0)\"?" }
    append(
      SourceProblem(
        "\(what) has no key \(JSONWriter.quoted(name))\(hint ?? "; known: \(known.joined(separator: ", "))")",
        at: JSONNode(object.document, index).range))
  }

  private mutating func complainOfTwice(_ index: Int, _ name: String) {
    append(
      SourceProblem("the key \"\(name)\" is given in both spellings", at: JSONNode(object.document, index).range))
  }

  /// What is wrong, in the order in which it was found; of very many the first, and how many there are besides.
  package var problems: [SourceProblem] {
    if untold == 0 { return told }
    let end = max(object.range.lowerBound, object.range.upperBound - 1)
    let words = "and \(untold) more problem\(untold == 1 ? "" : "s")"
    return told + [SourceProblem(words, at: end..<object.range.upperBound)]
  }

  /// Whether further problems are only counted: their number is the last problem.
  package var isFull: Bool { told.count >= SourceProblem.mostTold - 1 }

  private mutating func append(_ problem: SourceProblem) {
    if isFull { untold += 1 } else { told.append(problem) }
  }

  /// Whether there was an object to take apart.
  package var isObject: Bool { object.isObject }

  /// Adds a problem with the value of `key`, or with the whole object when it has none.
  package mutating func complain(_ message: String, about key: JSONKey? = nil) {
    append(SourceProblem(message, at: key.flatMap(node)?.range ?? object.range))
  }

  package mutating func add(_ more: [SourceProblem]) { for problem in more { append(problem) } }

  /// Adds the problem that the value at a place is not what it should be.
  ///
  /// - Parameter hint: what may be meant, to be put behind the message.
  package mutating func complain(at place: Int, expected: String, hint: String = "") {
    guard let node = node(at: place) else { return }
    let words = "\"\(keys.names[place])\" must be \(expected), this is \(node.briefly)\(hint)"
    append(SourceProblem(words, at: node.range))
  }

  /// Adds the problem that a key is missing, when it is.
  package mutating func require(at place: Int) {
    if index(place) == nil { complain("\(what) needs the key \"\(keys.names[place])\"") }
  }

  /// The place of a value's token.
  @inline(__always)
  private func index(_ place: Int) -> Int? {
    let index = object.document.memory.pointee.slots[slots + place]
    return index == JSONDocument.Memory.noToken ? nil : Int(index)
  }
}

// By the places of keys: for what is read a million times.
extension JSONObjectReader {
  package func has(at place: Int) -> Bool { index(place) != nil }

  /// Whether any of those keys is there.
  package func hasAny(of places: JSONKeys.Places) -> Bool { !present.isDisjoint(from: places) }

  /// The value of a key, or nil when it is absent.
  package func node(at place: Int) -> JSONNode? { index(place).map { JSONNode(object.document, $0) } }

  /// Which of some names the text of a key is; nil when it is absent or none of them.
  package func name(at place: Int, among names: JSONKeys) -> Int? {
    guard let index = index(place) else { return nil }
    let memory = object.document.memory
    guard memory.pointee.tokens[index].kind == .string else { return nil }
    return memory.pointee.tokens[index].isEscaped
      ? names.place(of: memory.pointee.text(index)) : names.place(of: memory.pointee.raw(index))
  }

  /// The number of a string for ``NameTable/fetch(_:)``; 0 where there is no string. With escapes in it the table only looks
  /// in the wrong place.
  ///
  /// Mutating, as otherwise it would be done on a copy.
  package mutating func hash(at place: Int) -> Int {
    let memory = object.document.memory
    guard let index = index(place), memory.pointee.tokens[index].kind == .string else { return 0 }
    return NameDigest(memory.pointee.raw(index)).hash
  }

  /// Gives the bytes of a string to `body`; nil when the key is absent, no string, or has escapes in it.
  package func withPlainString<Result>(at place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    guard let index = index(place) else { return nil }
    let token = object.document.memory.pointee.tokens[index]
    return token.kind == .string && !token.isEscaped ? body(object.document.memory.pointee.raw(index)) : nil
  }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(at place: Int) -> String? {
    guard let index = index(place) else { return nil }
    let memory = object.document.memory
    if memory.pointee.tokens[index].kind == .string { return memory.pointee.text(index) }
    complain(at: place, expected: "a string")
    return nil
  }

  /// The text of a key by its place in a table, into which it is put when it is new; absent is nil, another type a problem.
  package mutating func string(at place: Int, in table: NameTable) -> Int? {
    guard let index = index(place) else { return nil }
    let memory = object.document.memory
    if memory.pointee.tokens[index].kind == .string {
      return memory.pointee.tokens[index].isEscaped
        ? table.insert(memory.pointee.text(index)) : table.insert(memory.pointee.raw(index))
    }
    complain(at: place, expected: "a string")
    return nil
  }

  package mutating func bool(at place: Int) -> Bool? {
    guard let index = index(place) else { return nil }
    switch object.document.memory.pointee.tokens[index].kind {
    case .true: return true
    case .false: return false
    default:
      complain(at: place, expected: "true or false")
      return nil
    }
  }

  package mutating func integer(at place: Int, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
    guard let index = index(place) else { return nil }
    let token = object.document.memory.pointee.tokens[index]
    let number = Int64(bitPattern: token.payload)
    if token.kind == .integer, range.contains(number) { return number }
    let bounds = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    complain(at: place, expected: range == .min ... .max ? "a whole number" : bounds)
    return nil
  }

  package mutating func number(at place: Int) -> Double? {
    guard let index = index(place) else { return nil }
    if let number = object.document.memory.pointee.tokens[index].number { return number }
    complain(at: place, expected: "a number")
    return nil
  }

  /// The whole number of a key, or nil when it is absent or none.
  package func integerIfAny(at place: Int) -> Int64? {
    guard let index = index(place) else { return nil }
    let token = object.document.memory.pointee.tokens[index]
    return token.kind == .integer ? Int64(bitPattern: token.payload) : nil
  }

  /// The number of a key, or nil when it is absent or no number.
  package func numberIfAny(at place: Int) -> Double? {
    index(place).flatMap { object.document.memory.pointee.tokens[$0].number }
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
