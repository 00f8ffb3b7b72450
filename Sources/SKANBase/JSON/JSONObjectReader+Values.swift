/// Members by the indices of their keys: for what is read a million times.
extension JSONObjectReader {
  package func has(at slot: Int) -> Bool { index(slot) != nil }

  /// Whether any of those keys is there.
  package func hasAny(of slots: JSONKeys.Subset) -> Bool { !present.isDisjoint(from: slots) }

  /// The value of a key, or nil when it is absent.
  package func node(at slot: Int) -> JSONNode? { index(slot).map { JSONNode(object.document, $0) } }

  /// Which of some names the text of a key is; nil when it is absent or none of them.
  package func name(at slot: Int, among names: JSONKeys) -> Int? {
    guard let index = index(slot) else { return nil }
    let memory = unsafe object.document.memory
    guard unsafe memory.pointee.tokens[index].kind == .string else { return nil }
    return unsafe memory.pointee.tokens[index].isEscaped
      ? names.index(of: memory.pointee.text(index)) : names.index(of: memory.pointee.raw(index))
  }

  /// The text of a key; absent is nil, another type a problem.
  package mutating func string(at slot: Int) -> String? {
    guard let index = index(slot) else { return nil }
    let memory = unsafe object.document.memory
    if unsafe memory.pointee.tokens[index].kind == .string { return unsafe memory.pointee.text(index) }
    complain(at: slot, expected: "a string")
    return nil
  }

  /// The text of a key by its slot in a table, into which it is put when it is new; absent is nil, another type a problem.
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

  /// The whole number of a key, or nil when it is absent or none.
  package func integerIfAny(at slot: Int) -> Int64? {
    guard let index = index(slot) else { return nil }
    let token = unsafe object.document.memory.pointee.tokens[index]
    return token.kind == .integer ? Int64(bitPattern: token.payload) : nil
  }

  /// The number of a key, or nil when it is absent or no number.
  package func numberIfAny(at slot: Int) -> Double? {
    index(slot).flatMap { unsafe object.document.memory.pointee.tokens[$0].number }
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
