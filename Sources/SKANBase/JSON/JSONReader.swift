/// Parses a text into tokens in one pass without look-back, keeping the range of each.
///
/// It is not recursive: open arrays and objects are chained through the tokens, so that no input can exhaust the stack.
@safe package struct JSONReader {
  /// The depth limit of `NSJSONSerialization`.
  static let depthLimit = 512
  /// Objects with at least this many members look their keys up in a set.
  static let fewMembers: UInt64 = 32

  let memory: UnsafeMutablePointer<JSONDocument.Memory>
  let bytes: PaddedBytes
  let count: Int
  let dialect: JSONDialect
  private var depth = 0
  /// The innermost open array or object, or -1. Its token holds the one around it and a sketch of its keys so far.
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
  /// - Throws: ``JSONError`` with the offset of the first invalid byte.
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

  /// Reads one of the program's own files; an error is a problem with a location.
  package static func readSource(_ bytes: some Collection<UInt8>) throws(SourceProblems) -> JSONNode {
    do throws(JSONError) { return try read(bytes) } catch { throw [SourceProblem(error)] }
  }

  // The offset is passed in and returned so that it stays in a register. Functions that change nothing are mutating
  // too, here and in the extensions for strings and numbers: otherwise they would work on a copy of the reader.

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

  /// Reads a scalar, or the opening bracket of an array or object, and returns the offset after it.
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
    // Stored plus one, because an offset is never negative.
    open = unsafe memory.pointee.append(JSONToken(kind, start: offset, end: open + 1))
    return offset + 1
  }

  /// Closes every array and object that ends here, and returns the offset of the next value or of the end of the text.
  ///
  /// - Parameter isEmpty: whether an array or object was opened just before.
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

  /// Steps over the comma between members or items; a closing bracket may follow.
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

  /// Reads a quoted key and its colon.
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

  /// The offset of the next byte that is not white space. The padding after the text stops it.
  @inline(__always)
  private mutating func afterSpace(_ start: Int) -> Int {
    var offset = start
    while bytes[offset] <= 0x20, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    return offset
  }

  func error(_ problem: JSONError.Problem, at offset: Int) -> JSONError {
    switch problem {
    case .expected, .badLiteral, .trailingText, .unexpectedEnd:
      slip(at: offset) ?? JSONError(problem: problem, offset: offset)
    default: JSONError(problem: problem, offset: offset)
    }
  }
}

// Slips of texts that people write.
extension JSONReader {
  /// The number of bytes before an error in which a typographic quote is looked for.
  private static let distance = 256

  /// The mistake of a text that has other characters in the place of JSON's own; nil for any other text.
  private func slip(at offset: Int) -> JSONError? {
    if let problem = slipOfCharacter(at: offset) { return JSONError(problem: problem, offset: offset) }
    // A string that a typographic quote should have ended goes on to the next quote.
    for start in max(0, offset - Self.distance)..<offset {
      guard case .typographic(let quote, plain: "\"")? = slipOfCharacter(at: start), start + quote.utf8.count < count
      else { continue }
      if [UInt8](":,}]".utf8).contains(bytes[start + quote.utf8.count]) {
        return JSONError(problem: .typographic(quote, plain: "\""), offset: start)
      }
    }
    return nil
  }

  private func slipOfCharacter(at offset: Int) -> JSONError.Problem? {
    guard offset < count else { return nil }
    let start = (offset..<min(count, offset + 3)).map { bytes[$0] }
    switch start[0] {
    case UInt8(ascii: "#"): return .comment
    case UInt8(ascii: "/") where start.count > 1 && [UInt8]("/*".utf8).contains(start[1]): return .comment
    case UInt8(ascii: "'"): return .typographic("'", plain: "\"")
    case 0xE2 where start.count == 3, 0xC2 where start.count > 1:
      let character = String(decoding: start[0] == 0xC2 ? start[..<2] : start[...], as: UTF8.self)
      return Typography.plain(character).map { .typographic(character, plain: $0) }
    default: return nil
    }
  }
}

