import SKANText

/// Takes a text apart into tokens, in one pass without look-back, keeping the place of everything.
///
/// It does not call itself: what is open is chained through the tokens, so that no input can exhaust the stack.
@safe package struct JSONReader {
  /// As deep as `NSJSONSerialization` goes.
  static let depthLimit = 512
  /// Objects with more members look their keys up in a set.
  private static let fewMembers: UInt64 = 32

  let memory: UnsafeMutablePointer<JSONDocument.Memory>
  let bytes: PaddedBytes
  let count: Int
  let dialect: JSONDialect
  private var depth = 0
  /// The innermost array or object that is open; while it is, its token holds the one around it and a sketch of its
  /// keys so far.
  private var open = -1
  /// The keys of objects with many members.
  private var keys: [Int: Set<[UInt8]>]?

  init(_ memory: UnsafeMutablePointer<JSONDocument.Memory>, _ dialect: JSONDialect) {
    unsafe self.memory = unsafe memory
    self.dialect = dialect
    bytes = unsafe memory.pointee.bytes
    count = bytes.count
  }

  /// Reads the whole of `bytes` as one value.
  ///
  /// - Throws: ``JSONError`` with the offset of the first byte that is wrong.
  package static func read(_ bytes: some Collection<UInt8>, dialect: JSONDialect = .strict) throws(JSONError)
    -> JSONNode
  {
    let document = JSONDocument()
    let result: Result<Void, JSONError>? = bytes.withContiguousStorageIfAvailable { buffer in
      do throws(JSONError) { return unsafe .success(try document.read(buffer, dialect: dialect)) } catch {
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

  // Where reading stands is handed on and given back, so that it stays in a register. What changes nothing is mutating all
  // the same, here and with strings and numbers: otherwise it would be done on a copy of the reader.

  mutating func document() throws(JSONError) {
    var place = 0
    if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      guard dialect.allowsByteOrderMark else { throw error(.byteOrderMark, at: 0) }
      place = 3
    }
    place = afterSpace(place)
    repeat {
      let around = open
      place = try value(at: place)
      place = try closeAll(at: afterSpace(place), isEmpty: open != around)
    } while open >= 0
    guard place == count else { throw error(.trailingText, at: place) }
  }

  /// Reads a value, or the beginning of one that holds others, and gives where that ends.
  @inline(__always)
  private mutating func value(at place: Int) throws(JSONError) -> Int {
    guard place < count else { throw error(.unexpectedEnd, at: place) }
    switch bytes[place] {
    case UInt8(ascii: "\""): return try string(at: place)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: place)
    case UInt8(ascii: "{"): return try begin(.object, at: place)
    case UInt8(ascii: "["): return try begin(.array, at: place)
    case UInt8(ascii: "t"): return try literal("true", .true, at: place)
    case UInt8(ascii: "f"): return try literal("false", .false, at: place)
    case UInt8(ascii: "n"): return try literal("null", .null, at: place)
    default: throw error(.badLiteral, at: place)
    }
  }

  @inline(__always)
  private mutating func begin(_ kind: JSONToken.Kind, at place: Int) throws(JSONError) -> Int {
    depth += 1
    guard depth <= Self.depthLimit else { throw error(.tooDeep(Self.depthLimit), at: place) }
    // Kept one higher, as an offset is never negative.
    open = unsafe memory.pointee.append(JSONToken(kind, start: place, end: open + 1))
    return place + 1
  }

  /// Closes what ends here, and gives where the next value begins, or the text ends.
  ///
  /// - Parameter isEmpty: whether an array or object begins just before.
  @inline(__always)
  private mutating func closeAll(at start: Int, isEmpty: Bool) throws(JSONError) -> Int {
    var (place, isEmpty) = (start, isEmpty)
    while open >= 0 {
      let isObject = unsafe memory.pointee.tokens[open].kind == .object
      let bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard place < count else { throw error(.unexpectedEnd, at: place) }
      if bytes[place] != bracket {
        if !isEmpty { place = try afterComma(place, before: bracket) }
        if bytes[place] != bracket { return isObject ? try key(at: place) : place }
      }
      close(at: place + 1)
      place = afterSpace(place + 1)
      isEmpty = false
    }
    return place
  }

  @inline(__always)
  private mutating func close(at end: Int) {
    depth -= 1
    let around = unsafe Int(memory.pointee.tokens[open].end) - 1
    unsafe memory.pointee.tokens[open].end = UInt32(truncatingIfNeeded: end)
    unsafe memory.pointee.tokens[open].payload = unsafe UInt64(memory.pointee.tokenCount)
    open = around
  }

  /// Steps over the comma between members or items; behind it may be the bracket that closes.
  @inline(__always)
  private mutating func afterComma(_ comma: Int, before bracket: UInt8) throws(JSONError) -> Int {
    guard bytes[comma] == UInt8(ascii: ",") else {
      throw error(.expected("a comma or \"\(Character(UnicodeScalar(bracket)))\""), at: comma)
    }
    let place = afterSpace(comma + 1)
    guard place < count else { throw error(.unexpectedEnd, at: place) }
    if bytes[place] == bracket, !dialect.allowsTrailingComma { throw error(.trailingComma, at: comma) }
    return place
  }

  /// A quoted key and its colon.
  @inline(__always)
  private mutating func key(at start: Int) throws(JSONError) -> Int {
    guard bytes[start] == UInt8(ascii: "\"") else { throw error(.expected("a quoted key"), at: start) }
    let index = unsafe memory.pointee.tokenCount
    var place = try string(at: start)
    if !dialect.allowsDuplicateKeys { try checkKey(index) }
    place = afterSpace(place)
    guard place < count else { throw error(.unexpectedEnd, at: place) }
    guard bytes[place] == UInt8(ascii: ":") else { throw error(.expected("a colon after the key"), at: place) }
    return afterSpace(place + 1)
  }

  /// Refuses a key that the open object has already.
  @inline(__always)
  private mutating func checkKey(_ index: Int) throws(JSONError) {
    let key = unsafe memory.pointee.tokens[index]
    // How many members there are so far, and in the lower half a mark for each.
    let sketch = unsafe memory.pointee.tokens[open].payload
    let members = sketch >> 32
    // Length and first letter nearly always tell a key from all before it; one with escapes may be any.
    let trait = UInt64(key.end &- key.start) &* 7 &+ UInt64(bytes[Int(key.start) + 1])
    let mark = key.isEscaped ? UInt64(UInt32.max) : 1 << (trait % 32)
    unsafe memory.pointee.tokens[open].payload = (sketch | mark) &+ 1 << 32
    if sketch & mark != 0 || members >= Self.fewMembers { try compareKey(index, members) }
  }

  @inline(never)
  private mutating func compareKey(_ index: Int, _ members: UInt64) throws(JSONError) {
    guard members < Self.fewMembers ? isAmongFew(index) : isAmongMany(index, members) else { return }
    throw unsafe error(.duplicateKey(memory.pointee.text(index)), at: Int(memory.pointee.tokens[index].start))
  }

  private func isAmongFew(_ index: Int) -> Bool {
    var other = open + 1
    let tokens = unsafe memory.pointee.tokens
    let key = unsafe tokens[index]
    let length = key.end &- key.start
    let first = bytes[Int(key.start) + 1]
    while other < index {
      let one = unsafe tokens[other]
      // Nearly always the length tells them apart, or the first letter.
      let mayBeSame = one.end &- one.start == length && bytes[Int(one.start) + 1] == first
      if mayBeSame || one.isEscaped || key.isEscaped, unsafe memory.pointee.haveSameText(other, index) { return true }
      other = unsafe memory.pointee.next(after: other + 1)
    }
    return false
  }

  private mutating func isAmongMany(_ index: Int, _ members: UInt64) -> Bool {
    if members == Self.fewMembers {
      let all = allKeys(before: index)
      if keys == nil { keys = [:] }
      keys?[open] = all
    }
    let text = key(index)
    return keys?[open]?.insert(text).inserted == false
  }

  private func allKeys(before index: Int) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    var other = open + 1
    while other < index {
      keys.insert(key(other))
      other = unsafe memory.pointee.next(after: other + 1)
    }
    return keys
  }

  private func key(_ index: Int) -> [UInt8] { unsafe Array(memory.pointee.text(index).utf8) }

  private mutating func literal(
    _ text: StaticString, _ kind: JSONToken.Kind, at place: Int
  ) throws(JSONError) -> Int {
    let end = place + text.utf8CodeUnitCount
    guard end <= count, (place..<end).allSatisfy({ unsafe bytes[$0] == text.utf8Start[$0 - place] })
    else { throw error(.badLiteral, at: place) }
    _ = unsafe memory.pointee.append(JSONToken(kind, start: place, end: end))
    return end
  }

  /// The padding behind the text is not a space.
  @inline(__always)
  private mutating func afterSpace(_ start: Int) -> Int {
    var place = start
    while bytes[place] <= 0x20, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place
  }

  func error(_ problem: JSONError.Problem, at place: Int) -> JSONError { JSONError(problem: problem, offset: place) }
}
