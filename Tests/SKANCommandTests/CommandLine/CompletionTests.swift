import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("What completes a command line")
struct CompletionTests {
  private func lines(_ shell: String, _ words: [String], _ world: World = World()) -> [String] {
    let result = world.run("__complete \(shell) --", arguments: words)
    #expect(result.code == .ok && result.err.isEmpty && result.changes.isEmpty)
    return result.out.split(separator: "\n").map(String.init)
  }

  @Test(
    "Candidates that begin as the word does",
    arguments: [
      (["ses"], ["session"]), (["model", ""], ["check", "explain", "diff", "convert", "fit", "worth"]),
      (["model", "d"], ["diff"]), (["session", "--exp"], ["--expect"]),
      (["session", "--endpoint", "t"], ["testing"]), (["session", "--color=a"], ["auto", "always"]),
      (["session", "--color", ""], ["auto", "always", "never"]),
      (["install", "--clock", "d"], ["developer"]), (["session", "--at", ""], ["now"]),
      (["session", "--json", "--jso"], []), (["session", "--expect", "a=1", "--expe"], ["--expect"]),
      (["session", "--state"], ["--state"]), (["session", "--state", "x"], [":files json"]),
      (["session", "--state=x"], [":files json"]), (["replay", "-"], [":files jsonl"]),
      (["replay", "l"], [":files jsonl"]),
      (["replay", "--", "--l"], [":files jsonl"]), (["model", "check", ""], [":files json"]),
      (["replay", "--allow-include", ""], [":directories"]), (["verify", ""], [":files "]),
      (["frobnicate", ""], []), (["event", ""], []), (["session", "x"], []), (["session", "--nothing=x"], []),
      (["help", "model", "e"], ["explain"]), (["help", "ses"], ["session"]), (["help", "win"], ["windows"]),
      (["explain", "lock-l"], ["lock-leaked"]), (["schema", "rec"], ["received", "receive", "receiver-test"]),
      (["completion", ""], ["bash", "zsh", "fish"]),
      (["--v"], ["--version"]), (["install", "--setting", "window-edges=h"], ["window-edges=half_open"]),
      (["model", "fit", "-o", ""], [":files "]), (["model", "fit", "-qo", ""], [":files "]),
      (["model", "fit", "-q", ""], [":files json"]),
      (["init", ""], [":directories"]), (["serve", "--journal", ""], [":files "]), (["import", "-q", "--qui"], []),
      (["import", "-Z", "--qui"], ["--quiet"]), (["import", "--nothing", "--qui"], ["--quiet"]),
      (["nothing", "--json", ""], []), (["serve", "--por"], ["--port"]), (["-q", ""], []),
    ] as [([String], [String])])
  func candidates(words: [String], expected: [String]) { #expect(lines("bash", words) == expected, "\(words)") }

  @Test("Every command and every option is a candidate, and none that is hidden")
  func all() {
    let first = lines("bash", [""])
    for spec in CommandLineTool.commands {
      #expect(first.contains(String(spec.name.prefix { $0 != " " })))
      let options = lines("bash", spec.name.split(separator: " ").map(String.init) + ["--"])
      #expect(options == spec.options.map(\.flag), "\(spec.name)")
    }
    #expect(!first.contains(CompletionCommand.hiddenName))
    #expect(!World().run("help").out.contains(CompletionCommand.hiddenName))
    #expect(!World().run("help --json").out.contains(CompletionCommand.hiddenName))
  }

  @Test("zsh and fish show what an option does")
  func described() {
    #expect(lines("zsh", ["session", "--js"]) == ["--json\tprint the result as JSON, one object per line"])
    #expect(lines("fish", ["tim"]) == ["timeline\tDraw the life of the phone, or of one phone of a list"])
  }

  @Test("Labels and phones of the lists on the line")
  func names() {
    let world = World()
    world["a.jsonl"] = """
      # a remark
      {"op":"device","device":"b"}
      {"op":"session","device":"b","label":"first day"}
      {"op":"session","device":"b","label":"first day"}
      not JSON, and "label" in it
      {"op":"session","label":"\\u001b[31m"}
      {"op":"session","label":"second"}

      """
    #expect(lines("bash", ["replay", "a.jsonl", "--label", ""], world) == ["first day", "second"])
    #expect(lines("bash", ["replay", "a.jsonl", "--label=s"], world) == ["second"])
    #expect(lines("zsh", ["timeline", "a.jsonl", "--device", ""], world) == ["b\t"])
    #expect(lines("bash", ["replay", "missing.jsonl", "--label", ""], world) == [])
    #expect(lines("bash", ["replay", "-", "--label", ""], world) == [])
  }

  @Test("Neither lock nor network, whatever stands on the line")
  func silent() {
    let world = World()
    world["skan-state.json"] = "{"
    for words in [
      ["session", "--endpoint", "http://127.0.0.1:1", ""], ["register", ""], ["serve", "--port", ""], [],
    ] {
      _ = lines("bash", words, world)
    }
    #expect(world.takeLog().allSatisfy { $0.hasPrefix("read ") })
    for arguments in ["", "bash", "tcsh -- ses", "bash ses"] {
      #expect(world.run("__complete \(arguments)") == Consequences())
    }
  }

  @Test(
    "The command for the scripts",
    arguments: [
      ("completion", "'skan completion' needs SHELL"),
      ("completion bsh", #"SHELL must be bash, zsh or fish, it is "bsh"; did you mean bash?"#),
      ("completion powershell", #"SHELL must be bash, zsh or fish, it is "powershell""#),
      ("completion bash zsh", "one argument too many: \"zsh\""),
    ])
  func usage(line: String, message: String) { #expect(World().run(line) == .usage(message, command: "completion")) }
}
