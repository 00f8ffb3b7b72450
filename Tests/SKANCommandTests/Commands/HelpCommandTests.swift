import Testing

@testable import SKANCommand

@Suite("skan help")
struct HelpCommandTests {
  @Test("The table has every command, on one line")
  func all() throws {
    let help = World().run("help --json")
    #expect(help == Consequences(out: help.out))
    #expect(help.out.firstIndex(of: "\n") == help.out.indices.last)
    let table = try HelpTableDocument.printed()
    #expect(table.version == CommandLineTool.version)
    #expect(table.commands.map(\.name) == CommandLineTool.commands.map(\.name))
    #expect(table.exitCodes.map(\.code) == ExitCode.allCases.map { Int($0.rawValue) })
    #expect(Set(table.exitCodes.map(\.name)).count == ExitCode.allCases.count)
    #expect(table.commands.filter { !$0.resultKeys.isEmpty }.map(\.name) == ["postbacks"])
  }

  @Test("What the table says is what help and parsing do")
  func consistent() throws {
    for command in try HelpTableDocument.printed().commands {
      let world = World()
      let help = world.run("help \(command.name)").out
      for option in command.options {
        let form = "--\(option.name)\(option.placeholder.map { " \($0)" } ?? "")"
        #expect(help.contains(option.short.map { "  -\($0), \(form)" } ?? "      \(form)"), "\(command.name) \(form)")
        #expect(help.contains(option.help), "\(command.name) \(form)")
        // A flag may be all that a command needs, and serve would serve.
        let given = world.run("\(command.name) --\(option.name)\(option.type == "flag" ? " --help" : "")")
        let needsValue = "skan: --\(option.name) needs a value: \(form)\n"
        #expect(given.err.hasPrefix(needsValue) == (option.type != "flag"), "\(command.name) \(form)")
      }
      for argument in command.arguments { #expect(help.contains(argument.name), "\(command.name)") }
    }
  }

  @Test(
    "A row of each form",
    arguments: [
      (
        "session", "lock-timeout",
        HelpTableDocument.Row(
          name: "lock-timeout", type: "duration", placeholder: "DURATION", default: "30s", values: [],
          variable: "SKAN_LOCK_TIMEOUT", repeatable: false,
          help: "how long to wait for another run on the same device file (default 30s)")
      ),
      (
        "session", "quiet",
        HelpTableDocument.Row(
          name: "quiet", short: "q", type: "flag", values: [], variable: "SKAN_QUIET", repeatable: false,
          help: "print no result (but that of details) and no notes; errors stay")
      ),
      (
        "update", "snippet",
        HelpTableDocument.Row(
          name: "snippet", type: "choice", placeholder: "NAME", values: ["skan4", "skan4-beta", "skan3"],
          variable: "SKAN_SNIPPET", repeatable: false, help: "the app's new snippet: skan4, skan4-beta or skan3")
      ),
      (
        "replay", "variable",
        HelpTableDocument.Row(
          name: "variable", type: "pair", placeholder: "NAME=VALUE", values: [], repeatable: true,
          help: "what ${NAME} in the strings of a list stands for (repeatable)")
      ),
    ])
  func row(command: String, option: String, row: HelpTableDocument.Row) throws {
    let table = try HelpTableDocument.decoded(
      HelpTableDocument.Command.self, World().run("help --json \(command)").out)
    #expect(table.options.first { $0.name == option } == row)
  }

  @Test("One command, which is the one in the table of all")
  func one() throws {
    let all = World().run("help --json").out
    for name in ["session", "model check", "help"] {
      for line in ["help --json \(name)", "help \(name) --json"] {
        let one = World().run(line)
        #expect(one.code == .ok)
        #expect(all.contains(one.out.dropLast()), "\(line)")
        #expect(try HelpTableDocument.decoded(HelpTableDocument.Command.self, one.out).name == name)
      }
    }
  }

  @Test("Arguments, and which of them may be left out or repeated")
  func arguments() throws {
    typealias Argument = HelpTableDocument.Argument
    let commands = try HelpTableDocument.printed().commands
    let expected = [
      "session": [], "revenue": [Argument(name: "AMOUNT"), Argument(name: "CURRENCY")],
      "replay": [Argument(name: "FILE", repeatable: true)], "timeline": [Argument(name: "LIST", optional: true)],
    ]
    for (name, arguments) in expected {
      #expect(commands.first { $0.name == name }?.arguments == arguments, "\(name)")
    }
  }

  @Test(
    "What is no command",
    arguments: [
      ("help --json sesion", "there is no command \"sesion\"; did you mean 'session'?"),
      (
        "help --json model",
        "'skan model' goes on: 'skan model check', 'skan model explain', 'skan model decode', 'skan model diff', 'skan model convert', 'skan model fit'"
      ),
      (
        "help --json model exlain",
        "'skan model' goes on: 'skan model check', 'skan model explain', 'skan model decode', 'skan model diff', 'skan model convert', 'skan model fit'; did you mean 'model explain'?"
      ),
      ("help session x", "one argument too many: \"x\""), ("help --json session x", "one argument too many: \"x\""),
      ("--help x", "one argument too many: \"x\""),
    ])
  func refused(line: String, message: String) { #expect(World().run(line) == .usage(message)) }

  @Test("Variables change nothing, not even one that no command reads")
  func variables() {
    let world = World()
    let help = world.run("help session")
    world.set { $0.variables = ["SKAN_JSON": "1", "SKAN_MODL": "x"] }
    #expect(world.run("help session") == help)
    #expect(world.run("help model").out == World().run("model --help").out)
  }
}

extension HelpTableDocument.Argument {
  fileprivate init(name: String, optional: Bool = false, repeatable: Bool = false) {
    self.name = name
    self.optional = optional
    self.repeatable = repeatable
  }
}
