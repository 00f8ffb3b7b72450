import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
