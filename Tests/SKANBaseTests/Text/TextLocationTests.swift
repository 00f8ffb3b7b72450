import Testing

@testable import SKANBase

@Suite("Indices in a text")
struct TextLocationTests {
  struct Case: Sendable {
    var text: String
    var range: Range<Int>
    var line: Int
    var column: Int
    var shown: String
    var length: Int

    init(_ text: String, _ range: Range<Int>, line: Int, column: Int, shown: String, length: Int = 1) {
      self.text = text
      self.range = range
      self.line = line
      self.column = column
      self.shown = shown
      self.length = length
    }
  }

  @Test(
    "Line, column and length",
    arguments: [
      Case("", 0..<1, line: 1, column: 1, shown: ""),
      Case("abc", 0..<1, line: 1, column: 1, shown: "abc"),
      Case("abc", 1..<3, line: 1, column: 2, shown: "abc", length: 2),
      Case("abc", 3..<4, line: 1, column: 4, shown: "abc"),
      Case("abc", 99..<100, line: 1, column: 4, shown: "abc"),
      Case("abc", 1..<1, line: 1, column: 2, shown: "abc"),
      Case("a\nbc\n", 2..<4, line: 2, column: 1, shown: "bc", length: 2),
      Case("a\nbc\n", 3..<9, line: 2, column: 2, shown: "bc", length: 1),
      Case("a\nbc\n", 5..<6, line: 3, column: 1, shown: ""),
      Case("a\nbc", 1..<2, line: 1, column: 2, shown: "a"),
      Case("a\n\n\nb", 3..<4, line: 3, column: 1, shown: ""),
      Case("a\n\n\nb", 4..<5, line: 4, column: 1, shown: "b"),
      // Two bytes, one column; three; four; and one character of several code points.
      Case("éa", 2..<3, line: 1, column: 2, shown: "éa"),
      Case("漢字a", 6..<7, line: 1, column: 3, shown: "漢字a"),
      Case("😀a", 4..<5, line: 1, column: 2, shown: "😀a"),
      Case("e\u{301}a", 3..<4, line: 1, column: 2, shown: "e\u{301}a"),
      Case("é\néé漢", 5..<10, line: 2, column: 2, shown: "éé漢", length: 2),
      Case("\"é\": x", 0..<4, line: 1, column: 1, shown: "\"é\": x", length: 3),
      Case("ab\ncd", 1..<5, line: 1, column: 2, shown: "ab", length: 1),
    ])
  func index(_ example: Case) {
    let index = TextLocation(of: example.range, in: Array(example.text.utf8))
    #expect(index.line == example.line)
    #expect(index.column == example.column)
    #expect(index.text == example.shown)
    #expect(index.length == example.length)
  }

  @Test("Of a long line only what is around the location is kept")
  func longLine() {
    let line = String(repeating: "é", count: 5000) + "x" + String(repeating: "é", count: 5000)
    let index = TextLocation(of: 10_000..<10_001, in: Array("a\n\(line)\n".utf8).dropFirst(2).map(\.self))
    #expect(index.line == 1 && index.column == 5001 && index.length == 1)
    #expect(index.text == String(line.dropFirst(4500).prefix(1000)))
    #expect(index.skipped == 4500 && index.isCut)
    let first = TextLocation(of: 0..<20_000, in: Array(line.utf8))
    #expect(first.skipped == 0 && first.isCut && first.length == 500 && first.text.count == 500)
    let last = TextLocation(of: 20_001..<20_002, in: Array(line.utf8))
    #expect(last.column == 10_002 && last.skipped == 9501 && !last.isCut)
  }

  @Test("Several places are the same, in whatever order they are asked for")
  func several() {
    let bytes = Array("é\nbc dé\r\n\n漢字 x\n".utf8)
    var indices = TextLocations(bytes)
    for start in [0, 3, 3, 6, 9, 12, 15, 20, 2, 18, 0] {
      #expect(indices.location(of: start..<start + 2) == TextLocation(of: start..<start + 2, in: bytes))
    }
  }

  @Test("No place in any bytes is a crash")
  func everywhere() {
    let bytes: [UInt8] = [0x61, 0xC3, 0xA9, 0x0A, 0xFF, 0x0D, 0x0A, 0xF0, 0x9F, 0x98, 0x80]
    for start in 0...bytes.count + 1 {
      for end in start...bytes.count + 2 {
        let index = TextLocation(of: start..<end, in: bytes)
        #expect((1...3).contains(index.line))
        #expect(index.column >= 1)
        #expect(index.length >= 1)
      }
    }
  }

