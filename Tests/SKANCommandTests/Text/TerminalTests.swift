import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("What reaches a terminal")
struct TerminalTests {
  @Test(
    "Nothing that it acts upon or hides",
    arguments: [
      ("a\tb\n", "a\tb\n"), ("\u{1B}[31mred\r", #"\u001b[31mred\u000d"#), ("\u{9B}\u{7F}", #"\u009b\u007f"#),
      ("\u{202E}\u{2066}\u{200B}\u{FEFF}", #"\u202e\u2066\u200b\ufeff"#), ("\u{E0041}", #"\u{e0041}"#),
      ("é – → … “日本” 👩‍👩‍👧 نمی‌خواهم", "é – → … “日本” 👩‍👩‍👧 نمی‌خواهم"), ("", ""),
    ])
  func visible(text: String, expected: String) {
    #expect(Terminal.visible(text) == expected)
    #expect(Terminal.visible(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test("The quick look misses no hidden character, and the second one changes no other")
  func every() {
    var wrong: [UInt32] = []
    for value in Array(0...0x1FFFF) + Array(0xDFFF0...0xE1010) as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let stays = !scalar.isHidden || scalar == "\n" || scalar == "\t"
      if Terminal.visible("a\(scalar)b") != (stays ? "a\(scalar)b" : "a\(scalar.hiddenText)b") { wrong.append(value) }
    }
    #expect(wrong == [])
  }

  @Test("Wherever it stands in a long text", arguments: Array(0...0x1F) + [0x7F, 0x9B, 0x202E] as [UInt32])
  func anywhere(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let stays = scalar == "\n" || scalar == "\t"
    for count in 0..<24 {
      let (before, after) = (String(repeating: "~", count: count), String(repeating: " ", count: 24 - count))
      let expected = before + (stays ? String(scalar) : scalar.hiddenText) + after
      #expect(Terminal.visible("\(before)\(scalar)\(after)") == expected)
    }
  }

  private static let odd = "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0041}"

  @Test(
    "Whatever a user, a file or an endpoint says",
    arguments: [
      ["install", "--force", "--state", "x", "--bundle-id", odd], ["install", "--force", "--state", odd],
      ["session", "--\(odd)"], ["session", "-\u{1B}"], ["--\(odd)"], [odd], ["session", odd],
      ["session", "--state", odd],
      ["session", "--endpoint", odd], ["session", "--endpoint", "http://\(odd)/"], ["session", "--at", odd],
      ["verify", odd], ["postbacks", "--sign", odd, "--send", "http://h/"], ["serve", "--host", odd],
      ["serve", "--allow-host", odd], ["event", odd], ["event", "x", "-v", "--endpoint", "http://h"],
      ["session", "--json", "--endpoint", "http://h"], ["replay", "a.jsonl"], ["replay", "-v", "a.jsonl"],
      ["replay", "b.jsonl"], ["replay", odd], ["replay", "--report-junit", "-", "a.jsonl"],
      ["replay", "--report-tap", "-", "a.jsonl"], ["replay", "--report-json", "-", "a.jsonl"],
      ["replay", "--json", "a.jsonl"], ["model", "explain", "m.json"], ["model", "check", "m.json"], ["timeline"],
      ["timeline", "a.jsonl"], ["timeline", "--svg", "-", "a.jsonl"], ["revenue", "1", odd], ["details", "--json"],
    ])
  func escaped(arguments: [String]) throws {
    let world = World.registered()
    let json = JSONWriter.quoted(Self.odd)
    world["a.jsonl"] =
      #"{"op":"device","name":\#(json),"bundle_id":\#(json),"app_version":\#(json)}"# + "\n"
      + #"{"op":"register"}"# + "\n" + #"{"op":"event","name":\#(json),"expect":{"outcome":"no-update"}}"# + "\n"
      + #"{"op":"revenue","amount":1,"currency":\#(json)}"# + "\n"
    world["b.jsonl"] = #"{"op":"event","nam":"\#(Self.odd.filter { $0 > " " })"}"# + "\n"
    world["m.json"] = try Workspace.exampleModel("events").replacing("purchase", with: Self.odd)
    world.set {
      $0.network = { url, _ in
        .success(
          HTTPExchange(
            HTTPResponse(
              headers: [HTTPField("X-Odd", Self.odd)],
              body: Array(#"{"status":"error","reason":\#(json)} \#(Self.odd)"#.utf8)), url: url))
      }
    }
    world.run("", arguments: arguments)
    let shown = (world.output + world.errors).unicodeScalars.filter { $0.isHidden && $0 != "\n" && $0 != "\t" }
    #expect(shown.isEmpty, "\(shown.map(\.hiddenText))")
  }
}

@Suite("Colors and wrapping of commands")
struct ColorTests {
  private static let red = "\u{1B}[31m"

  /// A terminal of 80 columns, or none, and the variables that are set.
  private func isColored(_ option: String, _ columns: Int?, _ variables: [String: String]) -> (out: Bool, err: Bool) {
    let world = World {
      $0.columns = columns
      $0.variables = variables
    }
    let out = world.run("register \(option)").out.contains("\u{1B}[")
    let err = world.run("replay missing.jsonl \(option)").err.contains(Self.red)
    return (out, err)
  }

  @Test(
    "When there are colors",
    arguments: [
      ("", nil, ["TERM": "xterm"], false), ("", 80, ["TERM": "xterm"], true), ("", 80, [:], false),
      ("", 80, ["TERM": "dumb"], false), ("", 80, ["TERM": "xterm", "NO_COLOR": "1"], false),
      ("", 80, ["TERM": "xterm", "NO_COLOR": ""], true), ("--color always", nil, [:], true),
      ("--color=always", nil, ["NO_COLOR": "1"], true), ("--color never", 80, ["TERM": "xterm"], false),
      ("", nil, ["SKAN_COLOR": "always"], true), ("--color never", 80, ["SKAN_COLOR": "always"], false),
    ] as [(String, Int?, [String: String], Bool)])
  func choice(option: String, columns: Int?, variables: [String: String], expected: Bool) {
    let found = isColored(option, columns, variables)
    #expect(found.out == expected)
    #expect(found.err == expected)
  }

  @Test("What is for programs has no colors and is not wrapped")
  func programs() {
    let world = World {
      $0.columns = 40
      $0.variables = ["TERM": "xterm"]
    }
    world["list.jsonl"] =
      #"{"op":"session","at":"2026-01-01T00:00:00Z","answer":{"json":{"conversion_value":1}}}"# + "\n"
    for line in [
      "register --json", "details", "help --json", "session --dry-run --json", "replay --json list.jsonl",
      "replay -q list.jsonl --report-junit -", "replay -q --report-tap - list.jsonl", "timeline --svg - list.jsonl",
    ] {
      let out = world.run(line).out
      #expect(!out.isEmpty && !out.contains("\u{1B}"), "\(line)")
      let piped = World()
      for name in ["skan-state.json", "list.jsonl"] where line != "register --json" { piped[name] = world[name] }
      #expect(piped.run(line).out.count == out.count, "\(line)")
    }
  }

  @Test(
    "On a terminal every line fits, and without its colors it says what it says elsewhere", arguments: [60, 80, 120])
  func same(columns: Int) {
    let world = World {
      $0.columns = columns
      $0.variables = ["TERM": "xterm"]
    }
    let piped = World()
    for line in ["register", "session --at +1d", "postbacks", "session --color purple", "help session", "help"] {
      let (shown, plain) = (world.run(line), piped.run(line))
      for (shown, plain) in [(shown.out, plain.out), (shown.err, plain.err)] {
        let text = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(text.split { $0.isWhitespace } == plain.split { $0.isWhitespace })
        for row in text.split(separator: "\n") where row.count > columns {
          // Only what nothing breaks: one long word, or a line to copy.
          #expect(row.contains("skan ") || !row.drop { $0 == " " }.contains(" "), "\(row)")
        }
      }
    }
  }

  @Test(
    "COLUMNS counts before the terminal's own width, where it is a number",
    arguments: [("50", 50), ("120", 120), ("0", 70), ("wide", 70), ("", 70)])
  func columns(variable: String, columns: Int) {
    let world = World {
      $0.columns = 70
      $0.variables = ["TERM": "xterm", "COLUMNS": variable]
    }
    let lines = world.run("explain lock-leaked --color never").out.split(separator: "\n")
    let widest = lines.map(\.count).max() ?? 0
    #expect(widest <= columns && widest > columns - 20)
  }

  @Test("A value that is none is refused, from the option and from the variable")
  func refused() {
    let world = World()
    #expect(
      world.run("register --color purple")
        == .usage(#"--color must be one of auto, always, never, it is "purple""#, command: "register"))
    world.set { $0.variables = ["SKAN_COLOR": "allways"] }
    #expect(
      world.run("register")
        == .usage(
          #"SKAN_COLOR must be one of auto, always, never, it is "allways"; did you mean always?"#, command: "register")
    )
  }
}

@Suite("Texts in sections on a terminal")
struct SectionsTests {
  private func shown(_ text: String, columns: Int) -> String {
    StyledText.sections(text).map(TerminalStyle(columns: columns).text).joined()
  }

  @Test(
    "Every topic and explanation is whole at each width, and as it was written where no terminal is",
    arguments: [60, 79])
  func whole(columns: Int) {
    let texts = HelpTopic.allCases.map(\.text) + CodeCatalog.all.prefix(60).map { $0.text() }
    for text in texts {
      let words = text.split { $0 == " " || $0 == "\n" }
      #expect(shown(text, columns: columns).split { $0 == " " || $0 == "\n" } == words)
      let plain = StyledText.sections(text).map(TerminalStyle.plain.text).joined()
      #expect(plain == (text.hasSuffix("\n") ? text : text + "\n"))
    }
  }

  @Test("Prose is broken anew, rows go on below their texts, and lists and code stay as they are")
  func narrow() {
    let text = """
      What it is
        \(String(repeating: "word ", count: 13))and so on
        everlasting end.

      Names
        first   \(String(repeating: "word ", count: 13))last
                one.
        second  short

      Code
        call();
        call();
      Sources
        one
        two

      """
    #expect(
      shown(text, columns: 50) == """
        What it is
          word word word word word word word word word
          word word word word and so on everlasting end.

        Names
          first   word word word word word word word word
                  word word word word word last one.
          second  short

        Code
          call();
          call();
        Sources
          one
          two

        """)
  }
}

@Suite("On a terminal", .enabled(if: Python.isThere, Python.isMissing), .timeLimit(.minutes(TestTime.minutes)), .waits)
struct TerminalExecutableTests {
  private static let escape = "\u{1B}["

  /// The lengths of the lines, without colors.
  private func widths(_ text: String) -> [Int] {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(\.count)
  }

  @Test(
    "Lines are as wide as it is, and have colors where it shows them",
    arguments: [
      (50, "xterm", true), (100, "xterm", true), (100, "dumb", false), (100, nil, false), (0, "xterm", true),
    ] as [(Int, String?, Bool)])
  func width(columns: Int, term: String?, isColored: Bool) throws {
    let workspace = try Workspace()
    let text = try TerminalRun.output("explain lock-leaked", columns: columns, term: term, in: workspace)
    #expect(text.contains(Self.escape) == isColored)
    let widest = try #require(widths(text).max())
    // One that does not state its width is as wide as terminals were.
    let room = columns == 0 ? 80 : columns
    #expect(widest <= room && widest > room / 2, "\(text)")
  }

  @Test("A replay that waits for answers shows how far it is", arguments: ["--test", ""])
  func progress(options: String) throws {
    let server = try TestServer { _ in .delayed(1.2, .status(200, body: #"{"status":"ok"}"#)) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write("a.jsonl", "{\"op\":\"register\"}\n{\"op\":\"session\"}\n")
    let arguments = "replay a.jsonl --endpoint http://127.0.0.1:\(server.port) \(options)"
    let text = try TerminalRun.output(arguments, columns: 80, term: "xterm", in: workspace)
    // How many steps a second is the machine's matter.
    #expect(text.contains(/\r\u{1B}\[K\[#{24}\] 100%  [0-9.]+ steps\/s  0s left/), "\(text)")
    let plain = try TerminalRun.output(arguments, columns: 80, term: "dumb", in: workspace)
    #expect(!plain.contains("\r") && plain.contains(options.isEmpty ? "registered" : "2 steps"), "\(plain)")
  }
}

/// What the executable writes to a terminal of its own, which Python makes.
enum TerminalRun {
  private static let program = """
    import fcntl, os, pty, struct, sys, termios
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        os.execv(sys.argv[2], sys.argv[2:])
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    os.waitpid(process, 0)

    """

  /// - Parameters:
  ///   - arguments: words of the shell.
  ///   - columns: the width that the terminal states; 0 = none.
  ///   - term: what `TERM` says; nil = it is not set.
  static func output(_ arguments: String, columns: Int, term: String?, in workspace: Workspace) throws -> String {
    try workspace.write("terminal.py", program)
    let variable = term.map { "export TERM=\($0)" } ?? "unset TERM"
    let run = try workspace.shell(Python.line("\(variable); python3 terminal.py \(columns) \"$SKAN\" \(arguments)"))
    #expect(run.code == 0 && run.err.isEmpty, "\(run)")
    // A terminal turns each line feed into two characters.
    return run.out.replacing("\r\n", with: "\n")
  }
}
