/// Takes a text apart into tokens, in one pass without look-back, keeping the place of everything.
///
/// It does not call itself: what is open is chained through the tokens, so that no input can exhaust the stack.
package struct JSONReader {
  /// As deep as `NSJSONSerialization` goes.
  static let depthLimit = 512
  /// Objects with more members look their keys up in a set.
  private static let fewMembers: UInt64 = 32

  let memory: UnsafeMutablePointer<JSONDocument.Memory>
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int
  let dialect: JSONDialect
  var position = 0
  private var depth = 0
  /// The innermost array or object that is open; while it is, its token holds the one around it and how many members
  /// there are so far.
  private var open = -1
  /// The keys of objects with many members.
  private var keys: [Int: Set<[UInt8]>] = [:]

  init(_ memory: UnsafeMutablePointer<JSONDocument.Memory>, _ dialect: JSONDialect) {
    self.memory = memory
    self.dialect = dialect
    bytes = memory.pointee.bytes
    count = memory.pointee.count
  }

  /// Reads the whole of `bytes` as one value.
  ///
  /// - Throws: ``JSONError`` with the offset of the first byte that is wrong.
  package static func read(_ bytes: some Collection<UInt8>, dialect: JSONDialect = .strict) throws(JSONError)
    -> JSONNode
  {
    let document = JSONDocument()
    let result: Result<Void, JSONError>? = bytes.withContiguousStorageIfAvailable { buffer in
      do throws(JSONError) { return .success(try document.read(buffer, dialect: dialect)) } catch {
        return .failure(error)
      }
    }
    guard let result else { return try read(Array(bytes), dialect: dialect) }
    try result.get()
    return document.root
  }

  /// The same for a file of ours, its error as a problem with a place.
  package static func readSource(_ bytes: some Collection<UInt8>) throws(SourceProblems) -> JSONNode {
    do throws(JSONError) { return try read(bytes) } catch { throw [SourceProblem(error)] }
  }

  mutating func document() throws(JSONError) {
    if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      guard dialect.allowsByteOrderMark else { throw error(.byteOrderMark) }
      position = 3
    }
    skipSpace()
    repeat {
      let isEmpty = try value()
      try closeAll(isEmpty: isEmpty)
    } while open >= 0
    skipSpace()
    guard position == count else { throw error(.trailingText) }
  }

  /// Reads a value, or the beginning of one that holds others; true then.
  private mutating func value() throws(JSONError) -> Bool {
    guard position < count else { throw error(.unexpectedEnd) }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      guard depth <= Self.depthLimit else { throw error(.tooDeep(Self.depthLimit)) }
      position += 1
      let kind: JSONToken.Kind = bytes[start] == UInt8(ascii: "{") ? .object : .array
      open = memory.pointee.append(JSONToken(kind, start: start, end: open))
      return true
    case UInt8(ascii: "t"): try literal("true", .true)
    case UInt8(ascii: "f"): try literal("false", .false)
    case UInt8(ascii: "n"): try literal("null", .null)
    default: throw error(.badLiteral)
    }
    return false
  }

  /// Closes what ends here, and stands then at the next value, if there is one.
  private mutating func closeAll(isEmpty: Bool) throws(JSONError) {
    var isEmpty = isEmpty
    while open >= 0 {
      let isObject = memory.pointee.tokens[open].kind == .object
      let bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard try closes(bracket, isEmpty: isEmpty) else {
        if isObject { try key() }
        return
      }
      position += 1
      depth -= 1
      let around = memory.pointee.tokens[open].end
      memory.pointee.tokens[open].end = position
      memory.pointee.tokens[open].payload = UInt64(memory.pointee.tokenCount)
      open = around
      isEmpty = false
    }
  }

  /// Steps over what stands between members and items; true at the bracket that closes.
  private mutating func closes(_ bracket: UInt8, isEmpty: Bool) throws(JSONError) -> Bool {
    skipSpace()
    guard position < count else { throw error(.unexpectedEnd) }
    if bytes[position] == bracket { return true }
    if isEmpty { return false }
    guard bytes[position] == UInt8(ascii: ",") else {
      throw error(.expected("a comma or \"\(Character(UnicodeScalar(bracket)))\""))
    }
    let comma = position
    position += 1
    skipSpace()
    guard position < count else { throw error(.unexpectedEnd) }
    guard bytes[position] == bracket else { return false }
    if !dialect.allowsTrailingComma { throw JSONError(problem: .trailingComma, offset: comma) }
    return true
  }

  /// A quoted key and its colon.
  private mutating func key() throws(JSONError) {
    guard bytes[position] == UInt8(ascii: "\"") else { throw error(.expected("a quoted key")) }
    let index = memory.pointee.tokenCount
    try string()
    if !dialect.allowsDuplicateKeys { try checkKey(index) }
    skipSpace()
    guard position < count else { throw error(.unexpectedEnd) }
    guard bytes[position] == UInt8(ascii: ":") else { throw error(.expected("a colon after the key")) }
    position += 1
    skipSpace()
  }

  /// Refuses a key that the open object has already.
  private mutating func checkKey(_ index: Int) throws(JSONError) {
    let members = memory.pointee.tokens[open].payload
    memory.pointee.tokens[open].payload = members + 1
    if members == Self.fewMembers { keys[open] = allKeys(before: index) }
    let text = members < Self.fewMembers ? [] : key(index)
    let isTwice =
      members < Self.fewMembers ? isAmongFew(index) : keys[open]?.insert(text).inserted == false
    if isTwice {
      let place = memory.pointee.tokens[index].start
      throw JSONError(problem: .duplicateKey(memory.pointee.text(index)), offset: place)
    }
  }

  private func isAmongFew(_ index: Int) -> Bool {
    var other = open + 1
    while other < index {
      if memory.pointee.haveSameText(other, index) { return true }
      other = memory.pointee.next(after: other + 1)
    }
    return false
  }

  private func allKeys(before index: Int) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    var other = open + 1
    while other < index {
      keys.insert(key(other))
      other = memory.pointee.next(after: other + 1)
    }
    return keys
  }

  private func key(_ index: Int) -> [UInt8] { Array(memory.pointee.text(index).utf8) }

  private mutating func literal(_ text: StaticString, _ kind: JSONToken.Kind) throws(JSONError) {
    let length = text.utf8CodeUnitCount
    guard position + length <= count, (0..<length).allSatisfy({ bytes[position + $0] == text.utf8Start[$0] })
    else { throw error(.badLiteral) }
    _ = memory.pointee.append(JSONToken(kind, start: position, end: position + length))
    position += length
  }

  mutating func skipSpace() {
    while position < count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  func error(_ problem: JSONError.Problem) -> JSONError { JSONError(problem: problem, offset: position) }
}

extension JSONDocument.Memory {
  /// Whether two strings say the same, however they are written.
  fileprivate func haveSameText(_ left: Int, _ right: Int) -> Bool {
    if tokens[left].isEscaped || tokens[right].isEscaped { return text(left).isLiterally(text(right)) }
    let (one, other) = (raw(left), raw(right))
    return one.count == other.count && one.elementsEqual(other)
  }
}
