import Foundation
import Testing

/// The README's tour, command by command: what it prints is what the program prints.
@Suite("README")
struct ReadmeTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

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
    for command in commands {
      let run = try workspace.shell("skan() { \"$SKAN\" \"$@\"; }; \(command.line)")
      #expect(run.out + run.err == command.output, "\(command.line)")
    }
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
}
