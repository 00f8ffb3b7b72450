import SKANDevice
import SKANHTTP
import SKANRun
import Testing

@testable import SKANCommand

@Suite("Typed options")
struct InvocationTests {
  private static func invocation(
    _ spec: CommandSpec, _ line: String = "", variables: [String: String] = [:]
  ) throws(CommandError) -> Invocation {
    let words = line.split(separator: " ").map(String.init)
    let arguments = try ParsedArguments(words, for: spec) { variables[$0] }
    return Invocation(spec, arguments, World().environment)
  }

  @Test("An option that is given is read as its value")
  func given() throws {
    let session = try Self.invocation(
      UpdateCommands.session,
      "--lock-timeout 1500ms --max-answer 64KiB --at +2d --took 2.5 --model a=b.json --model c.json --json --revenue -1.5"
    )
    #expect(try session[.lockTimeout] == 1.5)
    #expect(try session[.maxAnswer] == 64 << 10)
    #expect(try session[.at] == .sinceFirst(TimeSpan(seconds: 172_800 as Int64)))
    #expect(try session[.took] == TimeSpan(microseconds: 2_500_000))
    #expect(try session[.model].map(\.app) == ["a", nil])
    #expect(try session[.model].map(\.path) == ["b.json", "c.json"])
    #expect(try session[.revenue] == -1.5)
    #expect(session[.json])
    #expect(session.isGiven(.model))
  }

  @Test("An option that is not given is read as its default")
  func defaults() throws {
    let session = try Self.invocation(UpdateCommands.session)
    #expect(try session[.state] == "skan-state.json")
    #expect(try session[.lockTimeout] == 30)
    #expect(try session[.maxTime] == 10)
    #expect(try session[.maxAnswer] == HTTPAnswerLimits.defaultBytes)
    #expect(try session[.endpoint] == .embedded)
    #expect(try session[.at] == nil)
    #expect(try session[.model].isEmpty)
    #expect(!session[.json])
    #expect(!session.has(.lockTimeout))
    #expect(
      try Self.invocation(InstallCommands.install).profile()
        == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "")))
    let replay = try Self.invocation(ReplayCommand.spec, "list.jsonl")
    #expect(try replay[ReplayCommand.retry] == 0)
    #expect(try replay[ReplayCommand.retryInterval] == 1)
    #expect(try replay[ReplayCommand.jobs] == nil)
  }

  @Test("An option counts before its variable, and a message names where the text came from")
  func variables() throws {
    let variables = ["SKAN_LOCK_TIMEOUT": "2s", "SKAN_MAX_TIME": "soon", "SKAN_QUIET": "yes"]
    let byVariable = try Self.invocation(UpdateCommands.session, variables: variables)
    #expect(try byVariable[.lockTimeout] == 2)
    #expect(byVariable[.quiet])
    #expect(byVariable.has(.lockTimeout) && !byVariable.isGiven(.lockTimeout))
    #expect(
      throws: CommandError.usage(
        "SKAN_MAX_TIME must be a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"soon\"",
        command: "session")
    ) { try byVariable[.maxTime] }
    let byOption = try Self.invocation(
      UpdateCommands.session, "--lock-timeout 3s --max-time later", variables: variables)
    #expect(try byOption[.lockTimeout] == 3)
    #expect(
      throws: CommandError.usage(
        "--max-time must be a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is \"later\"",
        command: "session")
    ) { try byOption[.maxTime] }
  }

  @Test(
    "What a number may be is said of its variable, too",
    arguments: [
      ("model decode f", "FINE", "64", "SKAN_FINE must be from 0 to 63, it is 64"),
      ("model decode f", "COARSE", "x", "SKAN_COARSE must be low, medium or high, it is \"x\""),
      ("serve", "PORT", "65536", "SKAN_PORT must be from 0 to 65535, it is 65536"),
      ("serve", "ONCE", "0", "SKAN_ONCE must be 1 or more, it is 0"),
      ("session --dry-run", "IDEMPOTENCY_KEY", "", nil),
    ] as [(String, String, String, String?)])
  func numbers(line: String, variable: String, text: String, message: String?) {
    let world = World.registered()
    world.set { $0.variables["SKAN_\(variable)"] = text }
    let command = line.split(separator: " ").prefix { $0 != "f" && !$0.hasPrefix("-") }.joined(separator: " ")
    let result = world.run(line)
    #expect(message.map { result == .usage($0, command: command) } ?? (result.code == .ok), "\(result.err)")
  }

  @Test("A command declares its own options, read in its own way")
  func declared() {
    let (session, details, update) = (UpdateCommands.session, DetailsCommand.spec, PhoneCommands.update)
    #expect(session.declares(.endpoint) && session.declares(.json) && session.declares(.help))
    #expect(!details.declares(.endpoint) && !details.declares(.model))
    // Another row of the same name, which is nil where it is not given.
    #expect(update.options.contains(.ios) && !update.declares(.ios))
    // Another help text.
    #expect(ReplayCommand.spec.declares(.state) && TimelineCommand.spec.declares(.at))
  }

  @Test("Code that commands share reads the default of what a command does not declare")
  func ifDeclared() throws {
    let details = try Self.invocation(DetailsCommand.spec)
    #expect(try details[ifDeclared: .endpoint] == .embedded)
    #expect(try details[ifDeclared: .maxTime] == 10)
    #expect(!details[ifDeclared: .noHandler])
    let session = try Self.invocation(UpdateCommands.session, "--endpoint testing --no-handler")
    #expect(try session[ifDeclared: .endpoint] == .testing)
    #expect(session[ifDeclared: .noHandler])
  }

  #if DEBUG
    @Test("Reading what a command does not declare stops a debug build")
    func undeclared() async {
      await #expect(processExitsWith: .failure) { _ = try InvocationTests.invocation(DetailsCommand.spec)[.endpoint] }
      await #expect(processExitsWith: .failure) { _ = try InvocationTests.invocation(DetailsCommand.spec)[.dryRun] }
      await #expect(processExitsWith: .failure) { _ = try InvocationTests.invocation(DetailsCommand.spec).has(.ad) }
      await #expect(processExitsWith: .success) { _ = try InvocationTests.invocation(DetailsCommand.spec)[.state] }
    }
  #endif
}
