import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Typed options")
struct InvocationTests {
  /// The options of a command line, and where they came from.
  private static func read<Options: CommandOptions>(
    _ type: Options.Type, _ name: CommandName, _ line: String = "", variables: [String: String] = [:]
  ) throws(CommandError) -> (options: Options, invocation: Invocation) {
    let words = line.split(separator: " ").map(String.init)
    let arguments = try ParsedArguments(words, for: name.spec, of: .skan) { variables[$0] }
    let invocation = Invocation(name.spec, arguments, World().environment)
    return (try Options(OptionReader(invocation)), invocation)
  }

  private static func session(
    _ line: String = "", variables: [String: String] = [:]
  ) throws(CommandError) -> (options: UpdateStepOptions, invocation: Invocation) {
    let (session, invocation) = try read(SessionCommand.Options.self, .session, line, variables: variables)
    return (session.update, invocation)
  }

  @Test("An option that is given is read as its value")
  func given() throws {
    let (session, invocation) = try Self.session(
      "--lock-timeout 1500ms --max-answer 64KiB --at +2d --took 2.5 --model a=b.json --model c.json --json "
        + "--revenue -1.5 --currency USD")
    #expect(session.step.device.lockSeconds == 1.5)
    #expect(session.answering.wire.limits.bytes == 64 << 10)
    #expect(session.step.time == .sinceFirst(TimeSpan(seconds: 172_800 as Int64)))
    #expect(session.update.took == TimeSpan(microseconds: 2_500_000))
    #expect(session.answering.model.models.map(\.app) == ["a", nil])
    #expect(session.answering.model.models.map(\.path) == ["b.json", "c.json"])
    #expect(session.revenue?.amount == -1.5)
    #expect(session.step.output.isJSON)
    #expect(invocation.isGiven(.model))
  }

  @Test("An option that is not given is read as its default")
  func defaults() throws {
    let (session, invocation) = try Self.session()
    #expect(session.step.device.state == "skan-state.json")
    #expect(session.step.device.lockSeconds == 30)
    #expect(session.answering.wire.limits == HTTPAnswerLimits(seconds: 10, bytes: HTTPAnswerLimits.defaultBytes))
    #expect(session.answering.endpoint == .embedded)
    #expect(session.step.time == nil)
    #expect(session.answering.model.models.isEmpty)
    #expect(!session.step.output.isJSON)
    #expect(!invocation.has(.lockTimeout))
    #expect(
      try Self.read(InstallCommand.Options.self, .install).options.profile
        == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "")))
    let replay = try Self.read(ReplayOptions.self, .replay, "list.jsonl").options
    #expect(replay.retries == 0)
    #expect(replay.retrySeconds == 1)
    #expect(replay.jobs == nil)
  }

  @Test("An option counts before its variable, and a message names where the text came from")
  func variables() throws {
    var variables = ["SKAN_LOCK_TIMEOUT": "2s", "SKAN_STRICT": "yes"]
    let (byVariable, invocation) = try Self.session(variables: variables)
    #expect(byVariable.step.device.lockSeconds == 2)
    #expect(byVariable.step.checks.isStrict)
    #expect(invocation.has(.lockTimeout) && !invocation.isGiven(.lockTimeout))
    variables["SKAN_MAX_TIME"] = "soon"
    let form = "must be a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is"
    #expect(throws: CommandError.usage("SKAN_MAX_TIME \(form) \"soon\"", command: "session")) {
      try Self.session(variables: variables)
    }
    #expect(throws: CommandError.usage("--max-time \(form) \"later\"", command: "session")) {
      try Self.session("--max-time later", variables: variables)
    }
    #expect(
      try Self.session("--lock-timeout 3s --max-time 1s", variables: variables).options.step.device.lockSeconds == 3)
  }

  @Test(
    "A message says what a number may be",
    arguments: [
      ("model explain f --fine 64", "--fine must be from 0 to 63, it is 64"),
      ("model explain f --coarse x", "--coarse must be low, medium or high, it is \"x\""),
      ("serve --port 65536", "--port must be from 0 to 65535, it is 65536"),
      ("serve --once 0", "--once must be 1 or more, it is 0"),
    ])
  func numbers(line: String, message: String) {
    let command = line.split(separator: " ").prefix { $0 != "f" && !$0.hasPrefix("-") }.joined(separator: " ")
    #expect(World.registered().run(line) == .usage(message, command: command))
  }

  @Test("An empty variable is not set")
  func emptyVariable() {
    let world = World.registered()
    world.set { $0.variables["SKAN_MAX_TIME"] = "" }
    #expect(world.run("session --dry-run").code == .ok)
  }

  @Test("A command has the options that it reads, in the order in which it reads them")
  func declared() {
    let (session, details) = (CommandName.session.spec, CommandName.details.spec)
    #expect(session.declares(.endpoint) && session.declares(.json) && session.declares(.help))
    #expect(!details.declares(.endpoint) && !details.declares(.model))
    #expect(
      details.options.map(\.name) == [
        "query", "table", "state", "at", "after", "expect", "strict", "json", "quiet", "color", "help", "version",
      ])
  }

  /// A number that depends on a flag, and a file to be written.
  private struct Sample: CommandOptions {
    static let number = Option<Int?>("number", "N", .count(from: 1), "a number", hasVariable: true)
    static let file = Option<OutputFile?>("file", "FILE", .outputFile, "a file")
    let number: Int?
    let file: OutputFile?

    init(_ reader: OptionReader) throws(CommandError) {
      let isOn = try reader[.strict]
      number = try reader[Self.number, OptionReader.Condition(isOn, "belongs to --strict")]
      file = try reader.output(Self.file, replacing: [], standardOutputIsTaken: isOn ? "- is taken" : nil)
    }
  }

  private static func sample(
    _ line: String, variables: [String: String] = [:], _ world: World = World()
  ) throws(CommandError) -> Sample {
    let spec = CommandSpec(.check, "", examples: []) { (_: Sample, _) in .ok }
    let arguments = try ParsedArguments(line.split(separator: " ").map(String.init), for: spec, of: .skan) {
      variables[$0]
    }
    return try Sample(OptionReader(Invocation(spec, arguments, world.environment)))
  }

  @Test("What an option depends on refuses it on the command line, and passes over its variable")
  func condition() throws {
    #expect(try Self.sample("--strict --number 2").number == 2)
    #expect(throws: CommandError.usage("--number belongs to --strict", command: "check")) {
      try Self.sample("--number 2")
    }
    #expect(try Self.sample("", variables: ["SKAN_NUMBER": "x"]).number == nil)
    #expect(try Self.sample("--strict", variables: ["SKAN_NUMBER": "3"]).number == 3)
  }

  @Test("A file to be written is refused before the command runs where it cannot be, or standard output is taken")
  func output() throws {
    #expect(try Self.sample("--file -").file?.isStandardOutput == true)
    #expect(throws: CommandError.usage("--file - is taken", command: "check")) { try Self.sample("--strict --file -") }
    let world = World.registered()
    let error = #expect(throws: CommandError.self) { try Self.sample("--file skan-state.json", world) }
    #expect(error?.code == .cannotWrite)
  }
}