// Detection of duplicate keys.
extension JSONReader {
  /// Throws if the open object already has the key.
  @inline(__always)
  mutating func checkKey(_ index: Int) throws(JSONError) {
    let key = unsafe memory.pointee.tokens[index]
    // The number of members so far in the upper half, and a mark for each in the lower half.
    let sketch = unsafe memory.pointee.tokens[open].payload
    let members = sketch >> 32
    // Length and first letter nearly always distinguish a key from all earlier ones. A key with escapes may equal any.
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
      // Nearly always the lengths or the first letters differ.
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
}

/// How strictly a text is read.
///
/// The same reader serves the program's own files, where a slip must be an error, and the answers of an endpoint, where
/// the phone's reader decides what is JSON (the behaviour reference, "Answers").
package struct JSONDialect: Sendable {
  /// Whether a comma after the last member or item is accepted.
  package var allowsTrailingComma: Bool
  /// Whether a UTF-8 byte order mark before the value is accepted.
  package var allowsByteOrderMark: Bool
  /// Whether equal keys in one object are accepted; ``JSONNode/member(_:)`` then returns the last.
  package var allowsDuplicateKeys: Bool

  /// Whether `-0` is a floating-point number, which keeps its sign, instead of the integer 0.
  package var keepsMinusZero: Bool

  /// The program's own files: standard JSON without duplicate keys.
  package static let strict = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: false, allowsDuplicateKeys: false, keepsMinusZero: true)
  /// Files edited by other programs, which may add a byte order mark.
  package static let file = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: true, allowsDuplicateKeys: false, keepsMinusZero: true)
  /// Files that another program writes but never reads, such as a HAR; keys may be duplicated.
  package static let export = JSONDialect(
    allowsTrailingComma: false, allowsByteOrderMark: true, allowsDuplicateKeys: true, keepsMinusZero: true)
  /// JSON as `NSJSONSerialization` accepts it.
  package static let phone = JSONDialect(
    allowsTrailingComma: true, allowsByteOrderMark: true, allowsDuplicateKeys: true, keepsMinusZero: false)
}

/// Why a text is not JSON, and where.
package struct JSONError: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    case unexpectedEnd
    case expected(String)
    case badEscape
    case loneSurrogate
    case controlCharacter
    case badNumber
    case numberTooLarge
    case badLiteral
    case duplicateKey(String)
    case trailingComma
    case trailingText
    case invalidUTF8
    case byteOrderMark
    case tooDeep(Int)
    case tooLong
    /// A comment of another language.
    case comment
    /// A character in the place of a plain one: a curly quote, a long dash.
    case typographic(String, plain: String)
  }

  package var problem: Problem
  /// The byte at which reading stopped.
  package var offset: Int

  /// The problem in words, without its location.
  package var message: String {
    switch problem {
    case .unexpectedEnd: "the text ends too early"
    case .expected(let what): "expected \(what)"
    case .badEscape: "no such escape in a JSON string"
    case .loneSurrogate: "half a surrogate pair: \\uD800-\\uDFFF come in twos"
    case .controlCharacter: "a control character in a string must be escaped"
    case .badNumber: "not a JSON number"
    case .numberTooLarge: "the number is too large"
    case .badLiteral: "expected a value: an object, array, string, number, true, false or null"
    case .duplicateKey(let key): "the key \"\(key)\" is given twice"
    case .trailingComma: "a comma before the closing bracket"
    case .trailingText: "more text after the end of the value"
    case .invalidUTF8: "not valid UTF-8"
    case .byteOrderMark: "a byte order mark does not belong here"
    case .tooLong: "the text is longer than 4 GB"
    case .comment: "JSON has no comments"
    case .typographic("'", let plain): "a single quote, where JSON has \(plain)"
    case .typographic(let character, let plain):
      "\(character) is a typographic \(plain == "-" ? "dash" : "quote"), where JSON has \(plain)"
    case .tooDeep(let limit): "more than \(limit) brackets inside each other"
    }
  }
}

extension SourceProblem {
  /// The problem that the text is not JSON.
  package init(_ error: JSONError) {
    self.init("not JSON: \(error.message)", at: error.offset..<error.offset + 1)
  }
}
