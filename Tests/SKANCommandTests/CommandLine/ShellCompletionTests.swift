import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Lines typed into real shells under a pseudo-terminal. A shell that is missing is skipped, which the run says.
@Suite("Completions in shells", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ShellCompletionTests {
  /// An unfinished line, and its arguments after a TAB.
  private static let completed: [(line: String, words: String)] = [
    ("skan ses", "skan session"), ("skan model ch", "skan model check"),
    ("skan session --lock", "skan session --lock-timeout"),
    ("skan install --clock d", "skan install --clock developer"),
    ("skan install --clock=d", "skan install --clock=developer"),
    ("skan install --setting window-edges=h", "skan install --setting window-edges=half_open"),
    ("skan replay only", "skan replay only-list.jsonl"),
    ("skan replay --record=only", "skan replay --record=only-list.jsonl"),
    ("skan replay -- only", "skan replay -- only-list.jsonl"),
    ("skan session --state thi", "skan session --state this.json"),
    ("skan replay only-list.jsonl --label sec", "skan replay only-list.jsonl --label second"),
    ("skan frobnicate x", "skan frobnicate x"), ("skan session --nothing", "skan session --nothing"),
    ("skan replay --allow-include fol", "skan replay --allow-include folder/"),
  ]
  /// An unfinished line, and words that are shown.
  private static let listed: [(line: String, words: [String])] = [
    ("skan model ", ["check", "explain", "diff", "convert"]), ("skan session --f", ["--forward", "--framework-error"]),
    ("skan replay only-list.jsonl --label ", ["first", "second"]),
  ]

  private static func isThere(_ shell: String) -> Bool {
    Python.isThere && (try? Workspace().shell("command -v \(shell)"))?.code == 0
  }

  private func complete(_ shell: String) throws {
    let workspace = try Workspace()
    try workspace.write(
      "only-list.jsonl", #"{"op":"session","label":"first"}"# + "\n" + #"{"op":"session","label":"second"}"# + "\n")
    try workspace.write("only-text.txt", "")
    try workspace.write("this.json", "{}")
    try FileManager.default.createDirectory(at: workspace("folder"), withIntermediateDirectories: false)
    let bin = workspace("bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: bin.appending(path: "skan"), withDestinationURL: Workspace.executable)
    let lines =
      Self.completed.map { "one \($0.line)" } + Self.listed.map { "list \($0.words[$0.words.count - 1]) \($0.line)" }
    try workspace.write("lines", lines.map { "\($0)\n" }.joined())
    let program = Checkout.root.appending(path: "Tests/Shells/complete.py").path
    let run = try workspace.shell(
      Python.line(
        "PATH=\(bin.path):$PATH; skan completion \(shell) > script && python3 -B '\(program)' \(shell) script < lines"))
    let found = run.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(run.code == 0 && found.count > lines.count, "\(run)")
    for ((line, words), found) in zip(Self.completed, found) {
      // zsh takes the slash of a folder back where another word follows.
      #expect(found == words || shell == "zsh" && found + "/" == words, "\(line)")
    }
    for ((line, words), found) in zip(Self.listed, found.dropFirst(Self.completed.count)) {
      for word in words { #expect(found.contains(word), "\(line): \(found)") }
    }
  }

  @Test("Bash", .enabled(if: isThere("bash"), "bash or python3 is not installed")) func bash() throws {
    try complete("bash")
  }

  @Test("Zsh", .enabled(if: isThere("zsh"), "zsh or python3 is not installed")) func zsh() throws {
    try complete("zsh")
  }

  @Test("Fish", .enabled(if: isThere("fish"), "fish or python3 is not installed")) func fish() throws {
    try complete("fish")
  }
}