@Suite("Options that a combination would pass over")
struct PassedOverOptionTests {
  @Test(
    "They are refused, with what to do",
    arguments: [
      ("timeline --event-alias a=b", "--event-alias belongs to a list: 'skan timeline LIST --event-alias …'"),
      (
        "timeline --event-alias @f",
        "--event-alias belongs to a list: 'skan timeline LIST --event-alias …'"
      ),
      ("timeline --allow-include d", "--allow-include belongs to a list: 'skan timeline LIST --allow-include …'"),
      ("timeline --svg a.svg --html a.html", "--svg and --html exclude each other"),
      ("session --curl --json", "--curl and --json exclude each other"),
      ("replay a.jsonl --retry-interval 1s", "--retry-interval belongs to --retry"),
      ("replay a.jsonl --lock-timeout 1s", "--lock-timeout belongs to --state"),
    ])
  func refused(line: String, message: String) {
    let world = World.registered()
    world["a.jsonl"] = "{\"op\":\"relaunch\"}\n"
    let command = String(line.prefix { $0 != " " })
    #expect(world.run(line) == .usage(message, command: command))
  }

  @Test("A variable and a project file are for other calls")
  func variables() {
    let world = World.registered()
    world["a.jsonl"] = "{\"op\":\"relaunch\"}\n"
    world.set {
      $0.variables = [
        "SKAN_RATES": "r", "SKAN_LOCK_TIMEOUT": "1s", "SKAN_PROJECT": "p.json",
      ]
    }
    world["p.json"] = """
      {"commands":{"timeline":{"allow-include":"d","html":"p.html"},"replay":{"allow-include":"d","retry-interval":"1s"}}}
      """
    #expect(world.run("timeline --svg a.svg").code == .ok)
    world.set {
      $0.variables["SKAN_RATES"] = nil
    }
    #expect(world.run("replay a.jsonl").code == .ok)
  }
}

@Suite("The table of options")
struct OptionTableTests {
  /// Every option of every command, with the command.
  static let rows = CommandLineTool.commands.flatMap { spec in spec.options.map { (spec, $0) } }

