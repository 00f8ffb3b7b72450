import Foundation
import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Help and version")
struct HelpTests {
  static let commands = CommandLineTool.commands.map(\.name)

  @Test("Help", arguments: commands)
  func help(command: String) {
    let world = World()
    let help = world.run("\(command) --help")
    #expect(help.out.hasPrefix("skan \(command): ") && help.out.hasSuffix(".\n"))
    #expect(help == Consequences(out: help.out))
    // Whatever else is wrong, and in all its forms.
    for line in ["\(command) -h", "\(command) -q x y z --help", "\(command) --at 0 --after 0 -h"] {
      #expect(world.run(line) == help, "\(line)")
    }
    // A topic of the same name comes first.
    let topic = HelpTopic(rawValue: command).map { StyledText.sections($0.text).map(\.text) } ?? []
    let both = world.run("help \(command)")
    #expect(both.out.hasSuffix(help.out) && (both == help) == topic.isEmpty && both.code == .ok)
    #expect(world.run("--help").out.contains("\n  \(command) "))
    #expect(world.takeLog() == [])
  }

  @Test("Each option stands under one title, in the order in which it is read", arguments: commands)
  func titles(command: String) throws {
    let spec = try #require(CommandName(rawValue: command)?.spec)
    #expect(spec.name == command)
    #expect(spec.groups.flatMap(\.rows).map(\.name).sorted() == spec.options.map(\.name).sorted())
    let titles = spec.groups.map(\.title)
    #expect(titles == OptionTitle.allCases.filter(titles.contains) && titles.last == .general)
    let help = World().run("\(command) --help").out
    let sections = try #require(help.components(separatedBy: "\n\nExamples:\n").last).components(separatedBy: "\n\n")
    for (group, section) in zip(spec.groups, sections.dropFirst()) {
      #expect(section.hasPrefix("\(group.title.rawValue):\n"))
      let flags = section.matches(of: /(?:^|\n)  (?:   |-[a-z],) (--[a-z0-9-]+)/).map { String($0.output.1) }
      #expect(flags == group.rows.map(\.flag), "\(group.title)")
    }
  }

