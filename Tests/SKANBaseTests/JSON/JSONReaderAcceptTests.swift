import Testing

@testable import SKANBase

@Suite("JSON reader: what it accepts")
struct JSONReaderAcceptTests {
  @Test(
    "A document of the standard, in both dialects",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("7", .integer(7)), ("\"\"", .string("")),
      ("[]", .array([])), ("{}", .object([])), ("[ ]", .array([])), ("{ \t\r\n}", .object([])),
      ("[1,2]", .array([.integer(1), .integer(2)])), ("[[],[[]]]", .array([.array([]), .array([.array([])])])),
      (" \t\r\n[ 1 ,\n2 ] \r\n", .array([.integer(1), .integer(2)])),
      (#"{"a":1}"#, .object([("a", .integer(1))])),
      (#"{ "a" : { "b" : [ null ] } }"#, .object([("a", .object([("b", .array([.null]))]))])),
      (#"{"":""}"#, .object([("", .string(""))])),
      (#"{"b":1,"a":2}"#, .object([("a", .integer(2)), ("b", .integer(1))])),
      // "é" as one code point and as two: two keys.
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", .object([("\u{E9}", .integer(1)), ("e\u{301}", .integer(2))])),
    ] as [(String, JSON)])
  func standard(text: String, expected: JSON) throws {
    #expect(try value(text, .strict) == expected)
    #expect(try value(text, .phone) == expected)
  }

  @Test(
    "What only the phone's reader lets through",
    arguments: [
      ("[1,]", .array([.integer(1)])), ("[1 , ]", .array([.integer(1)])),
      (#"{"a":1,}"#, .object([("a", .integer(1))])), ("{\"a\":[1,],\n}", .object([("a", .array([.integer(1)]))])),
      ("\u{FEFF}{}", .object([])), ("\u{FEFF} [1,] ", .array([.integer(1)])),
      (#"{"a":1,"a":2}"#, .object([("a", .integer(2))])),
      (#"{"a":1,"b":0,"a":null}"#, .object([("a", .null), ("b", .integer(0))])),
      (#"{"a":1,"\u0061":2}"#, .object([("a", .integer(2))])),
    ] as [(String, JSON)])
  func phoneOnly(text: String, expected: JSON) throws {
    #expect(try value(text, .phone) == expected)
    #expect(throws: JSONError.self) { try value(text, .strict) }
  }

  @Test("Every leniency of a dialect stands alone")
  func leniencies() throws {
    var dialect = JSONDialect.strict
    dialect.allowsTrailingComma = true
    #expect(try value("[1,]", dialect) == .array([.integer(1)]))
    #expect(throws: JSONError(problem: .byteOrderMark, offset: 0)) { try value("\u{FEFF}1", dialect) }
    #expect(throws: JSONError(problem: .duplicateKey("a"), offset: 7)) { try value(#"{"a":1,"a":2}"#, dialect) }
  }

  @Test("The last of equal keys counts, and the others stay where they are in the tree")
  func duplicates() throws {
    let node = try JSONReader.read(Array(#"{"a":1,"b":2,"a":3}"#.utf8), dialect: .phone)
    #expect(node.member("a")?.value == .integer(3))
    #expect(node.member("b")?.value == .integer(2))
    #expect(node.member("A") == nil)
    guard case .object(let members) = node.content else { throw Unexpected() }
    #expect(members.map(\.key) == ["a", "b", "a"])
    guard case .object(let plain) = node.value else { throw Unexpected() }
    #expect(plain.map(\.key) == ["b", "a"])
  }

  @Test("A value knows its bytes", arguments: [("a", 5..<9), ("b", 15..<23), ("c", 31..<33)])
  func ranges(key: String, expected: Range<Int>) throws {
    let text = #"{"a":"é", "b":[ 1, 2 ] , "c": 42}"#
    let node = try JSONReader.read(Array(text.utf8))
    #expect(node.range == 0..<text.utf8.count)
    #expect(node.member(key)?.range == expected)
  }

  @Test("A slice is read with offsets from its own start")
  func slice() throws {
    let bytes = Array(#"xx{"a":7}"#.utf8)
    let node = try JSONReader.read(bytes[2...])
    #expect(node.range == 0..<7)
    #expect(node.member("a")?.range == 5..<6)
  }

  @Test(
    "Kinds in words",
    arguments: [
      ("null", "null"), ("true", "a boolean"), ("1", "a number"), ("1.5", "a number"), (#""x""#, "a string"),
      ("[]", "an array"), ("{}", "an object"),
    ])
  func kinds(text: String, expected: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).kind == expected)
  }

  private func value(_ text: String, _ dialect: JSONDialect) throws(JSONError) -> JSON {
    try JSONReader.read(Array(text.utf8), dialect: dialect).value
  }

  private struct Unexpected: Error {}
}