  @Test("No command has two options of one name or letter")
  func names() {
    for spec in CommandLineTool.commands {
      #expect(Set(spec.options.map(\.name)).count == spec.options.count, "\(spec.name)")
      let letters = spec.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(spec.name)")
    }
  }

  @Test("The help of an option names its default, and no other")
  func defaults() {
    for (spec, option) in Self.rows {
      // Which is no text: the cores, what is derived, and standard output.
      if ["jobs", "idfv", "developer", "output"].contains(option.name) { continue }
      guard let text = option.defaultText, !text.isEmpty else {
        #expect(!option.help.contains("(default)"), "\(spec.name) \(option.flag)")
        continue
      }
      let forms = ["default \(text)", "\(text) (default", "default: \(text)"]
      #expect(forms.contains { option.help.contains($0) }, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A choice has names, and its help or its message gives them")
  func choices() {
    for (spec, option) in Self.rows where option.kind == .choice {
      #expect(!option.values.isEmpty, "\(spec.name) \(option.flag)")
      #expect(option.defaultText.map(option.values.contains) ?? true, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A flag takes no value, and everything else takes one")
  func placeholders() {
    for (spec, option) in Self.rows {
      #expect((option.kind == .flag) == (option.placeholder == nil), "\(spec.name) \(option.flag)")
      #expect(option.help.contains("(repeatable)") ? option.isRepeatable : true, "\(spec.name) \(option.flag)")
    }
  }

  @Test("An option of a file says what is done with it")
  func files() {
    for (spec, option) in Self.rows where option.kind == .file {
      #expect(option.file != nil, "\(spec.name) \(option.flag)")
    }
  }

  @Test("A variable has the option's name in capitals")
  func variables() {
    #expect(OptionRow.state.variable == "SKAN_STATE")
    #expect(OptionRow.sdkKeyFile.variable == "SKAN_SDK_KEY_FILE")
  }
}

@Suite("Environment twins")
struct EnvironmentTwinTests {
  /// A registered phone, a file for each option that reads one, and an endpoint.
  private func world() -> World {
    let world = World.registered("--ios 16.0")
    world["answer.json"] = Answer.value("7")
    world["key.txt"] = "secret\n"
    world["dump.json"] = "{\"p0_coarse\":\"1\"}"
    world["other.json"] = world[Changes.state]
    world.answer("{\"conversion_value\":9,\"status\":\"ok\"}")
    return world
  }

  @Test(
    "Every option does the same as its variable or, without one, as the project file",
    arguments: [
      ("session", "state", "other.json"), ("session", "at", "+1h"), ("session", "after", "2h"),
      ("session", "json", nil), ("session", "expect", "outcome=blocked"), ("session", "verbose", nil),
      ("session", "quiet", nil), ("event +", "strict", nil), ("session", "lock-timeout", "x"),
      ("session", "endpoint", "http://localhost"), ("session --endpoint http://localhost", "max-time", "x"),
      ("session --endpoint production -v", "sdk-key-file", "key.txt"), ("session", "answer", "@answer.json"),
      ("session", "took", "5s"), ("session", "framework-error", "10"), ("session --json", "no-handler", nil),
      ("session --currency USD", "revenue", "5"), ("session --revenue 5", "currency", "USD"),
      ("session --revenue 5 --currency USD", "ad-monetization", nil),
      ("session --revenue 5 --currency USD", "idempotency-key", "k"), ("session", "dry-run", nil),
      ("session", "curl", nil), ("register --state new.json", "snippet", "skan3"),
      ("register --state new.json", "ios", "15.0"), ("register --state new.json", "bundle-id", "a.b"),
      ("register --state new.json", "app-version", "9"), ("register --state new.json", "idfv", "none"),
      ("register --state new.json", "idfa", "A"), ("register --state new.json", "organic", nil),
      ("install --state new.json", "details", "dump.json"), ("install", "force", nil), ("details", "query", nil),
      ("details", "table", nil),
    ] as [(String, String, String?)])
  func twin(line: String, option: String, value: String?) {
    let byOption = world()
    let expected = byOption.run("\(line) --\(option)\(value.map { "=\($0)" } ?? "")")
    let byVariable = world()
    let name = "SKAN_" + option.uppercased().replacing("-", with: "_")
    if CommandTable.skan.variableOptions.contains(where: { $0.variable == name }) {
      byVariable.set { $0.variables[name] = value ?? "1" }
    } else {
      let command = line.prefix { $0 != " " }
      let text = value.map(JSONWriter.quoted) ?? "true"
      byVariable["p/skan.json"] = "{\"commands\":{\"\(command)\":{\"\(option)\":\(text)}}}"
      byVariable["p/answer.json"] = byVariable["answer.json"]
      byVariable["p/dump.json"] = byVariable["dump.json"]
      byVariable.set { $0.projectFolders = ["p/"] }
    }
    var result = byVariable.run(line)
    // A message names where a value came from.
    result.err = result.err.replacing(name, with: "--\(option)")
    #expect(result == expected)
    #expect(expected != world().run(line))
  }

  @Test("The option counts before its variable, and the variable before the file")
  func precedence() {
    let world = world()
    world.set { $0.variables = ["SKAN_STATE": "other.json", "SKAN_IOS": "16.5"] }
    #expect(
      world.run("update --state skan-state.json --ios 17.0").changes == [
        "profile.ios: \"16.0\" → \"17.0\"", "process.launches: 1 → 2",
      ])
    #expect(
      world.run("update --ios 16.5").changes == [
        "other.json profile.ios: \"16.0\" → \"16.5\"", "other.json process.launches: 1 → 2",
      ])
    #expect(world.run("update").code == .usage, "a variable is no action")
    #expect(world.run("register --state third.json").changes.contains("third.json profile.ios: \"17.4\" → \"16.5\""))
  }

  @Test("Flags are on or off", arguments: ["1", "true", "YES", "on"], ["0", "false", "No", "off", ""])
  func flags(on: String, off: String) {
    let world = world()
    let plain = world.run("details")
    let json = world.run("details --json")
    world.set { $0.variables["SKAN_JSON"] = on }
    #expect(world.run("details") == json && json != plain)
    world.set { $0.variables["SKAN_JSON"] = off }
    #expect(world.run("details") == plain)
  }

  @Test func neitherOnNorOff() {
    let world = world()
    world.set { $0.variables["SKAN_JSON"] = "maybe" }
    #expect(world.run("session") == .usage("SKAN_JSON must be 1 or 0, it is \"maybe\"", command: "session"))
  }

  @Test("A bad value is reported with the variable's name")
  func names() {
    let world = world()
    world.set { $0.variables["SKAN_IOS"] = "x" }
    #expect(
      world.run("register")
        == .usage("SKAN_IOS must be a version of iOS such as 17.4, it is \"x\"", command: "register"))
  }

  @Test("Variables of options that a command does not have are not looked at")
  func unrelated() {
    let world = world()
    world.set { $0.variables = ["SKAN_ENDPOINT": "x", "SKAN_MAX_TIME": "x", "SKAN_IOS": "x", "SKAN_MODEL": "x"] }
    #expect(world.run("relaunch").code == .ok)
  }

  @Test(
    "A variable that no command reads is an error with what to write",
    arguments: [
      ("SKAN_ENDPOIN", "there is no variable SKAN_ENDPOIN; did you mean SKAN_ENDPOINT?"),
      (
        "SKAN_EXPECT",
        "the variable SKAN_EXPECT is not read: write 'skan session --expect PATH=VALUE', or \"expect\" of \"session\" in "
          + "\"commands\" of skan.json"
      ),
      ("SKAN_SDKKEY", "there is no variable SKAN_SDKKEY; did you mean SKAN_SDK_KEY?"),
      (
        "SKAN_VARIABLE",
        "the variable SKAN_VARIABLE is not read: write 'skan replay --variable NAME=VALUE|@FILE', or \"variable\" of \"replay\" "
          + "in \"commands\" of skan.json"
      ), ("SKAN_HELP", "there is no variable SKAN_HELP; unset it: 'skan help environment' lists the variables"),
    ])
  func mistyped(name: String, words: String) {
    let world = world()
    world.set { $0.variables = [name: "http://127.0.0.1:1"] }
    #expect(world.run("session") == .usage(words, command: nil))
    #expect(world.run("session --help").code == .ok)
    world.set { $0.variables = [name: "", "SKAN_VARIABLE_x-y": "1", "SKANDAL": "1"] }
    #expect(world.run("session").code == .ok)
  }

  @Test("Of several all are reported")
  func severalMistyped() {
    let world = world()
    world.set { $0.variables = ["SKAN_STAT": "1", "SKAN_MODL": "2"] }
    #expect(
      world.run("details")
        == .usage(
          "there is no variable SKAN_MODL; did you mean SKAN_MODEL?\n      "
            + "there is no variable SKAN_STAT; did you mean SKAN_STATE?", command: nil))
  }

  @Test("A replay does not take the device file from a variable")
  func replayState() {
    let world = world()
    world["a.jsonl"] = "{\"op\":\"device\"}\n"
    world.set { $0.variables["SKAN_STATE"] = "skan-state.json" }
    #expect(world.run("replay a.jsonl -q") == Consequences())
  }
}
