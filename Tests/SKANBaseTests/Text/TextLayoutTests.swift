import Testing

@testable import SKANBase

@Suite("Trimming and padding")
struct TextLayoutTests {
  @Test(
    "Trimmed",
    arguments: [("", "", ""), ("  ", "", ""), (" a b ", "a b", " a b"), ("a", "a", "a"), ("  é", "é", "  é")])
  func trimming(text: String, both: String, suffix: String) {
    #expect(text.trimming { $0 == " " } == both)
    #expect(text.trimmingSuffix { $0 == " " } == suffix)
  }

  @Test(
    "Padded behind",
    arguments: [
      ("ab", 4, 0, "ab  "), ("ab", 2, 0, "ab"), ("ab", 1, 0, "ab"), ("ab", 2, 1, "ab "), ("ab", 1, 1, "ab "),
      ("ab", 4, 1, "ab  "), ("e\u{301}", 2, 0, "e\u{301} "), ("", 1, 0, " "),
    ])
  func padding(text: String, width: Int, least: Int, expected: String) {
    #expect(text.padded(to: width, atLeast: least) == expected)
  }

  @Test("Padded before", arguments: [("7", 3, "007"), ("1234", 3, "1234"), ("", 2, "00")])
  func leftPadding(text: String, width: Int, expected: String) {
    #expect(text.leftPadded(to: width, with: "0") == expected)
  }
}
