import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Former names")
struct OldNameTests {
  /// The options that had another name, each with the command that had it.
  private static let commands = [
    "event-aliases-file": "session", "variables-file": "replay a.jsonl", "fine-only": "model convert a.json",
    "ascii": "timeline", "show-signed-string": "verify a.json", "forward-speed": "serve", "man": "help",
  ]

  @Test("A former option is an error that says what to write", arguments: OldNames.options.keys.sorted())
  func option(name: String) throws {
    let (line, now) = (try #require(Self.commands[name]), try #require(OldNames.options[name]))
    #expect(!CommandLineTool.commands.contains { $0.options.contains { $0.name == name } })
    let command = CommandName.allCases.map(\.rawValue).first { line == $0 || line.hasPrefix("\($0) ") } ?? ""
    for option in ["--\(name)", "--\(name)=x"] {
      #expect(
        World().run("\(line) \(option)")
          == .usage("'skan \(command)' has no option --\(name); \(now)", command: command))
    }
    let variable = "SKAN_" + name.uppercased().replacing("-", with: "_")
    let world = World()
    world.set { $0.variables = [variable: "x"] }
    #expect(world.run("register") == .usage("the variable \(variable) is not read: \(now)"))
    for text in [#"{"options":{"\#(name)":"x"}}"#, #"{"commands":{"session":{"\#(name)":"x"}}}"#] {
      let world = World()
      world["skan.json"] = text
      world.set { $0.projectFolders = [""] }
      let run = world.run("register")
      #expect(run.code == .badData && run.err.contains("\"\(name)\"; \(now)"), "\(run)")
    }
  }

  @Test("A former command is an error that says what to write", arguments: OldNames.commands.keys.sorted())
  func command(name: String) {
    let now = OldNames.commands[name] ?? ""
    #expect(CommandName(rawValue: name) == nil)
    for line in ["\(name) a.json --fine 1", "help \(name)", name] {
      #expect(World().run(line) == .usage("there is no command '\(name)'; \(now)"))
    }
  }
}