  @Test("Overview") func overview() {
    let world = World()
    let help = world.run("--help")
    #expect(help == Consequences(out: help.out))
    #expect(world.run("-h") == help)
    #expect(world.run("help") == help)
    for code in ExitCode.allCases { #expect(help.out.contains("\n  \(code.rawValue) "), "\(code)") }
  }

  @Test(
    "Where the output is no terminal, help wraps at 80 columns; a word and what is meant to be copied has at most 120")
  func noLineIsTooWide() {
    let groups = Set(Self.commands.compactMap { $0.contains(" ") ? String($0.prefix { $0 != " " }) : nil })
    let helps = ["--help"] + (Self.commands + groups.sorted()).map { "\($0) --help" }
    let copied = CommandTable.skan.examples + CommandLineTool.commands.flatMap(\.examples)
    for line in helps + HelpTopic.allCases.map({ "help \($0.rawValue)" }) {
      for row in World().run(line).out.split(separator: "\n") {
        let isWhole = copied.contains(String(row.dropFirst(2))) || row.split(separator: " ").count == 1
        #expect(row.count <= (isWhole ? 120 : 80), "\(line): \(row)")
      }
    }
  }

  @Test("Version") func version() {
    #expect(World().run("--version") == Consequences(out: "skan \(CommandLineTool.version)\n"))
  }

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
        #expect(help.words.contains(option.help.words), "\(command.name) \(form)")
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
          name: "quiet", short: "q", type: "flag", values: [], repeatable: false,
          help: "print no result and no notes, only errors")
      ),
      (
        "update", "snippet",
        HelpTableDocument.Row(
          name: "snippet", type: "choice", placeholder: "NAME", values: ["skan4", "skan4-beta", "skan3"],
          repeatable: false, help: "the app's new snippet: skan4, skan4-beta or skan3")
      ),
      (
        "replay", "variable",
        HelpTableDocument.Row(
          name: "variable", type: "pair", placeholder: "NAME=VALUE|@FILE", values: [], repeatable: true,
          help: "the value of ${NAME} in the strings of a list; @FILE has one per line (repeatable)")
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
      (
        "help --json model",
        "'skan model' goes on: 'skan model check', 'skan model explain', 'skan model diff', 'skan model convert', 'skan model fit', 'skan model worth'"
      ),
      (
        "help --json model exlain",
        "'skan model' goes on: 'skan model check', 'skan model explain', 'skan model diff', 'skan model convert', 'skan model fit', 'skan model worth'; did you mean 'model explain'?"
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

extension String {
  /// The text on one line, with one space between words.
  fileprivate var words: String { split { $0.isWhitespace }.joined(separator: " ") }
}

/// What `skan help --json` prints, as another program reads it.
struct HelpTableDocument: Decodable {
  struct Command: Decodable {
    var name: String
    var summary: String
    var arguments: [Argument]
    var options: [Row]
    var examples: [String]
    var resultKeys: [String]

    var optionNames: Set<String> { Set(options.map(\.name)) }
  }

  struct Argument: Decodable, Equatable {
    var name: String
    var optional = false
    var repeatable = false
  }

  struct Row: Decodable, Equatable {
    var name: String
    var short: String?
    var type: String
    var placeholder: String?
    var `default`: String?
    var values: [String]
    var variable: String?
    var repeatable: Bool
    var help: String
  }

  struct Code: Decodable {
    var code: Int
    var name: String
    var meaning: String
  }

  struct WarningLevel: Decodable {
    var code: String
    var level: String
  }

  struct Variable: Decodable {
    var name: String
    var prefix: Bool
    var help: String
  }

  var version: String
  var commands: [Command]
  var exitCodes: [Code]
  var resultKeys: [String]
  var warningCodes: [WarningLevel]
  var variables: [Variable]

  static func printed() throws -> HelpTableDocument {
    try decoded(HelpTableDocument.self, World().run("help --json").out)
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(text.utf8))
  }
}

@Suite("The manual page")
struct ManPageTests {
  @Test("Every command with each of its options and its line of help, every variable and exit code")
  func complete() throws {
    let page = World().run("__man").out
    let sections = page.components(separatedBy: "\n.SH COMMANDS\n")
    try #require(sections.count == 2)
    let commands = sections[1].components(separatedBy: "\n.SS ")
    #expect(commands.count == CommandLineTool.commands.count + 1)
    for (spec, text) in zip(CommandLineTool.commands, commands.dropFirst()) {
      #expect(text.hasPrefix("\\fBskan \(Roff.text(spec.name))\\fR"), "\(spec.name)")
      for option in spec.options {
        // Three that all take stand above.
        let place = [.color, .help, .version].contains(option) ? commands[0] : text
        let entry = "\\fB\(Roff.text(option.flag))\\fR\(option.placeholder.map { " \\fI\(Roff.text($0))\\fR" } ?? "")"
        #expect(
          place.replacing("\n", with: " ").contains("\(entry) \(Roff.text(option.help)). "),
          "\(spec.name) \(option.flag)")
      }
    }
    for code in ExitCode.allCases { #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
    for variable in VariableNames.more { #expect(page.contains(variable.name)) }
  }

  @Test(
    "Texts stand as they are",
    arguments: [
      (".so x", "\\&.so x"), ("'quoted'", "\\(aqquoted\\(aq"), ("a\\b", "a\\eb"),
      ("--lock-timeout", "\\-\\-lock\\-timeout"),
      ("FILE…", "FILE\\[u2026]"), ("a \"b\" ~ ^ `", "a \\(dqb\\(dq \\(ti \\(ha \\(ga"),
    ])
  func text(text: String, expected: String) { #expect(Roff.text(text) == expected) }

  @Test("A paragraph has lines of 79 characters at most, of which none is a request")
  func paragraph() {
    let lines = Roff.paragraph(String(repeating: "word ", count: 15) + "end. .so is a file, and a-b-c 'too'")
    #expect(lines == [String(repeating: "word ", count: 15) + "end.", "\\&.so is a file, and a\\-b\\-c \\(aqtoo\\(aq"])
  }

  @Test("One page about all commands", arguments: ["__man session", "__man --json"])
  func refused(line: String) { #expect(World().run(line).code == .usage) }

  @Test("mandoc has nothing to complain about", .enabled(if: Self.hasMandoc, "mandoc is not installed"))
  func lint() throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      "\"$SKAN\" __man > skan.1 && mandoc -Tlint -Wstyle skan.1 && mandoc -Thtml skan.1")
    #expect(run.code == 0 && run.out.contains("EXIT_STATUS"), "\(run)")
  }

  @Test(
    "No word is broken, so that an option is found and copied, at any width",
    .enabled(if: Self.hasMan, "man is not installed"),
    arguments: [50, 80, 133])
  func words(width: Int) throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      "\"$SKAN\" __man > skan.1 && LC_ALL=C.UTF-8 MANWIDTH=\(width) man -P cat ./skan.1 | col -bx")
    let words = Set(run.out.split { $0.isWhitespace || ",;:()[]'\".".contains($0) }.map(String.init))
    let flags = CommandLineTool.commands.flatMap(\.options).map(\.flag)
    #expect(flags.allSatisfy(words.contains), "\(flags.filter { !words.contains($0) })")
    #expect(run.code == 0 && !run.out.contains("\u{2010}") && !run.out.contains("\u{2212}"))
  }

  private static let hasMan = (try? Workspace().shell("command -v man && command -v col"))?.code == 0
  private static let hasMandoc = (try? Workspace().shell("command -v mandoc"))?.code == 0
}
