import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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

  @Test("Neither on nor off") func neitherOnNorOff() {
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
