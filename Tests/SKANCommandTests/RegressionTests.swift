import SKANCommand
import Testing

@testable import SKANCommandLine

/// What the product once did not do as it should.
@Suite("Bugs that were")
struct RegressionTests {
  @Test("A retry with a key seen before happens at the time that is given", arguments: ["--at +5h", "--after 4h"])
  func idempotentTime(time: String) {
    let world = World.registered()
    let line = "event buy --revenue 5 --currency USD --idempotency-key k --answer \(Answer.ok)"
    world.run("\(line) --at +1h")
    #expect(world.run("\(line) \(time) -q --expect at=1767243600").err == "")
  }

  @Test("--dry-run shows the request that would be sent: a key seen before adds nothing")
  func idempotentDryRun() {
    let world = World.registered()
    let line = "event buy --revenue 5 --currency USD --idempotency-key k"
    world.run("\(line) --answer \(Answer.ok)")
    #expect(world.run("\(line) --dry-run").out.contains("\n  skan_total_revenue_by_currency = {\"USD\":5}\n"))
  }

  @Test("A phone in virtual time never asks the real clock, not even after a reset")
  func resetOffset() {
    let world = World.registered()
    world.run("session --at +1h --answer", Answer.ok)
    world.run("reset --at +1d")
    #expect(world[Changes.state]?.contains("\"first\": 1767312000,") == true, "not the real clock")
    let other = World.registered()
    other.run("session --at +1h --answer", Answer.ok)
    other.run("reset")
    #expect(other.run("register -q --at +1h --expect at=1767232800").err == "")
  }

  @Test(
    "A message about an endpoint quotes neither query nor user",
    arguments: ["http://h/api/v2/conversion_value?a=s3cret", "http://me:s3cret@h/", "http://me:s3c#ret@h/?s3cret"])
  func endpointSecret(endpoint: String) {
    let result = World.registered().run("session --endpoint \(endpoint)")
    #expect(result.code == .usage)
    #expect(!result.err.contains("s3c"))
  }

  @Test("--version everywhere", arguments: HelpTests.commands)
  func version(command: String) {
    #expect(World().run("\(command) --version") == Consequences(out: "skan \(CommandLineTool.version)\n"))
  }

  @Test("A refund with a thousands separator is a bad amount, not an option")
  func negativeSeparator() {
    #expect(
      World.registered().run("revenue -1,000.50 USD")
        == .usage(
          "AMOUNT must be a finite number such as 9.99, it is \"-1,000.50\"; no thousands separators, and a point "
            + "before the cents", command: "revenue"))
  }

  @Test("details prints with --quiet also as --json")
  func quietJSON() {
    let world = World.registered()
    #expect(world.run("details --json -q") == world.run("details --json"))
  }

  @Test("An option counts before the environment and the project file, also where two options exclude each other")
  func optionBeforeSettings() {
    let world = World.registered()
    let query = world.run("details --query")
    let table = world.run("details --table")
    world["p/skan.json"] = #"{"commands":{"relaunch":{"at":"+1h"}}}"#
    world.set {
      $0.variables = ["SKAN_JSON": "1"]
      $0.projectFolders = ["p/"]
    }
    #expect(world.run("details --query") == query)
    #expect(world.run("details --table") == table)
    #expect(world.run("relaunch -q --after 2h --expect at=1767232800").err == "")
  }

  @Test("A project file with --revenue's companions does not refuse a call without revenue")
  func companions() {
    let world = World.registered()
    world["p/skan.json"] = #"{"commands":{"session":{"currency":"USD","idempotency-key":"ci-17"}}}"#
    world.set { $0.projectFolders = ["p/"] }
    #expect(world.run("session -q").err == "")
  }

  @Test("One mistake, one message")
  func oneMessage() {
    let world = World()
    world[Changes.state] = "[]"
    #expect(
      world.run("details")
        == Consequences(
          .badData, err: "skan-state.json:1:1: a device file must be an object, this is an array\n  []\n  ^^\n"))
    world["dump.json"] = "{\"p0_window_lock\":\"abc\"}"
    let dump = world.run("install --state new.json --details dump.json")
    #expect(dump.code == .badData)
    #expect(dump.err.split(separator: "\n").filter { $0.hasPrefix("dump.json:") }.count == 1, "\(dump)")
  }

  @Test("A list that does not go with --state is refused before its first step")
  func deviceStep() {
    let world = World.registered()
    world["a.jsonl"] = "{\"op\":\"device\"}\n{\"op\":\"relaunch\"}\n"
    let result = world.run("replay --state skan-state.json a.jsonl")
    #expect(result.code == .badData)
    #expect(result.out == "")
    #expect(result.err.hasPrefix("a.jsonl:1:7: "))
    world["a.jsonl"] = "{\"op\":\"register\"}\n{\"op\":\"device\"}\n"
    #expect(world.run("replay --state skan-state.json a.jsonl").out == "")
  }

  @Test("One step is no steps")
  func oneStep() {
    let world = World()
    world["a.jsonl"] = #"{"op":"relaunch","expect":{"op":"relaunch"}}"#
    #expect(world.run("replay a.jsonl").out.hasSuffix("\n1 step, 1 expectation, 0 failed\n"))
  }

  @Test("Extra arguments of --version and help are reported", arguments: ["--version x", "--help x", "help session x"])
  func extra(line: String) {
    #expect(World().run(line).code == .usage)
  }

  @Test("--expect with --dry-run is not passed over")
  func expectDryRun() {
    let result = World.registered().run("session --dry-run --expect query.n=other")
    #expect(result.code != .ok)
  }

  @Test("Amounts that are no finite number are not options", arguments: ["-inf", "-nan", "-infinity", "-.", "-0x10"])
  func negativeAmount(amount: String) {
    #expect(
      World.registered().run("revenue \(amount) USD")
        == .usage("AMOUNT must be a finite number such as 9.99, it is \"\(amount)\"", command: "revenue"))
  }

  @Test("A mistyped key of an answer is one mistake")
  func answerKey() {
    let world = World.registered()
    #expect(
      world.run("session --answer", "{\"conversion_value\":5}")
        == .usage(
          "--answer: an answer has no key \"conversion_value\"; known: status, json, text, base64, error; a body goes "
            + "inside, as in {\"json\":{\"conversion_value\":5}}", command: "session"))
    world["a.json"] = "{\"jsn\":{}}\n"
    #expect(
      world.run("session --answer @a.json")
        == Consequences(
          .badData,
          err: """
            a.json:1:2: an answer has no key "jsn"; did you mean "json"?
              {"jsn":{}}
               ^^^^^

            """))
  }

  @Test("The outcomes of a replay stand in one column, down to milliseconds")
  func alignment() {
    let world = World()
    world["a.jsonl"] = ["0", "0.5", "0.25", "0.125"].map { #"{"op":"relaunch","at":\#($0)}"# + "\n" }
      .joined()
    let columns = world.run("replay a.jsonl").out.split(separator: "\n").prefix(4).map { line in
      line.firstRange(of: "relaunched").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(columns).count == 1, "\(columns)")
  }
}