  @Test("Problems as a literal")
  func literal() {
    let problem = SourceProblem("m", at: 0..<1)
    #expect([problem, problem] as SourceProblems == SourceProblems([problem, problem]))
  }
}

@Suite("Numbers and texts in the forms that reports, queries and CSV have")
struct TextFormTests {
  @Test(
    "A part of a whole in per cent, rounded half away from 0",
    arguments: [
      (1, 3, "33.3 %"), (23, 80, "28.8 %"), (1, 16, "6.3 %"), (-1, 16, "-6.3 %"), (1, -16, "-6.3 %"), (0, 5, "0.0 %"),
      (-1, 10_000, "0.0 %"), (5, 5, "100.0 %"), (1, 0, "-"), (.max, 1, "922337203685477580700.0 %"),
    ] as [(Int, Int, String)])
  func percent(part: Int, whole: Int, text: String) { #expect(part.percent(of: whole) == text) }

  @Test func `Ordinals`() {
    #expect(
      [1, 2, 3, 4, 6, 11, 12, 13, 21, 22, 103, 111].map(\.ordinal).joined(separator: " ")
        == "1st 2nd 3rd 4th 6th 11th 12th 13th 21st 22nd 103rd 111th")
  }

  @Test func `A list of names, and a text that is cut`() {
    #expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map { $0.listed() } == ["", "a", "a and b", "a, b and c"])
    #expect(["a", "b"].listed("or") == "a or b")
    #expect("abc".truncated(to: 3) == "abc" && "abcd".truncated(to: 3) == "abc…" && "abcd".truncated(to: 0, "!") == "!")
    #expect("éa B".capitalizedFirst == "Éa B" && UInt64(255).hexText == "00000000000000ff")
  }

  @Test func `Escapes of a URL`() {
    #expect("aZ9-._~/ä %".percentEncoded() == "aZ9-._~%2F%C3%A4%20%25")
    #expect("a/b c".percentEncoded(keeping: "/") == "a/b%20c")
  }

  @Test func `A line of CSV`() { #expect(["a", "b,c", "=d", ""].csvLine == "a,\"b,c\",'=d,\n") }

  @Test(
    "A UUID",
    arguments: [
      ("21DB6612-09b3-4ECC-84AC-B353B0AF1334", true), ("21DB6612-09B3-4ECC-84AC-B353B0AF133", false),
      ("21DB6612-09B3-4ECC-84AC-B353B0AF1334 ", false), ("21DB66120-9B3-4ECC-84AC-B353B0AF1334", false),
      ("21DB6612-09B3-4ECC-84AC-B353B0AF133G", false), ("", false),
    ])
  func uuid(text: String, isUUID: Bool) { #expect(text.isUUID == isUUID) }
}

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

/// The widths are those of wcwidth(3) in a UTF-8 terminal, written here as numbers: the layout's own tests measure with
/// the code that they test.
@Suite("Columns of a terminal")
struct ColumnsTests {
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("漢字a", 5), ("ひらがな", 8), ("한글", 4), ("ｆｕ", 4),
      ("ﾊﾝ", 2), ("😀", 2), ("─", 1), ("\u{200B}", 0), ("Ω", 1), ("я", 1),
    ])
  func columns(text: String, columns: Int) { #expect(text.columns == columns, "\(text)") }

  @Test(
    "Cut to columns",
    arguments: [
      ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"), ("漢字漢字", 6, "漢字…"), ("abcdef", 4, "abc…"), ("漢字", 0, ""),
    ])
  func cut(text: String, most: Int, expected: String) { #expect(text.cut(to: most, "…") == expected) }

  @Test("Padded, and broken into lines")
  func layout() {
    #expect("漢".padded(to: 4) == "漢  " && "漢字x".padded(to: 4) == "漢字x" && "漢".leftPadded(to: 4) == "  漢")
    #expect("漢字 漢字 ab".wrapped(4) { $0.columns } == ["漢字", "漢字", "ab"])
    #expect("漢字漢字".wrapped(5) { $0.columns } == ["漢字", "漢字"])
  }
}
