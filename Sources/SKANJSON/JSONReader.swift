/// Reads one JSON value from bytes, keeping the place of everything.
///
/// A pointer walk without look-back: one pass, no copy but the strings. Nesting is limited, so that no input can
/// exhaust the stack.
package struct JSONReader {
  /// As deep as `NSJSONSerialization` goes.
  static let depthLimit = 512

  let bytes: UnsafeBufferPointer<UInt8>
  let dialect: JSONDialect
  var position = 0
  var depth = 0

  /// Reads the whole of `bytes` as one value.
  ///
  /// - Throws: ``JSONError`` with the offset of the first byte that is wrong.
  package static func read(_ bytes: some Collection<UInt8>, dialect: JSONDialect = .strict) throws(JSONError)
    -> JSONNode
  {
    let result: Result<JSONNode, JSONError>? = bytes.withContiguousStorageIfAvailable { buffer in
      var reader = JSONReader(bytes: buffer, dialect: dialect)
      do throws(JSONError) { return .success(try reader.document()) } catch { return .failure(error) }
    }
    guard let result else { return try read(Array(bytes), dialect: dialect) }
    return try result.get()
  }

  /// The same for a file of ours, its error as a problem with a place.
  package static func readSource(_ bytes: some Collection<UInt8>) throws(SourceProblems) -> JSONNode {
    do throws(JSONError) { return try read(bytes) } catch { throw [SourceProblem(error)] }
  }

  private mutating func document() throws(JSONError) -> JSONNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      guard dialect.allowsByteOrderMark else { throw error(.byteOrderMark) }
      position = 3
    }
    skipSpace()
    let node = try value()
    skipSpace()
    guard position == bytes.count else { throw error(.trailingText) }
    return node
  }

  mutating func value() throws(JSONError) -> JSONNode {
    guard position < bytes.count else { throw error(.unexpectedEnd) }
    let start = position
    let content: JSONNode.Content
    switch bytes[position] {
    case UInt8(ascii: "{"): content = .object(try members())
    case UInt8(ascii: "["): content = .array(try items())
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try literal("true", .bool(true))
    case UInt8(ascii: "f"): content = try literal("false", .bool(false))
    case UInt8(ascii: "n"): content = try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = try number()
    default: throw error(.badLiteral)
    }
    return JSONNode(content, range: start..<position)
  }

  private mutating func members() throws(JSONError) -> [JSONMember] {
    try open()
    var members: [JSONMember] = []
    var seen: Set<[UInt8]> = []
    while try !closes(UInt8(ascii: "}"), after: members.count, expecting: "a quoted key") {
      guard bytes[position] == UInt8(ascii: "\"") else { throw error(.expected("a quoted key")) }
      let keyStart = position
      let key = try string()
      let keyRange = keyStart..<position
      if !dialect.allowsDuplicateKeys, !seen.insert(Array(key.utf8)).inserted {
        throw JSONError(problem: .duplicateKey(key), offset: keyStart)
      }
      skipSpace()
      guard position < bytes.count else { throw error(.unexpectedEnd) }
      guard bytes[position] == UInt8(ascii: ":") else { throw error(.expected("a colon after the key")) }
      position += 1
      skipSpace()
      members.append(JSONMember(key: key, keyRange: keyRange, value: try value()))
    }
    return members
  }

  private mutating func items() throws(JSONError) -> [JSONNode] {
    try open()
    var items: [JSONNode] = []
    while try !closes(UInt8(ascii: "]"), after: items.count, expecting: "a value") {
      items.append(try value())
    }
    return items
  }

  private mutating func open() throws(JSONError) {
    depth += 1
    guard depth <= Self.depthLimit else { throw error(.tooDeep(Self.depthLimit)) }
    position += 1
  }

  /// Steps over what stands between members and items; true when the bracket closed.
  private mutating func closes(_ bracket: UInt8, after count: Int, expecting what: String) throws(JSONError) -> Bool {
    skipSpace()
    guard position < bytes.count else { throw error(.unexpectedEnd) }
    var comma: Int?
    if count > 0, bytes[position] == UInt8(ascii: ",") {
      comma = position
      position += 1
      skipSpace()
      guard position < bytes.count else { throw error(.unexpectedEnd) }
    } else if count > 0, bytes[position] != bracket {
      throw error(.expected("a comma or \"\(Character(UnicodeScalar(bracket)))\""))
    }
    guard bytes[position] == bracket else { return false }
    if let comma, !dialect.allowsTrailingComma { throw JSONError(problem: .trailingComma, offset: comma) }
    position += 1
    depth -= 1
    return true
  }

  private mutating func literal(_ text: StaticString, _ content: JSONNode.Content) throws(JSONError)
    -> JSONNode.Content
  {
    let length = text.utf8CodeUnitCount
    guard position + length <= bytes.count,
      (0..<length).allSatisfy({ bytes[position + $0] == text.utf8Start[$0] })
    else { throw error(.badLiteral) }
    position += length
    return content
  }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  func error(_ problem: JSONError.Problem) -> JSONError { JSONError(problem: problem, offset: position) }
}
