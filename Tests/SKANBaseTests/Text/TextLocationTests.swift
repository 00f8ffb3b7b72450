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
