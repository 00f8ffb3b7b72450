import SKANBase
import Testing

@testable import SKANCommand

@Suite("Messages on a terminal")
struct MessageTextTests {
  private func plain(_ message: String, columns: Int) -> String {
    MessageText.lines(message, columns: columns).map(TerminalStyle(columns: columns).text).joined()
  }

  private func colored(_ message: String) -> String {
    MessageText.lines(message, .failure, columns: nil).map(TerminalStyle(isColored: true).text).joined()
      .replacing("\u{1B}[31m", with: "<red>").replacing("\u{1B}[33m", with: "<yellow>")
      .replacing("\u{1B}[32m", with: "<green>").replacing("\u{1B}[1m", with: "<bold>")
      .replacing("\u{1B}[0m", with: "</>")
  }

  @Test(
    "The parts of a message",
    arguments: [
      ("skan: no file\n", "<red>skan:</> no file\n"),
      ("skan: a\nTry 'skan --help'.", "<red>skan:</> a\nTry 'skan --help'.\n"),
      ("a.json:1:2: odd", "<bold>a.json:1:2:</> odd\n"), ("a.jsonl:17: late", "<bold>a.jsonl:17:</> late\n"),
      ("a.json:1:2: warning: odd", "<bold>a.json:1:2:</> <yellow>warning:</> odd\n"),
      ("a.json:1:2: odd\n  {\"a\":1}\n   ^^^", "<bold>a.json:1:2:</> odd\n  {\"a\":1}\n<green>   ^^^</>\n"),
      ("note: 12: x", "note: 12: x\n"), ("", "\n"),
    ])
  func parts(message: String, expected: String) { #expect(colored(message) == expected) }

  @Test("The part of a file around the carets fits the terminal, and the carets stay under it")
  func excerpt() {
    let line = String(repeating: "x", count: 60) + "WRONG" + String(repeating: "y", count: 60)
    let message = "a.json:1:61: odd\n  \(line)\n  \(String(repeating: " ", count: 60))^^^^^"
    let rows = plain(message, columns: 40).split(separator: "\n").map(String.init)
    #expect(rows.count == 3)
    #expect(rows[1].count <= 40)
    let carets = rows[2].firstIndex(of: "^").map { rows[2].distance(from: rows[2].startIndex, to: $0) }
    let wrong = rows[1].firstIndex(of: "W").map { rows[1].distance(from: rows[1].startIndex, to: $0) }
    #expect(carets == wrong)
    #expect(rows[2].hasSuffix("^^^^^"))
    #expect(plain(message, columns: 200) == message + "\n")
  }

  @Test("Of a wrong end of a long line the end is shown, and of a wrong line its beginning")
  func ends() {
    let line = String(repeating: "x", count: 100)
    func rows(_ caret: String) -> [String] {
      plain("a.json:1:1: odd\n  \(line)\n  \(caret)", columns: 40).split(separator: "\n").map(String.init)
    }
    #expect(
      rows(String(repeating: " ", count: 100) + "^")[1...] == [
        "  …\(line.prefix(36))", "  " + String(repeating: " ", count: 37) + "^",
      ])
    #expect(
      rows(String(repeating: "^", count: 100))[1...] == [
        "  \(line.prefix(36))…", "  " + String(repeating: "^", count: 36),
      ])
  }

  @Test("Carets stand under characters of two columns", arguments: [36, 60, 200])
  func wide(columns: Int) {
    let text = "{\"漢\":\"\(String(repeating: "字", count: 30))\",\"WRONG\":\"漢字漢字漢字漢字漢字漢字\"}"
    let bytes = Array(text.utf8)
    let start = text.utf8.distance(
      from: text.startIndex, to: text.firstRange(of: "\"WRONG")?.lowerBound ?? text.startIndex)
    let note = SourceNote(location: TextLocation(of: start..<start + 7, in: bytes), message: "odd")
    let rows = plain(note.text(file: "a.json"), columns: columns).split(separator: "\n").map(String.init)
    #expect(rows.count == 3 && rows[1].columns <= max(columns, 100))
    let before = rows[1].firstRange(of: "\"WRONG\"").map { String(rows[1][..<$0.lowerBound]).columns }
    #expect(before == rows[2].prefix { $0 == " " }.count, "\(rows)")
    #expect(rows[2].hasSuffix(" ^^^^^^^"))
  }
}
