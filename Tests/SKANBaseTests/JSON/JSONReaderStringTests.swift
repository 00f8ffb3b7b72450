import Testing

@testable import SKANBase

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
