import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Variables of options")
struct VariableTests {
  /// Every option of every command but help and version, with the command.
  private static let rows = CommandLineTool.commands.flatMap { spec in
    spec.options.filter { ![.help, .version].contains($0) }.map { (spec: spec, option: $0) }
  }

  /// The options that no command reads from a variable, each with the first command that has it.
  private static let without = rows.filter { row in !CommandTable.skan.variableOptions.contains(row.option) }
    .reduce(into: [(spec: CommandSpec, option: OptionRow)]()) { rows, row in
      if !rows.contains(where: { $0.option == row.option }) { rows.append(row) }
    }

  @Test("They describe where a command runs, and on which phone; none is an action")
  func all() {
    #expect(
      CommandTable.skan.variableOptions.map(\.name) == [
        "ad", "app-version", "build", "bundle-id", "clock", "color", "endpoint", "idfa", "idfv",
        "ios", "json", "lock-timeout", "max-answer", "max-time", "model", "organic", "rates", "sdk-key-file", "seed",
        "setting", "snippet", "state", "strict",
      ])
    // A phone's profile is that of a new phone; changing a phone is an action.
    #expect(
      CommandName.update.spec.variables == [
        "SKAN_STATE", "SKAN_LOCK_TIMEOUT", "SKAN_JSON", "SKAN_COLOR",
      ])
  }

  @Test("Help, the manual page, config and completion's table name exactly those")
  func listed() throws {
    let names = Set(CommandTable.skan.variableOptions.map(\.variable) + VariableNames.more.map(\.name))
    func named(_ text: String) -> Set<String> {
      let all = Set(text.matches(of: /SKAN_[A-Z_]+/).map { String($0.output) })
      // A man page has a prefix with the name that completes it.
      return Set(all.map { name in name.hasSuffix("_NAME") ? String(name.dropLast(4)) : name })
    }
    #expect(named(World().run("help environment").out) == names)
    let page = World().run("__man").out.replacing("\\", with: "")
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
    #expect(shown == Set(CommandTable.skan.variableOptions.map(\.name)).subtracting(["color"]))
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
    "postback-date", "a=2,b", "sign_up,purchase", "proxy.example=s2s", "crm=http://localhost", "Europe/Berlin", "+0200",
    "Z",
    "usd", "+2d3h", "now",
  ]

  /// What a parser makes of a text: nil, or its error. The command is the same for all, so that errors differ by their
  /// parser alone.
  private func verdict(of option: OptionRow, _ text: String) -> String? {
    let world = World()
    world["file.json"] = "{}"
    let line = option.placeholder == nil ? [option.flag] : ["\(option.flag)=\(text)"]
    let spec = CommandSpec("event", inspecting: [option])
    do throws(CommandError) {
      try Invocation(spec, ParsedArguments(line, for: spec, of: .skan) { _ in nil }, world.environment).check(option)
      return nil
    } catch {
      return error.statement ?? ""
    }
  }

  /// The names that commands use in the sense of their own subject, each with its senses. None has a variable, so that
  /// no text is read in two ways.
  private static let homonyms = [
    "by": "report: the day that a postback belongs to; backtest: the column that groups devices",
    "coarse": "aak update and model explain: a coarse value; model fit: whether coarse values are fitted",
    "currency": "a step of a phone: any text, as the snippet takes it; exports and models: a code of ISO 4217",
    "events": "init: names; model fit: names with weights",
    "forward": "session and event: the app's server reports, too; receive and serve: the address of a receiver",
    "query": "details: the entries as the query of an address; exports: the rows of a table in SQL",
    "impression": "impression: an ad of either framework; aak reengage: one of AdAttributionKit",
    "tier": "postbacks: the tier to show; aak development-postback: the tiers of up to three postbacks",
    "host": "serve: the address to listen on; check: a proxy and its role",
  ]

  /// The names that several commands have, and those with a variable.
  private static let shared = Set(rows.map(\.option.name)).filter { name in
    CommandTable.skan.variableOptions.contains { $0.name == name } || rows.count { $0.option.name == name } > 1
  }.sorted()

  @Test("Every command that has an option of a name reads its text in the same way", arguments: shared)
  func oneParser(name: String) {
    var commands: [(spec: CommandSpec, option: OptionRow)] = []
    for row in Self.rows where row.option.name == name && !commands.contains(where: { $0.option === row.option }) {
      commands.append(row)
    }
    var differences: [String] = []
    for row in commands.dropFirst() {
      let (first, other) = (commands[0].option, row.option)
      if first.kind != other.kind || first.values != other.values { differences.append("kind of \(row.spec.name)") }
      for text in Self.samples where verdict(of: first, text) != verdict(of: other, text) {
        differences.append("\(row.spec.name) of \(text)")
      }
    }
    #expect(differences.isEmpty == (Self.homonyms[name] == nil), "\(commands[0].spec.name): \(differences)")
  }

  @Test("Names with two senses have no variable")
  func homonyms() {
    #expect(Self.homonyms.keys.allSatisfy { Self.shared.contains($0) })
    #expect(!CommandTable.skan.variableOptions.contains { Self.homonyms[$0.name] != nil })
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
        _ = try ProjectFile(Array(text.utf8), path: "skan.json", sdkKey: nil, of: .skan)
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
    #expect(
      (common == nil) == (CommandTable.skan.variableOptions.contains(option) && !isSecret && !stands), "\(common ?? "")"
    )
    if !CommandTable.skan.variableOptions.contains(option) {
      #expect(common?.contains("\(option.name) is given for one command at a time, as in {\"commands\":{") == true)
    }
  }
}
