import SKANBase
import SKANRun
import SKANTraffic
import Testing

@testable import SKANCommand

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

@Suite("The last line of a run with findings")
struct ExplanationHintTests {
  private static let list = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"session","device":"a","at":"2026-01-01T00:00:00Z"}
    {"op":"register","device":"b","at":"2026-01-01T00:00:00Z"}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}

    """

  @Test(
    "replay --summary names the most frequent finding, once",
    arguments: [
      ("--summary", "handler-not-called"), ("--summary --test", "handler-not-called"), ("", "dropped-unregistered"),
      ("--summary --test --strict", "dropped-unregistered"), ("--summary --json", nil), ("--summary -q", nil),
      ("-q", nil),
      ("--json", nil), ("--test", nil),
    ] as [(String, String?)])
  func summary(options: String, code: String?) {
    let world = World()
    world["list.jsonl"] = Self.list
    let err = world.run("replay list.jsonl \(options)").err
    let hints = err.split(separator: "\n").filter { $0.hasPrefix("Try ") }
    #expect(hints == (code.map { ["Try 'skan explain \($0)'."] } ?? []), "\(err)")
  }

  @Test("Without a finding there is no line")
  func nothing() {
    let world = World()
    world["list.jsonl"] = #"{"op":"register"}"#
    #expect(world.run("replay --summary list.jsonl").err.isEmpty)
  }

  @Test(
    "A code that two kinds have is named with its kind",
    arguments: [(TrafficRule.idfvMissing, "check.idfv-missing"), (.duplicateRequest, "duplicate-request")])
  func kinds(rule: TrafficRule, expected: String) {
    #expect(ExplanationHint.line(rule).text == "Try 'skan explain \(expected)'.")
  }

  /// What programs, and --quiet, leave to standard error.
  private static let failed = "skan: exit code 1: an expectation or a check failed\n"
  private static let counts = "skan: 9 errors, 0 warnings, 0 notes\n"

  @Test(
    "verify names the first verdict that is not valid, or else a finding", .enabled(if: World.canCheckSignatures),
    arguments: [
      ("1.json", "Try 'skan explain invalid'.\n"), ("1.json --key public.pem", ""), ("1.json --json", Self.failed),
      ("1.json -q", Self.failed),
      ("simulated.jsonl", "Try 'skan explain invalid'.\n"),
      ("odd.json --key public.pem", "Try 'skan explain added-keys'.\n"),
    ])
  func verify(arguments: String, err: String) throws {
    let world = try World.withPostbacks()
    world["odd.json"] = (world["1.json"] ?? "").replacing("{", with: #"{"app":1,"#, maxReplacements: 1)
    #expect(world.run("verify \(arguments)").err == err)
  }

  @Test(
    "receive names a verdict, a conflict or a finding", .enabled(if: World.canCheckSignatures),
    arguments: [
      ("1.json", "Try 'skan explain invalid'.\n"), ("1.json 1.json --key public.pem", ""),
      ("1.json --json", Self.failed), ("1.json -q", Self.failed),
      ("1.json forged.json --key public.pem", "Try 'skan explain conflict'.\n"),
      ("odd.json --key public.pem", "Try 'skan explain added-keys'.\n"),
    ])
  func receive(arguments: String, err: String) throws {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    world["odd.json"] = original.replacing("{", with: #"{"app":1,"#, maxReplacements: 1)
    world["forged.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    #expect(world.run("receive \(arguments)").err == err)
  }

  @Test(
    "check names its worst rule",
    arguments: [
      ("", "Try 'skan explain parameter-missing'.\n"), ("--json", Self.counts), ("-q", Self.counts),
      ("--csv", Self.counts), ("--sarif", Self.counts),
    ])
  func check(option: String, err: String) {
    let world = World()
    world["urls.txt"] =
      "https://s2s.singular.net/api/v1/launch?a=key&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4&n=App"
      + "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&idfa=00000000-0000-0000-0000-000000000000\n"
    #expect(world.run("check urls.txt \(option)").err == err)
  }
}
