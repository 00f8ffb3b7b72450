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
    let spec = CommandSpec("check", "", examples: []) { (_: Sample, _) in .ok }
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
