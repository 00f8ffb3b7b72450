import SKANBase
import Testing

@testable import SKANCommand

@Suite("Variables of options")
struct VariableTests {
  /// Every option of every command but help and version, with the command.
  private static let rows = CommandLineTool.commands.flatMap { spec in
    spec.options.filter { ![.help, .version].contains($0) }.map { (spec: spec, option: $0) }
  }

  /// The options that no command reads from a variable, each with the first command that has it.
  private static let without = rows.filter { row in !VariableNames.options.contains(row.option) }
    .reduce(into: [(spec: CommandSpec, option: OptionRow)]()) { rows, row in
      if !rows.contains(where: { $0.option == row.option }) { rows.append(row) }
    }

  @Test("They describe where a command runs, and on which phone; none is an action")
  func all() {
    #expect(
      VariableNames.options.map(\.name) == [
        "ad", "app-version", "build", "bundle-id", "clock", "color", "endpoint", "event-aliases-file", "idfa", "idfv",
        "ios", "json", "lock-timeout", "max-answer", "max-time", "model", "organic", "rates", "sdk-key-file", "seed",
        "setting", "snippet", "state", "strict", "variables-file",
      ])
    // A phone's profile is that of a new phone; changing a phone is an action.
    #expect(
      CommandName.update.spec.variables == [
        "SKAN_STATE", "SKAN_JSON", "SKAN_STRICT", "SKAN_LOCK_TIMEOUT", "SKAN_COLOR",
      ])
  }

  @Test("Help, the manual page, config and completion's table name exactly those")
  func listed() throws {
    let names = Set(VariableNames.options.map(\.variable) + VariableNames.more.map(\.name))
    func named(_ text: String) -> Set<String> {
      let all = Set(text.matches(of: /SKAN_[A-Z_]+/).map { String($0.output) })
      // A man page has a prefix with the name that completes it.
      return Set(all.map { name in name.hasSuffix("_NAME") ? String(name.dropLast(4)) : name })
    }
    #expect(named(World().run("help environment").out) == names)
    let page = World().run("help --man").out.replacing("\\", with: "")
    let environment = try #require(page.split(separator: ".SH ENVIRONMENT").last?.split(separator: ".SH ").first)
    #expect(named(String(environment)) == names)
    for spec in CommandLineTool.commands {
      let help = World().run("help --json \(spec.name)").out
      let table = try HelpTableDocument.decoded(HelpTableDocument.Command.self, help)
      #expect(table.options.compactMap(\.variable) == spec.variables, "\(spec.name)")
      let last = World().run("\(spec.name) --help").out.components(separatedBy: "Variables for options").last ?? ""
      #expect(named(last) == Set(spec.variables), "\(spec.name)")
    }
    let config = World().run("config --json").out
    let shown = Set(config.matches(of: /"name":"([a-z-]+)"/).map { String($0.output.1) })
    #expect(shown == Set(VariableNames.options.map(\.name)).subtracting(["color"]))
  }

  @Test("The variable of any other option is an error that says what to write instead", arguments: without.indices)
  func refused(index: Int) {
    let (spec, option) = Self.without[index]
    let world = World.registered()
    world.set { $0.variables = [option.variable: "1"] }
    let written = "'skan \(spec.name) \(option.flag)\(option.placeholder.map { " \($0)" } ?? "")'"
    for line in ["relaunch", "register", "config"] where !CommandName.relaunch.spec.declares(option) || line == "config"
    {
      let run = world.run(line)
      #expect(run.code == .usage && run.changes.isEmpty, "\(option.variable): \(run)")
      let words = "skan: the variable \(option.variable) is not read: write "
      #expect(run.err.hasPrefix(words), "\(run)")
      if line == "config" || !CommandName.register.spec.declares(option) {
        #expect(run.err.hasPrefix(words + written), "\(run)")
      }
    }
  }

  @Test(
    "A command that is meant to act does so by its own line alone",
    arguments: [
      ("install", "SKAN_FORCE"), ("session", "SKAN_REVENUE"), ("check a.har", "SKAN_HOST"), ("postbacks", "SKAN_SEND"),
      ("session", "SKAN_DRY_RUN"), ("backtest x", "SKAN_MERGE"), ("serve", "SKAN_ONCE"),
      ("serve --port 0", "SKAN_PORT"),
    ])
  func actions(line: String, name: String) {
    let world = World.registered()
    world["a.har"] = "{}"
    world.set { $0.variables = [name: "1"] }
    let run = world.run(line)
    let command = line.prefix { $0 != " " }
    #expect(run.code == .usage && run.changes.isEmpty && run.err.contains("write 'skan \(command) --"), "\(run)")
  }

  /// Texts that parsers of different kinds take or refuse.
  private static let samples: [String] = [
    "", "0", "1", "-1", "0.5", "64", "x", "a=b", "a=from=2026-01-01:b", "from=2026-01-01:b", "1/2", "2d3h", "500ms",
    "10s", "64KiB", "17.4", "2026-01-01", "2026-01-01T00:00:00Z", "+02:00", "UTC", "USD", "low", "auto", "none",
    "random",
    "Random", "http://localhost", "0.0.0.0", "file.json", "-", "@file.json", "{}", "{\"tier\":1}", "carry-over=yes",
    "skan4", "appstore", "production", "developer", "github", "error",
  ]

  /// What a parser makes of a text: nil, or its error. The command is the same for all, so that errors differ by their
  /// parser alone.
  private func verdict(of option: OptionRow, _ text: String) -> String? {
    let world = World()
    world["file.json"] = "{}"
    let line = option.placeholder == nil ? [option.flag] : ["\(option.flag)=\(text)"]
    let spec = CommandSpec(inspecting: [option])
    do throws(CommandError) {
      try Invocation(spec, ParsedArguments(line, for: spec) { _ in nil }, world.environment).check(option)
      return nil
    } catch {
      return error.statement ?? ""
    }
  }

  @Test(
    "Every command that has an option with a variable reads its text in the same way",
    arguments: VariableNames.options.map(\.name))
  func oneParser(name: String) {
    let commands = Self.rows.filter { $0.option.name == name }
    for text in Self.samples {
      let verdicts = commands.map { verdict(of: $0.option, text) }
      for (row, other) in zip(commands, verdicts) {
        #expect(other == verdicts[0], "\(name) \(text): \(commands[0].spec.name), \(row.spec.name)")
      }
    }
    #expect(Set(commands.map(\.option.kind)).count == 1 && Set(commands.map(\.option.values)).count == 1)
  }

  @Test("In skan.json, commands takes every option, and options those that have a variable", arguments: rows.indices)
  func project(index: Int) {
    let (spec, option) = Self.rows[index]
    if option == .color { return }
    let value = option.placeholder == nil ? "true" : #""x""#
    let world = World()
    world.set { $0.projectFolders = [""] }
    func problem(_ text: String) -> String? {
      do throws(CommandError) {
        _ = try ProjectFile(Array(text.utf8), path: "skan.json", sdkKey: nil)
        return nil
      } catch {
        return error.statement ?? error.lines().map(\.text).joined()
      }
    }
    // The key itself must not stand in a file that is shared.
    let isSecret = option == OptionRow.sdkKeyFile
    let own = problem("{\"commands\":{\"\(spec.name)\":{\"\(option.name)\":\(value)}}}")
    #expect((own == nil) != isSecret, "\(own ?? "")")
    let common = problem("{\"options\":{\"\(option.name)\":\(value)}}")
    let stands = ProjectReader.top.contains(option)
    #expect((common == nil) == (VariableNames.options.contains(option) && !isSecret && !stands), "\(common ?? "")")
    if !VariableNames.options.contains(option) {
      #expect(common?.contains("\(option.name) is given for one command at a time, as in {\"commands\":{") == true)
    }
  }
}
