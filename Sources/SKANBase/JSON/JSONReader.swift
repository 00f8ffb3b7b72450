/// Parses a text into tokens, in one pass without look-back, keeping the range of each.
///
/// It does not call itself: what is open is chained through the tokens, so that no input can exhaust the stack.
@safe package struct JSONReader {
  /// As deep as `NSJSONSerialization` goes.
  static let depthLimit = 512
  /// Objects with more members look their keys up in a set.
  static let fewMembers: UInt64 = 32

  let memory: UnsafeMutablePointer<JSONDocument.Memory>
  let bytes: PaddedBytes
  let count: Int
  let dialect: JSONDialect
  private var depth = 0
  /// The innermost array or object that is open; while it is, its token holds the one around it and a sketch of its
  /// keys so far.
  var open = -1
  /// The keys of objects with many members.
  var keys: [Int: Set<[UInt8]>]?

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
    var failure: JSONError?
    let isRead: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      do throws(JSONError) { unsafe try document.read(buffer, dialect: dialect) } catch { failure = error }
    }
    if isRead == nil { return try read(Array(bytes), dialect: dialect) }
    if let failure { throw failure }
    return document.root
  }

  /// The same for a file of ours, its error as a problem with a location.
  package static func readSource(_ bytes: some Collection<UInt8>) throws(SourceProblems) -> JSONNode {
    do throws(JSONError) { return try read(bytes) } catch { throw [SourceProblem(error)] }
  }

  // Where reading stands is handed on and given back, so that it stays in a register. What changes nothing is mutating all
  // the same, here and with strings and numbers: otherwise it would be done on a copy of the reader.

  mutating func document() throws(JSONError) {
    var offset = 0
    if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      guard dialect.allowsByteOrderMark else { throw error(.byteOrderMark, at: 0) }
      offset = 3
    }
    offset = afterSpace(offset)
    repeat {
      let around = open
      offset = try value(at: offset)
      offset = try closeAll(at: afterSpace(offset), isEmpty: open != around)
    } while open >= 0
    guard offset == count else { throw error(.trailingText, at: offset) }
  }

  /// Reads a value, or the beginning of one that holds others, and gives where that ends.
  @inline(__always)
  private mutating func value(at offset: Int) throws(JSONError) -> Int {
    guard offset < count else { throw error(.unexpectedEnd, at: offset) }
    switch bytes[offset] {
    case UInt8(ascii: "\""): return try string(at: offset)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: offset)
    case UInt8(ascii: "{"): return try begin(.object, at: offset)
    case UInt8(ascii: "["): return try begin(.array, at: offset)
    case UInt8(ascii: "t"): return try literal("true", .true, at: offset)
    case UInt8(ascii: "f"): return try literal("false", .false, at: offset)
    case UInt8(ascii: "n"): return try literal("null", .null, at: offset)
    default: throw error(.badLiteral, at: offset)
    }
  }

  @inline(__always)
  private mutating func begin(_ kind: JSONToken.Kind, at offset: Int) throws(JSONError) -> Int {
    depth += 1
    guard depth <= Self.depthLimit else { throw error(.tooDeep(Self.depthLimit), at: offset) }
    // Kept one higher, as an offset is never negative.
    open = unsafe memory.pointee.append(JSONToken(kind, start: offset, end: open + 1))
    return offset + 1
  }

  /// Closes what ends here, and gives where the next value begins, or the text ends.
  ///
  /// - Parameter isEmpty: whether an array or object begins just before.
  @inline(__always)
  private mutating func closeAll(at start: Int, isEmpty: Bool) throws(JSONError) -> Int {
    var (offset, isEmpty) = (start, isEmpty)
    while open >= 0 {
      let isObject = unsafe memory.pointee.tokens[open].kind == .object
      let bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard offset < count else { throw error(.unexpectedEnd, at: offset) }
      if bytes[offset] != bracket {
        if !isEmpty { offset = try afterComma(offset, before: bracket) }
        if bytes[offset] != bracket { return isObject ? try key(at: offset) : offset }
      }
      close(at: offset + 1)
      offset = afterSpace(offset + 1)
      isEmpty = false
    }
    return offset
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
    let offset = afterSpace(comma + 1)
    guard offset < count else { throw error(.unexpectedEnd, at: offset) }
    if bytes[offset] == bracket, !dialect.allowsTrailingComma { throw error(.trailingComma, at: comma) }
    return offset
  }

  /// A quoted key and its colon.
  @inline(__always)
  private mutating func key(at start: Int) throws(JSONError) -> Int {
    guard bytes[start] == UInt8(ascii: "\"") else { throw error(.expected("a quoted key"), at: start) }
    let index = unsafe memory.pointee.tokenCount
    var offset = try string(at: start)
    if !dialect.allowsDuplicateKeys { try checkKey(index) }
    offset = afterSpace(offset)
    guard offset < count else { throw error(.unexpectedEnd, at: offset) }
    guard bytes[offset] == UInt8(ascii: ":") else { throw error(.expected("a colon after the key"), at: offset) }
    return afterSpace(offset + 1)
  }

  private mutating func literal(
    _ text: StaticString, _ kind: JSONToken.Kind, at offset: Int
  ) throws(JSONError) -> Int {
    let end = offset + text.utf8CodeUnitCount
    guard end <= count, (offset..<end).allSatisfy({ unsafe bytes[$0] == text.utf8Start[$0 - offset] })
    else { throw error(.badLiteral, at: offset) }
    _ = unsafe memory.pointee.append(JSONToken(kind, start: offset, end: end))
    return end
  }

  /// The padding behind the text is not a space.
  @inline(__always)
  private mutating func afterSpace(_ start: Int) -> Int {
    var offset = start
    while bytes[offset] <= 0x20, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    return offset
  }

  func error(_ problem: JSONError.Problem, at offset: Int) -> JSONError { JSONError(problem: problem, offset: offset) }
}
