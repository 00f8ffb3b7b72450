/// Takes the members of an object apart by name and collects everything that is wrong with them.
///
/// Every key must be known; any other is reported with the nearest known name, so that a mistyped key never passes
/// silently. Reading goes on after a problem, so that a file's problems come all at once.
package struct JSONObjectReader {
  /// The first problems, and how many there are besides.
  var firstProblems: [SourceProblem] = []
  var otherProblems = 0
  package private(set) var object: JSONNode
  let keys: JSONKeys
  /// In the document, where the slots of the known keys' values begin.
  private var slots: Int
  /// What the object is, in the words of a message: "an event step".
  private(set) var what: StaticString
  /// The known keys that are there, as bits, and whether others are.
  private(set) var present = JSONKeys.Subset.none
  private var hasUnknown = false

  /// - Parameter known: every key that may stand here.
  package init(_ node: JSONNode, what: StaticString, known: JSONKeys) {
    self.init(unchecked: node, what: what, known: known)
    allow(.all, what: what)
  }

  /// For an object whose kind is given by one of its members; ``allow(_:what:)`` must follow.
  package init(unchecked node: consuming JSONNode, what: StaticString, known: JSONKeys) {
    self.what = what
    keys = known
    slots = 0
    object = node
    parse()
  }

  /// For objects that come one after the other, each a whole text: ``read(_:what:)`` must follow.
  package init(known: JSONKeys) {
    what = ""
    keys = known
    slots = 0
    object = JSONDocument().root
  }

  /// Parses a text in the place of the one before; ``allow(_:what:)`` must follow.
  ///
  /// - Throws: ``JSONError``; then there is nothing to be read.
  package mutating func read(_ text: UnsafeBufferPointer<UInt8>, what: StaticString) throws(JSONError) {
    try unsafe object.document.read(text)
    #if DEBUG
      // The same node, but of the new text.
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

  /// Complains of every key that is unknown, or not among those that may stand in an object of this kind.
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

  /// Of one that is escaped, in camel case, or unknown.
  @inline(never)
  private func placeOfOtherKey(_ index: Int) -> Int? {
    let text = unsafe object.document.memory.pointee.text(index)
    return keys.index(of: text) ?? (keys.takesCamelCase ? keys.index(of: text.snakeCased) : nil)
  }

  /// Whether there was an object to take apart.
  package var isObject: Bool { object.isObject }

  /// The index of a value's token.
  @inline(__always)
  func index(_ slot: Int) -> Int? {
    let index = unsafe object.document.memory.pointee.slots[slots + slot]
    return index == JSONDocument.Memory.noToken ? nil : Int(index)
  }
}

extension String {
  /// `appId` as `app_id`.
  package var snakeCased: String {
    reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }
}
