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

@Suite("JSON reader: what it rejects, and where")
struct JSONReaderRejectTests {
  @Test(
    "In both dialects",
    arguments: [
      ("", .unexpectedEnd, 0), (" \n", .unexpectedEnd, 2),
      ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{", .unexpectedEnd, 1),
      (#"{"a""#, .unexpectedEnd, 4), (#"{"a":"#, .unexpectedEnd, 5), (#"{"a":1"#, .unexpectedEnd, 6),
      (#"{"a":1,"#, .unexpectedEnd, 7), (#""ab"#, .unexpectedEnd, 3),
      ("nul", .badLiteral, 0), ("True", .badLiteral, 0), ("NaN", .badLiteral, 0), ("Infinity", .badLiteral, 0),
      ("+1", .badLiteral, 0), (".5", .badLiteral, 0), ("'a'", .typographic("'", plain: "\""), 0),
      ("<html>", .badLiteral, 0),
      ("[,]", .badLiteral, 1), ("[1,,]", .badLiteral, 3), ("[1,,2]", .badLiteral, 3), ("// c", .comment, 0),
      ("\u{A0}1", .badLiteral, 0),
      ("{,}", .expected("a quoted key"), 1), ("{a:1}", .expected("a quoted key"), 1),
      ("{'a':1}", .typographic("'", plain: "\""), 1), (#"{"a":1,,}"#, .expected("a quoted key"), 7),
      ("{1:1}", .expected("a quoted key"), 1),
      (#"{"a" 1}"#, .expected("a colon after the key"), 5), (#"{"a"}"#, .expected("a colon after the key"), 4),
      ("[1 2]", .expected("a comma or \"]\""), 3), ("[1}", .expected("a comma or \"]\""), 2),
      (#"{"a":1 "b":2}"#, .expected("a comma or \"}\""), 7), (#"{"a":1]"#, .expected("a comma or \"}\""), 6),
      ("1 2", .trailingText, 2), ("{}x", .trailingText, 2), ("{}{}", .trailingText, 2), ("nulll", .trailingText, 4),
      ("[]]", .trailingText, 2), ("{}\u{0}", .trailingText, 2), ("{} \u{FEFF}", .trailingText, 3),
    ] as [(String, JSONError.Problem, Int)])
  func both(text: String, problem: JSONError.Problem, offset: Int) {
    for dialect in [JSONDialect.strict, .phone] {
      #expect(throws: JSONError(problem: problem, offset: offset)) {
        try JSONReader.read(Array(text.utf8), dialect: dialect)
      }
    }
  }

  @Test(
    "In our own files only",
    arguments: [
      ("[1,]", .trailingComma, 2), ("[1 , ]", .trailingComma, 3), (#"{"a":1,}"#, .trailingComma, 6),
      ("\u{FEFF}{}", .byteOrderMark, 0),
      (#"{"a":1,"a":2}"#, .duplicateKey("a"), 7), (#"{"a":{"b":1,"b":2}}"#, .duplicateKey("b"), 12),
      (#"{"a":1,"\u0061":2}"#, .duplicateKey("a"), 7),
    ] as [(String, JSONError.Problem, Int)])
  func strictOnly(text: String, problem: JSONError.Problem, offset: Int) throws {
    #expect(throws: JSONError(problem: problem, offset: offset)) { try JSONReader.read(Array(text.utf8)) }
    _ = try JSONReader.read(Array(text.utf8), dialect: .phone)
  }

  @Test("A key that comes twice, however many members are before it", arguments: [1, 31, 32, 33, 34, 70, 300])
  func manyMembers(count: Int) {
    for (index, spelling) in [(0, "k0"), (count - 1, "k\(count - 1)"), (count / 2, "\\u006b\(count / 2)")] {
      let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
      let text = "{\(members),\"\(spelling)\":0}"
      let problem = JSONError(problem: .duplicateKey("k\(index)"), offset: members.utf8.count + 2)
      #expect(throws: problem) { try JSONReader.read(Array(text.utf8)) }
      // With others behind it, and in an object after one of as many members.
      #expect(throws: JSONError.self) { try JSONReader.read(Array("{\(members),\"\(spelling)\":0,\"z\":1}".utf8)) }
      #expect(throws: JSONError.self) { try JSONReader.read(Array("[{\(members)},{\"y\":0,\(text.dropFirst())]".utf8)) }
    }
  }

  @Test("A byte order mark does no good to what follows it", arguments: [("", 3), ("x", 3), ("1 2", 5)])
  func afterMark(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array("\u{FEFF}\(text)".utf8), dialect: .phone)
    }
    #expect(error?.offset == offset)
  }

  @Test(
    "Each problem has its words",
    arguments: [
      (.unexpectedEnd, "the text ends too early"), (.expected("a quoted key"), "expected a quoted key"),
      (.badEscape, "no such escape in a JSON string"),
      (.loneSurrogate, "half a surrogate pair: \\uD800-\\uDFFF come in twos"),
      (.controlCharacter, "a control character in a string must be escaped"), (.badNumber, "not a JSON number"),
      (.numberTooLarge, "the number is too large"),
      (.badLiteral, "expected a value: an object, array, string, number, true, false or null"),
      (.duplicateKey("k"), "the key \"k\" is given twice"), (.trailingComma, "a comma before the closing bracket"),
      (.trailingText, "more text after the end of the value"), (.invalidUTF8, "not valid UTF-8"),
      (.byteOrderMark, "a byte order mark does not belong here"),
      (.tooDeep(512), "more than 512 brackets inside each other"), (.comment, "JSON has no comments"),
      (.typographic("'", plain: "\""), "a single quote, where JSON has \""),
      (.typographic("“", plain: "\""), "“ is a typographic quote, where JSON has \""),
      (.typographic("–", plain: "-"), "– is a typographic dash, where JSON has -"),
    ] as [(JSONError.Problem, String)])
  func words(problem: JSONError.Problem, expected: String) {
    #expect(JSONError(problem: problem, offset: 0).message == expected)
  }

  @Test(
    "Invalid UTF-8 is reported at its first wrong byte, not at the start of its string",
    arguments: [([0x61, 0x62, 0xFF], 3), ([0xC3, 0xA9, 0xC3], 3), ([0x5C, 0x6E, 0x61, 0xFF], 4)] as [([UInt8], Int)])
  func invalidUTF8Offset(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONError(problem: .invalidUTF8, offset: offset)) {
      try JSONReader.read([0x22] + bytes + [0x22])
    }
  }

  @Test("The line of a location is without its end, CRLF too")
  func crlf() {
    let index = TextLocation(of: 0..<4, in: Array("abc\r\nd\r\n".utf8))
    #expect(Array(index.text.utf8) == Array("abc".utf8))
    #expect(index.length == 3)
  }

  @Test("An object of 2,000 keys takes no longer than its bytes do")
  func manyKeys() throws {
    let text = "{" + (0..<2000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
    let duration = try ContinuousClock().measure { _ = try JSONReader.read(Array(text.utf8)).value }
    // As an array of the same bytes takes some 20 ms even in a debug build.
    #expect(duration < .milliseconds(500))
  }
}

@Suite("JSON reader: numbers")
struct JSONReaderNumberTests {
  @Test(
    "Whole numbers within 64 bits are integers",
    arguments: [
      ("0", 0), ("7", 7), ("-1", -1), ("63", 63), ("4294967297", 4_294_967_297),
      ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func integers(text: String, expected: Int64) throws {
    guard case .integer(let number) = try content(text) else {
      Issue.record("\(text) is no integer")
      return
    }
    #expect(number == expected)
  }

  @Test(
    "All others are doubles, whole ones too",
    arguments: [
      ("0.0", 0), ("-0.0", -0.0), ("64.0", 64), ("1.7", 1.7), ("-0.5", -0.5), ("1e1", 10), ("1E1", 10), ("1e+1", 10),
      ("1e-1", 0.1), ("0e0", 0), ("-0e5", -0.0), ("1.5e3", 1500), ("9.9899997711181641", 9.989_999_771_118_164),
      ("0.1000000000000000055511151231257827", 0.1), ("9223372036854775808.0", 9.223_372_036_854_775_808e18),
      ("-9223372036854775809", -9.223_372_036_854_775_808e18), ("1e308", 1e308),
      ("1.7976931348623157e308", 1.797_693_134_862_315_7e308), ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
      ("0e999999999", 0),
      ("100000000000000000000000000000000000000000000000000", 1e50),
    ] as [(String, Double)])
  func doubles(text: String, expected: Double) throws {
    guard case .double(let number) = try content(text) else {
      Issue.record("\(text) is no double")
      return
    }
    #expect(number == expected)
    #expect(number.sign == expected.sign)
  }

  @Test("Whole numbers beyond Int64, as far as 64 bits go", arguments: ["9223372036854775808", "18446744073709551615"])
  func unsigned(text: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).value == .unsigned(#require(UInt64(text))))
  }

  @Test("-0 keeps its sign in our files, and is the integer in an answer")
  func minusZero() throws {
    guard case .double(let number) = try content("-0") else {
      Issue.record("no double")
      return
    }
    #expect(number.sign == .minus)
    guard case .integer(0) = try JSONReader.read(Array("-0".utf8), dialect: .phone).content else {
      Issue.record("no integer")
      return
    }
  }

  @Test(
    "What no number is",
    arguments: [
      ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
      ("-a", .badNumber, 1), ("--1", .badNumber, 1), ("-.5", .badNumber, 1), ("1.e5", .badNumber, 2),
      ("[1.]", .badNumber, 3), ("[1e]", .badNumber, 3), ("[-]", .badNumber, 2),
      ("09", .badNumber, 1), ("-01", .badNumber, 2), ("00", .badNumber, 1), ("[ 01.5 ]", .badNumber, 3),
      ("1e400", .numberTooLarge, 0), ("[ -1e400 ]", .numberTooLarge, 2),
      ("0x10", .trailingText, 1), ("1_000", .trailingText, 1), ("1,5", .trailingText, 1), ("1.5.5", .trailingText, 3),
      ("1e5e5", .trailingText, 3), ("1f", .trailingText, 1), ("-Infinity", .badNumber, 1),
    ] as [(String, JSONError.Problem, Int)])
  func rejected(text: String, problem: JSONError.Problem, offset: Int) {
    for dialect in [JSONDialect.strict, .phone] {
      #expect(throws: JSONError(problem: problem, offset: offset)) {
        try JSONReader.read(Array(text.utf8), dialect: dialect)
      }
    }
  }

  @Test("A number of 10,000 digits is too large, with 10,000 decimals it is not")
  func long() throws {
    let digits = String(repeating: "9", count: 10_000)
    #expect(throws: JSONError(problem: .numberTooLarge, offset: 0)) { try content(digits) }
    guard case .double(let number) = try content("0.\(digits)") else {
      Issue.record("no double")
      return
    }
    #expect(number == 1)
  }

  private func content(_ text: String) throws(JSONError) -> JSONNode.Content {
    try JSONReader.read(Array(text.utf8)).content
  }
}

@Suite("JSON reader: strings")
struct JSONReaderStringTests {
  @Test(
    "Escapes and plain text",
    arguments: [
      (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/""#, "\"\\/"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u00E9""#, "A\u{E9}\u{E9}"), (#""\u0000x""#, "\u{0}x"), (#""\u2028""#, "\u{2028}"),
      (#""\ud83d\ude00""#, "\u{1F600}"), (#""\uD83D\uDE00!""#, "\u{1F600}!"), (#""\udbff\udfff""#, "\u{10FFFF}"),
      (#""\ud800\udc00""#, "\u{10000}"), (#""\ufffd\ue000""#, "\u{FFFD}\u{E000}"), (#""a\u0301""#, "a\u{301}"),
      (#""\\u0041""#, #"\u0041"#), ("\"\u{7F}\u{85}\u{2028}\"", "\u{7F}\u{85}\u{2028}"),
      ("\"é漢😀\"", "é漢😀"), (#""é\n漢""#, "é\n漢"), (#""\u00e9é""#, "éé"), (#""</script>""#, "</script>"),
    ])
  func accepted(text: String, expected: String) throws {
    for dialect in [JSONDialect.strict, .phone] {
      guard case .string(let string) = try JSONReader.read(Array(text.utf8), dialect: dialect).content else {
        Issue.record("\(text) is no string")
        return
      }
      #expect(string.isLiterally(expected))
    }
  }

  @Test(
    "Escapes that are none",
    arguments: [
      (#""\x""#, .badEscape, 1), (#""ab\'""#, .badEscape, 3), (#""\U0041""#, .badEscape, 1),
      (#""\u12G4""#, .badEscape, 1), (#""\u-123""#, .badEscape, 1), (#""\u 041""#, .badEscape, 1),
      (#""\"#, .unexpectedEnd, 1), (#""\u00"#, .unexpectedEnd, 1), (#""\""#, .unexpectedEnd, 3),
      (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1), (#""x\ude00\ud83d""#, .loneSurrogate, 2),
      (#""\ud83d\ud83d""#, .loneSurrogate, 1), (#""\ud83d\u0041""#, .loneSurrogate, 1),
      (#""\ud83dx\ude00""#, .loneSurrogate, 1), (#""\ud83d\n""#, .loneSurrogate, 1),
      ("\"a\nb\"", .controlCharacter, 2), ("\"\t\"", .controlCharacter, 1), ("\"\u{0}\"", .controlCharacter, 1),
      ("\"\\n\u{1F}\"", .controlCharacter, 3),
    ] as [(String, JSONError.Problem, Int)])
  func rejected(text: String, problem: JSONError.Problem, offset: Int) {
    for dialect in [JSONDialect.strict, .phone] {
      #expect(throws: JSONError(problem: problem, offset: offset)) {
        try JSONReader.read(Array(text.utf8), dialect: dialect)
      }
    }
  }

  @Test(
    "Bytes that are no UTF-8",
    arguments: [
      [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0x5C, 0x6E, 0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for dialect in [JSONDialect.strict, .phone] {
      let error = #expect(throws: JSONError.self) {
        try JSONReader.read([0x22] + bytes + [0x22], dialect: dialect)
      }
      #expect(error?.problem == .invalidUTF8)
      // As a key of an object too.
      let inKey = #expect(throws: JSONError.self) {
        try JSONReader.read([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D], dialect: dialect)
      }
      #expect(inKey?.problem == .invalidUTF8)
    }
  }

  @Test("Invalid bytes outside a string are no value", arguments: [[0xFF], [0xFE, 0xFF], [0xEF, 0xBB], [0x00]])
  func outside(bytes: [UInt8]) {
    #expect(throws: JSONError(problem: .badLiteral, offset: 0)) { try JSONReader.read(bytes, dialect: .phone) }
  }

  @Test(
    "Strings are compared by code points", arguments: [("é", "é", true), ("\u{E9}", "e\u{301}", false), ("", "", true)])
  func literally(left: String, right: String, expected: Bool) {
    #expect(left.isLiterally(right) == expected)
  }

  @Test(
    "Code point order",
    arguments: [("", "a", true), ("a", "a", false), ("Z", "a", true), ("a", "ab", true), ("z", "é", true)])
  func order(left: String, right: String, expected: Bool) {
    #expect(left.literallyPrecedes(right) == expected)
  }
}
