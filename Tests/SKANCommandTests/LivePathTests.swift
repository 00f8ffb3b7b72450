import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Paths that lead to something else than a file.
@Suite("Paths of the file system", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct LivePathTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    #expect(
      try workspace.shell(
        "mkdir -p sub/deep && ln -s loop loop && ln -s gone sub/dangling.json && mkfifo sub/pipe.json && echo '[]' > sub/.hidden.json"
      ).code == 0)
    return workspace
  }

  @Test(
    "What cannot be read says why",
    arguments: [
      (["timeline", "sub"], 66, "skan: cannot read sub: Is a directory\n"),
      (["timeline", "loop"], 66, "skan: cannot read loop: Too many levels of symbolic links\n"),
      (["check", "loop"], 66, "skan: cannot read loop: Too many levels of symbolic links\n"),
      (
        ["receive", "sub/deep"], 66,
        "skan: sub/deep/*.json does not exist; no file there has postbacks (*.json, *.jsonl)\n"
      ),
      (["receive", "sub/"], 66, "skan: sub/dangling.json does not exist; "),
      (["serve", "--postbacks", "sub"], 73, "/sub: Is a directory\n"),
      (["serve", "--journal", "none/j"], 73, "skan: cannot write none/j: No such file or directory\n"),
      (
        ["serve", "--", "./loop"], 127,
        "skan: cannot start ./loop: there is no such file: Too many levels of symbolic links\n"
      ),
      (["init", "loop/new"], 73, "skan: cannot write loop/new/: Too many levels of symbolic links\n"),
    ] as [([String], Int32, String)])
  func unreadable(arguments: [String], code: Int32, message: String) throws {
    let run = try workspace().run(arguments + (arguments[0] == "serve" && arguments[1] != "--" ? ["--port", "0"] : []))
    #expect(run.code == code, "\(run)")
    #expect(run.err.contains(message), "\(run)")
  }

  @Test(
    "A link to a file is that file",
    arguments: [
      (["check", "a.har", "link"], "link is named twice"),
      (["import", "e.csv", "--mapping", "a.har", "-o", "link"], "--output would replace the file of --mapping"),
      (["import", "link", "-o", "sub/../a.har"], "--output would replace link"),
      (
        ["serve", "--port", "0", "--answers", "a.har", "--journal", "link"],
        "--journal would add to the file of --answers"
      ),
    ])
  func links(arguments: [String], message: String) throws {
    let workspace = try workspace()
    try workspace.write("a.har", "{}")
    #expect(try workspace.shell("ln -s a.har link").code == 0)
    let run = try workspace.run(arguments)
    #expect(run.code == 64 && run.err.hasPrefix("skan: \(message)\n"), "\(run)")
    #expect(workspace["a.har"] == "{}")
  }

  @Test("A folder's postbacks are those of all folders in it; links to files count, pipes do not")
  func folder() throws {
    let workspace = try workspace()
    let body = { (id: String) in #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"\#(id)"}"# + "\n" }
    try FileManager.default.removeItem(at: workspace("sub/dangling.json"))
    try workspace.write("sub/a.json", body("a"))
    try workspace.write("sub/deep/b.jsonl", body("b"))
    try workspace.write("outside", body("c"))
    #expect(try workspace.shell("ln -s ../outside sub/link.json && ln -s deep sub/folder").code == 0)
    let run = try workspace.run(["receive", "--json", "sub/"])
    let ids = run.out.matches(of: /"file":"([^"]*)"/).map { String($0.1) }
    #expect(ids == ["sub/a.json", "sub/deep/b.jsonl", "sub/link.json"], "\(run)")
  }

  @Test("A list whose name is a pattern is that list; streams that are closed stay closed")
  func names() throws {
    let workspace = try workspace()
    try workspace.write("a*.jsonl", "{\"op\":\"register\"}\n")
    try workspace.write("ab.jsonl", "broken")
    #expect(try workspace.run(["replay", "-q", "a*.jsonl"]).code == 0)
    let closed = try workspace.shell(
      "\"$SKAN\" register -q <&- && \"$SKAN\" session -q <&- 2>&- && \"$SKAN\" details >&-")
    #expect(closed.code == 73 && closed.err.hasPrefix("skan: cannot write the output: "), "\(closed)")
  }
}
