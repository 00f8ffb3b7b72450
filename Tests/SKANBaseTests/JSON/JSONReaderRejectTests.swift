import Testing

@testable import SKANBase

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
