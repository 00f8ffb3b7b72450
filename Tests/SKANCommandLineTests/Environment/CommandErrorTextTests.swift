import SKANRun
import Testing

@testable import SKANBase
@testable import SKANCommandLine

@Suite("Errors as lines")
struct CommandErrorTextTests {
  private func plain(_ lines: [StyledText], columns: Int? = nil) -> String {
    lines.map(TerminalStyle(columns: columns).text).joined()
  }

  private func colored(_ lines: [StyledText]) -> String {
    lines.map(TerminalStyle(isColored: true).text).joined()
      .replacing("\u{1B}[31m", with: "<red>").replacing("\u{1B}[33m", with: "<yellow>")
      .replacing("\u{1B}[32m", with: "<green>").replacing("\u{1B}[1m", with: "<bold>")
      .replacing("\u{1B}[0m", with: "</>")
  }

  /// A note about a part of a line.
  private func note(_ line: String, at range: Range<Int>, isWarning: Bool = false) -> SourceNote {
    SourceNote(
      location: TextLocation(of: range, in: Array(line.utf8)), message: "odd", isWarning: isWarning)
  }

  @Test("The parts of an error, and the same text without them")
  func parts() {
    let note = note("{\"a\":1}", at: 1..<4)
    for (error, expected) in [
      (.missing(file: "a", hint: "make it"), "<red>skan:</> a does not exist; make it\n"),
      (.usage("a", command: nil), "<red>skan:</> a\nTry 'skan --help'.\n"),
      (.lines([.at("a.jsonl:17", "late")]), "<bold>a.jsonl:17:</> late\n"),
      (
        .lines([.at("a.jsonl:17", "late")], more: 2),
        "<bold>a.jsonl:17:</> late\n<red>skan:</> and 2 more problems\n"
      ),
      (
        .content(file: "a b.json", [note], more: 1),
        "<bold>a b.json:1:2:</> odd\n  {\"a\":1}\n<green>   ^^^</>\n<red>skan:</> and 1 more problem\n"
      ), (.outputClosed, ""), (.lists([], count: 3), ""),
    ] as [(CommandError, String)] {
      #expect(colored(error.lines()) == expected)
      let text = expected.replacing(/<[^>]*>/, with: "")
      #expect(plain(error.lines()) == text)
      #expect(error.message.map { "\($0)\n" } ?? "" == text)
      #expect(
        error.statement.map { "skan: \($0)\n" } ?? ""
          == (error.message == nil ? "" : "skan: \(text.trimmingPrefix("skan: "))"))
    }
    #expect(colored(CommandError.interrupted.lines(.bold)) == "<bold>skan:</> interrupted\n")
  }

  @Test("A warning about a place, and a place without a line")
  func notes() {
    let warning = note("x", at: 0..<1, isWarning: true)
    #expect(colored([warning.heading(file: "a.json")]) == "<bold>a.json:1:1:</> <yellow>warning:</> odd\n")
    #expect(colored(note("", at: 0..<0).lines(file: "a.json")) == "<bold>a.json:1:1:</> odd\n")
  }

  @Test("The SDK key is taken out of a part of a line and of what goes over parts, and colors stay where they can")
  func redaction() {
    let lines: [StyledText] = [.remark("a KEY", .failure), "b"]
    #expect(colored(lines.mapText { $0.replacing("KEY", with: "-") }) == "<red>skan:</> a -\nb\n")
    #expect(colored(lines.mapText { $0.replacing("skan: a", with: "-") }) == "- KEY\nb\n")
    #expect(colored(lines.mapText { $0.replacing("KEY\nb", with: "-") }) == "skan: a -\n")
    let excerpt = note("my KEY is", at: 3..<6).lines(file: "f").mapText { $0.replacing("KEY", with: "REDACTED") }
    #expect(colored(excerpt) == "<bold>f:1:4:</> odd\n  my REDACTED is\n<green>     ^^^</>\n")
  }

  @Test("The part of a file around the carets fits the terminal, and the carets stay under it")
  func excerpt() {
    let line = String(repeating: "x", count: 50) + "WRONG" + String(repeating: "y", count: 50)
    let lines = note(line, at: 50..<55).lines(file: "a.json")
    let rows = plain(lines, columns: 40).split(separator: "\n").map(String.init)
    #expect(rows.count == 3)
    #expect(rows[1].count <= 40)
    let carets = rows[2].firstIndex(of: "^").map { rows[2].distance(from: rows[2].startIndex, to: $0) }
    let wrong = rows[1].firstIndex(of: "W").map { rows[1].distance(from: rows[1].startIndex, to: $0) }
    #expect(carets == wrong)
    #expect(rows[2].hasSuffix("^^^^^"))
    #expect(plain(lines, columns: 200) == plain(lines))
  }

  @Test("Of a wrong end of a long line the end is shown, and of a wrong line its beginning")
  func ends() {
    let line = String(repeating: "x", count: 100)
    func rows(_ range: Range<Int>) -> [String] {
      plain(note(line, at: range).lines(file: "a.json"), columns: 40).split(separator: "\n").map(String.init)
    }
    #expect(
      rows(100..<100)[1...] == ["  …\(line.prefix(36))", "  " + String(repeating: " ", count: 37) + "^"])
    #expect(rows(0..<100)[1...] == ["  \(line.prefix(36))…", "  " + String(repeating: "^", count: 36)])
  }

  @Test("Carets stand under characters of two columns", arguments: [36, 60, 200])
  func wide(columns: Int) {
    let text = "{\"漢\":\"\(String(repeating: "字", count: 30))\",\"WRONG\":\"漢字漢字漢字漢字漢字漢字\"}"
    let start = text.utf8.distance(
      from: text.startIndex, to: text.firstRange(of: "\"WRONG")?.lowerBound ?? text.startIndex)
    let lines = note(text, at: start..<start + 7).lines(file: "a.json")
    let rows = plain(lines, columns: columns).split(separator: "\n").map(String.init)
    #expect(rows.count == 3 && rows[1].columns <= max(columns, 100))
    let before = rows[1].firstRange(of: "\"WRONG\"").map { String(rows[1][..<$0.lowerBound]).columns }
    #expect(before == rows[2].prefix { $0 == " " }.count, "\(rows)")
    #expect(rows[2].hasSuffix(" ^^^^^^^"))
  }
}
