import Testing

@testable import SKANBase

@Suite("Lines for people, on a terminal and elsewhere")
struct TerminalStyleTests {
  private static let esc = "\u{1B}"

  @Test("Where no person watches a line is its text, with nothing that a terminal acts upon")
  func plain() {
    let line: StyledText = "\("skan:", .failure) a\u{1B}[31mb \("c", .dim)"
    #expect(TerminalStyle.plain.text(line) == "skan: a\\u001b[31mb c\n")
  }

  @Test("Colors begin and end with their part, and foreign control characters are text")
  func colored() {
    let style = TerminalStyle(isColored: true, columns: nil)
    let line: StyledText = "\("FAIL", .failure)  \("\u{1B}[32mok\u{9B}", .dim) é"
    #expect(
      style.text(line) == "\(Self.esc)[31mFAIL\(Self.esc)[0m  \(Self.esc)[2m\\u001b[32mok\\u009b\(Self.esc)[0m é\n")
  }

  @Test("A line without the SDK key keeps its parts, unless they could be in the wrong place")
  func mapped() {
    let line: StyledText = "key \("secret", .bold)"
    #expect(line.mapText { $0 } == line)
    #expect(line.mapText { $0.replacing("secret", with: "REDACTED") } == "key \("REDACTED", .bold)")
    #expect(line.mapText { $0.replacing("y secret", with: "REDACTED") } == StyledText("keREDACTED"))
  }

  @Test(
    "Lines go on behind the column of their text",
    arguments: [
      (20, 4, "one two three four five six", "one two three four\n    five six\n"),
      (20, 4, "12345678901234567890", "12345678901234567890\n"),
      (20, 4, "12345678901234567890 1", "12345678901234567890\n    1\n"),
      (20, 4, "a 123456789012345678901234567890 b", "a\n    123456789012345678901234567890\n    b\n"),
      (20, 4, "  a   b               c", "  a   b\n    c\n"),
      (20, 14, "one two three four five six", "one two three\n    four five six\n"),
      (20, 14, "one two three", "one two three\n"),
      (60, 32, "one two three four five six", "one two three four five six\n"),
      (3, 4, "one two three four five six", "one two three four\n    five six\n"),
      (20, 2, "日本語日本語 日本語日本語 日本語", "日本語日本語\n  日本語日本語\n  日本語\n"),
      (20, 2, "", "\n"), (20, 2, "   ", "   \n"), (20, 2, "a\nb", "a\nb\n"),
      (20, 4, "one two three four\u{1B}five", "one two three\n    four\\u001bfive\n"),
    ] as [(Int, Int, String, String)])
  func wrapped(columns: Int, indent: Int, text: String, expected: String) {
    var line = StyledText(text)
    line.indent = indent
    #expect(TerminalStyle(isColored: false, columns: columns).text(line) == expected)
  }

  @Test("A paragraph fills a terminal, and keeps its lines elsewhere")
  func paragraph() {
    let text = StyledText.paragraph("one two\nthree four five")
    #expect(TerminalStyle(columns: 20).text(text) == "one two three four\nfive\n")
    #expect(TerminalStyle.plain.text(text) == "one two\nthree four five\n")
    #expect(TerminalStyle(isColored: true).text(text) == "one two\nthree four five\n")
  }

  @Test("A line to copy is not wrapped")
  func fixed() {
    #expect(
      TerminalStyle(columns: 20).text(.fixed("skan model explain fixtures/model.json")).split(separator: "\n").count
        == 1)
  }

  @Test("A color goes on in the next row, and not in its indent")
  func colorAndWrap() {
    var line: StyledText = "\("one two three four five six", .finding)"
    line.indent = 2
    #expect(
      TerminalStyle(isColored: true, columns: 20).text(line)
        == "\(Self.esc)[33mone two three four\(Self.esc)[0m\n  \(Self.esc)[33mfive six\(Self.esc)[0m\n")
  }
}
