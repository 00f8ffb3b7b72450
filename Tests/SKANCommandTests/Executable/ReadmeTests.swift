import Foundation
import TestSupport
import Testing

/// The README's tour, command by command: what it prints is what the program prints.
@Suite("README")
struct ReadmeTests {
  private static let repository = Checkout.root

  private struct Command {
    var line: String
    var output = ""
  }

  /// The commands of the README's console blocks, in their order.
  private static func commands() throws -> [Command] {
    let text = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    var commands: [Command] = []
    var isConsole = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isConsole = line == "```console"
      } else if isConsole, line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2))))
      } else if isConsole, !commands.isEmpty {
        commands[commands.count - 1].output += line + "\n"
      }
    }
    return commands
  }

  @Test func tour() throws {
    let workspace = try Workspace()
    let files = FileManager.default
    try files.createSymbolicLink(
      at: workspace("fixtures"), withDestinationURL: Self.repository.appending(path: "fixtures"))
    let commands = try Self.commands()
    #expect(commands.count > 15)
    var background: [Workspace.Running] = []
    for command in commands {
      if command.line.hasSuffix(" &") {
        // The shell becomes the program, so that an end of the one is that of the other.
        let line = "skan() { exec \"$SKAN\" \"$@\"; }; \(command.line.dropLast(2))"
        background.append(try workspace.startShell(line))
        continue
      }
      let run = try workspace.shell("skan() { \"$SKAN\" \"$@\"; }; \(command.line)")
      #expect(run.out + run.err == command.output, "\(command.line)")
    }
    #expect(!background.isEmpty && background.allSatisfy { $0.end().code == 0 })
  }

  @Test("Every command and exit code is in the README")
  func isComplete() throws {
    let text = try String(contentsOf: Self.repository.appending(path: "README.md"), encoding: .utf8)
    let help = try Workspace().run(["--help"])
    for line in help.out.components(separatedBy: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard line.hasPrefix("  "), let name = words.first, words.count == 2, !line.hasPrefix("  skan") else { continue }
      #expect(text.contains("`\(name)") || text.contains("| \(name) |"), "\(name)")
    }
  }

  /// The script for CI, which must neither hang nor lie, whatever happens to it.
  @Test(
    "The block for CI",
    arguments: [
      (change: ("", ""), code: Int32(0), says: ""),
      (("outcome=updated", "outcome=no-update"), 1, "expectation failed: outcome"),
      (("mixed.json", "missing.json"), 1, "skan serve did not start"),
      (("skan serve --port", "sh -c 'exec sleep 60' --port"), 1, "skan serve did not start"),
      (("--port 0", "--port 1 --host 192.0.2.1"), 1, "skan serve did not start"),
    ])
  func continuousIntegration(change: (from: String, to: String), code: Int32, says: String) throws {
    let text = try String(contentsOf: Self.repository.appending(path: "README.md"), encoding: .utf8)
    let start = try #require(text.range(of: "In CI, beside the app's server under test:\n\n```sh\n"))
    let block = text[start.upperBound...].prefix { $0 != "`" }
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(
      at: workspace("fixtures"), withDestinationURL: Self.repository.appending(path: "fixtures"))
    // As left over from an earlier run.
    try workspace.write("address.txt", "listening on http://127.0.0.1:1\n")
    let path = "PATH=\"$(dirname \"$SKAN\"):$PATH\"\n"
    let run = try workspace.shell(path + (change.from.isEmpty ? block : block.replacing(change.from, with: change.to)))
    #expect(run.code == code)
    #expect(says.isEmpty || run.err.contains(says))
  }
}
