import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@Suite("The project file")
struct ProjectFileTests {
  /// A registered phone in a working directory with a project file.
  private func world(_ project: String, at path: String = "skan.json") -> World {
    let world = World.registered("--ios 16.0")
    world.set { $0.projectFolders = ["", "../", "../../"] }
    world[path] = project
    return world
  }

  @Test("It stands for options, after the command line and the environment")
  func precedence() {
    let world = world(
      #"{"options":{"max-time":"x"},"commands":{"session":{"expect":"outcome=blocked"},"update":{"ios":"16.4"}}}"#)
    #expect(world.run("session --max-time 1s").err.contains("\"blocked\""))
    #expect(world.run("session --max-time 1s --expect outcome=crashed").err.contains("\"crashed\""))
    #expect(world.run("session").code == .badData)
    world.set { $0.variables["SKAN_MAX_TIME"] = "1s" }
    #expect(world.run("session").err.contains("\"blocked\""))
    // The device file comes after it.
    #expect(world.run("update --expect outcome=set").changes.contains("profile.ios: \"16.0\" → \"16.4\""))
  }

  @Test("Flags, numbers, lists and JSON values; what one command says counts more")
  func values() {
    let world = world(
      """
      {"$schema":"https://example.com/skan.schema.json",
       "options":{"json":true,"strict":false,"seed":7},
       "commands":{"session":{"json":false,"expect":["outcome=blocked","window=2"],"answer":{"json":{"conversion_value":3}}},
                   "update":{"ios":"17.0"}}}
      """)
    let session = world.run("session")
    #expect(session.out.hasPrefix("updated") && session.out.contains("0 → 3"), "\(session)")
    #expect(session.err.contains("\"blocked\"") && session.err.contains("window"))
    #expect(world.run("event a").out.hasPrefix("{"))
    #expect(world.run("update --expect outcome=set").changes.contains("profile.ios: \"16.0\" → \"17.0\""))
  }

  @Test("Found upwards, and by SKAN_PROJECT; its paths begin at its folder")
  func places() {
    let world = world(#"{"commands":{"session":{"answer":"@answers/a.json"}}}"#, at: "../../skan.json")
    world["../../answers/a.json"] = #"{"json":{"conversion_value":9}}"#
    #expect(world.run("session").out.contains("0 → 9"))
    world["skan.json"] = "{}"
    #expect(world.run("session").code == .ok && !world.output.contains("→ 9"))
    world["other/p.json"] = #"{"commands":{"session":{"answer":"@a.json"}}}"#
    world["other/a.json"] = #"{"json":{"conversion_value":8}}"#
    world.set { $0.variables["SKAN_PROJECT"] = "other/p.json" }
    #expect(world.run("session").out.contains("→ 8"))
    world.set { $0.variables["SKAN_PROJECT"] = "none" }
    world["skan.json"] = "broken"
    #expect(world.run("details").code == .ok)
    world.set { $0.variables["SKAN_PROJECT"] = "gone.json" }
    #expect(
      world.run("details").err
        == "skan: gone.json does not exist; SKAN_PROJECT names a project file, or 'none'\n")
  }

  @Test("Model, rates and endpoint: of an endpoint and a model the one counts that is nearer to the command line")
  func answerers() {
    let world = world(#"{"model":"m.json","rates":"r.json","endpoint":"http://localhost"}"#, at: "../skan.json")
    world["../m.json"] = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":21}]}"#
    world["../r.json"] = "{}"
    world["n.json"] = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":22}]}"#
    world.answer(#"{"conversion_value":23,"status":"ok"}"#)
    func answerer(_ line: String) -> String {
      let out = world.run("\(line) --json").out
      return out.firstMatch(of: /"answered_by":"([^"]*)"/).map { String($0.1) } ?? out
    }
    #expect(answerer("session") == "http://localhost")
    #expect(answerer("session --endpoint embedded").hasSuffix("../m.json"))
    #expect(answerer("session --model n.json").hasSuffix("n.json"))
    world["../skan.json"] = #"{"model":"m.json","rates":"r.json"}"#
    #expect(answerer("session").hasSuffix("../m.json"))
    #expect(answerer("session --endpoint http://localhost") == "http://localhost")
    world["../skan.json"] = #"{"rates":"r.json"}"#
    #expect(world.run("session").code == .ok)
  }

  @Test("Host names are those of check")
  func hosts() {
    let world = world(#"{"hosts":{"proxy.example":"singulr"}}"#)
    world["a.har"] = "{}"
    #expect(
      world.run("check a.har").err
        == """
        skan.json:1:10: hosts must be NAME=singular or NAME=s2s, it is "proxy.example=singulr"; did you mean singular?
          {"hosts":{"proxy.example":"singulr"}}
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
  }

  @Test(
    "What is wrong, with its place",
    arguments: [
      (#"{"endpont":"x"}"#, "1:2", #"there is no key "endpont" in a project file; did you mean "endpoint"?"#),
      (#"{"max-time":"2s"}"#, "1:2", #"there is no key "max-time" in a project file; an option belongs in "options""#),
      (#"{"options":{"max-tme":"2s"}}"#, "1:13", #"there is no option "max-tme"; did you mean "max-time"?"#),
      (#"{"options":{"endpoint":"testing"}}"#, "1:13", #"endpoint belongs beside "options", not in it"#),
      (#"{"options":{"help":true}}"#, "1:13", "help is for a command line only"),
      (#"{"options":{"version":true}}"#, "1:13", "version is for a command line only"),
      (#"{"options":{"zzzzzz":1}}"#, "1:13", #"there is no option "zzzzzz""#),
      (#"{"hosts":["a"]}"#, "1:10", "hosts must be an object of names and roles, this is an array"),
      (#"{"jobs":2}"#, "1:2", #"there is no key "jobs" in a project file; an option belongs in "commands""#),
      (
        #"{"options":{"jobs":2}}"#, "1:13",
        #"jobs is given for one command at a time, as in {"commands":{"replay":{"jobs""#
      ),
      (
        #"{"options":{"force":true}}"#, "1:13",
        #"force is given for one command at a time, as in {"commands":{"install":"#
      ),
      (
        #"{"commands":{"session":{"expect":[true]}}}"#, "1:34",
        "expect must be a text, or a list of texts, this is an array"
      ),
      (#"{"options":{"color":"never"}}"#, "1:13", "colors are a matter of the terminal: --color or SKAN_COLOR"),
      (#"{"options":[]}"#, "1:12", "options must be an object, this is an array"),
      (#"{"options":{"json":"yes"}}"#, "1:20", #"json must be true or false, this is "yes""#),
      (#"{"options":{"max-time":true}}"#, "1:24", "max-time must be one text or number, this is true"),
      (#"{"options":{"max-time":["1s"]}}"#, "1:24", "max-time must be one text or number, this is an array"),
      (#"{"options":{"max-time":"soon"}}"#, "1:24", #"max-time must be a duration"#),
      (#"{"options":{"event-alias":"a=b"}}"#, "1:13", "event-alias is given for one command at a time"),
      (#"{"commands":{"sesion":{}}}"#, "1:14", #"there is no command "sesion"; did you mean "session"?"#),
      (
        #"{"commands":{"session":{"expct":1}}}"#, "1:25",
        #"'skan session' has no option "expct"; did you mean "expect"?"#
      ), (#"{"endpoint":"localhost:80"}"#, "1:13", "did you mean http://localhost:80?"),
      (#"{"endpoint":5}"#, "1:13", "it must be embedded, testing, production"),
      (#"{"hosts":{"a":1}}"#, "1:15", #"a must be "singular" or "s2s""#),
      (#"{"$schema":1}"#, "1:12", "$schema must be the address of a schema, this is 1"),
      ("[]", "1:1", "must be an object"),
      ("{", "1:2", "not JSON"), ("", "1:1", "not JSON"),
      (#"{"endpoint":"testing","endpoint":"testing"}"#, "1:23", "twice"),
    ])
  func problems(text: String, place: String, message: String) {
    let world = world(text)
    let result = world.run("session")
    #expect(result.code == .badData && result.changes == [], "\(result)")
    #expect(result.err.hasPrefix("skan.json:\(place): ") && result.err.contains(message), "\(result)")
  }

  @Test("All that is wrong is reported at once")
  func several() {
    let err = world("{\"a\":1,\n\"options\":{\"b\":2}}").run("session").err
    #expect(err.contains("skan.json:1:2: ") && err.contains("skan.json:2:12: "))
  }

  @Test(
    "No secret may stand in it, and none is shown",
    arguments: [
      #"{"sdk-key":"K3Y-SECRET"}"#, #"{"SDK_KEY":"K3Y-SECRET"}"#, #"{"sdkKey":"K3Y-SECRET"}"#,
      #"{"options":{"sdk-key":"K3Y-SECRET"}}"#, #"{"options":{"sdk-key-file":"K3Y-SECRET"}}"#,
      #"{"commands":{"session":{"sdk-key-file":"K3Y-SECRET"}}}"#, #"{"SKAN_SDK_KEY":"K3Y-SECRET"}"#,
      #"{"apiKey":"K3Y-SECRET"}"#,
    ], [true, false])
  func secrets(text: String, isSet: Bool) {
    let world = world(text)
    if isSet { world.set { $0.variables["SKAN_SDK_KEY"] = "K3Y-SECRET" } }
    let result = world.run("session")
    #expect(result.code == .badData && !result.err.contains("K3Y-SECRET"), "\(result)")
    #expect(result.err.contains("so the SDK key must not be in it: set SKAN_SDK_KEY, or give --sdk-key-file"))
  }

  @Test("A value that is the SDK key of the environment, wherever it stands")
  func keyAsValue() {
    for text in [
      #"{"endpoint":"http://x/?a=K3Y-SECRET"}"#, #"{"options":{"idfv":"K3Y-SECRET"}}"#,
      #"{"commands":{"session":{"expect":["a=K3Y-SECRET"]}}}"#, #"{"hosts":{"K3Y-SECRET":"s2s"}}"#,
    ] {
      let world = world(text)
      world.set { $0.variables["SKAN_SDK_KEY"] = "K3Y-SECRET" }
      let result = world.run("session")
      #expect(result.code == .badData && !result.err.contains("K3Y-SECRET"), "\(result)")
      #expect(result.err.contains("must not be in it"))
    }
  }

  @Test("An option of the command line does not exclude what the project says of another form")
  func forms() {
    let world = world(#"{"options":{"json":true},"commands":{"session":{"after":"2h"}}}"#)
    #expect(world.run("details --table").code == .ok)
    #expect(world.run("session --at +1h").code == .ok)
  }

  @Test("Help, the version and commands without variables do not read it")
  func unread() {
    let world = world("broken")
    for line in ["help", "session --help", "session --version", "--help"] {
      #expect(world.run(line).code == .ok, "\(line)")
    }
  }
}

@Suite("Values of the project file and of variables, as doctor and config judge them")
struct SettingValueTests {
  private func world(_ project: String? = nil, _ variables: [String: String] = [:]) -> World {
    let world = World.registered()
    world.set {
      $0.signatures = .platform()
      $0.projectFolders = [""]
      $0.variables = variables
    }
    world["skan.json"] = project
    return world
  }

  /// The message of a command that fails, as doctor has it.
  private func message(_ run: Consequences) -> String {
    let line = String(run.err.split(separator: "\n").first ?? "")
    return line.hasPrefix("skan: ") ? String(line.dropFirst(6)) : line
  }

  private func finding(_ check: String, _ status: String, _ message: String) -> String {
    JSONWriter.text(
      .object([
        ("check", .string(check)), ("status", .string(status)), ("message", .string(message)),
        ("evidence", .string("ours")),
      ]))
  }

  @Test(
    "A value of the project file is wrong in the words of the command",
    arguments: [
      (#"{"endpoint":"foo"}"#, "session", #"skan.json:1:13: endpoint "foo": it must be embedded"#),
      (#"{"hosts":{"a":"sngular"}}"#, "check x", "skan.json:1:10: hosts must be NAME=singular or NAME=s2s"),
      (#"{"commands":{"replay":{"jobs":1.5}}}"#, "replay x", "skan.json:1:31: jobs must be a whole number"),
      (#"{"options":{"max-time":"5"}}"#, "session", "skan.json:1:24: max-time must be a duration"),
      (#"{"commands":{"session":{"took":"x"}}}"#, "session", "skan.json:1:32: took must be seconds"),
      (
        #"{"options":{"setting":["carry-over=no","carry-over=yes"]}}"#, "install --force",
        #"skan.json:1:23: setting is given twice for "carry-over""#
      ),
    ])
  func project(text: String, line: String, words: String) {
    let world = world(text)
    let run = world.run(line)
    #expect(run.code == .badData && run.err.hasPrefix(words), "\(run)")
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .expectationFailed, "\(doctor)")
    #expect(doctor.out.contains(finding("project file", "wrong", message(run))), "\(doctor)")
    #expect(!doctor.out.contains("well formed"))
    #expect(world.run("config -- \(line)") == run)
  }

  @Test("Every wrong value of a project file has its finding, in the order of the file")
  func several() {
    let doctor = world(#"{"options":{"ios":"x","max-time":"5"},"endpoint":"foo"}"#).run("doctor").out
    let lines = doctor.split(separator: "\n").filter { $0.hasPrefix("wrong") }
    #expect(lines.map { $0.split(separator: ":")[2] } == ["19", "34", "50"], "\(doctor)")
  }

  @Test(
    "So is the value of a variable",
    arguments: [
      ("SKAN_STRICT", "5", "session", #"SKAN_STRICT must be 1 or 0, it is "5""#),
      ("SKAN_MAX_TIME", "x", "session", "SKAN_MAX_TIME must be a duration"),
      ("SKAN_IOS", "seventeen", "install --force", "SKAN_IOS must be a version of iOS"),
    ])
  func variable(name: String, value: String, line: String, words: String) {
    let world = world(nil, [name: value])
    let run = world.run(line)
    #expect(run.code == .usage && message(run).hasPrefix(words), "\(run)")
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .expectationFailed && doctor.out.contains(finding("variables", "wrong", message(run))))
    #expect(doctor.out.contains(finding("variables", "note", "set: \(name)")), "\(doctor)")
    for line in ["config", "config -- \(line)"] {
      let config = world.run(line)
      #expect(config.code == .usage && message(config) == message(run) && config.out == "", "\(config)")
    }
  }

  @Test("An option that commands read differently is neither a variable nor an option of all")
  func mixed() {
    let variable = world(nil, ["SKAN_HOST": "0.0.0.0"])
    let doctor = variable.run("doctor --json")
    let words =
      "the variable SKAN_HOST is not read: write 'skan serve --host ADDRESS', or \"host\" of \"serve\" in \"commands\" of "
      + "skan.json"
    #expect(doctor.code == .expectationFailed && doctor.out.contains(finding("variables", "wrong", words)), "\(doctor)")
    #expect(message(variable.run("config")) == words && message(variable.run("serve")) == words)
    #expect(message(variable.run("check x")).contains("write 'skan check --host NAME=ROLE'"))
    let project = world(#"{"commands":{"serve":{"host":"0.0.0.0"},"check":{"host":"a=s2s"}}}"#)
    let other = project.run("doctor --json")
    #expect(other.code == .ok && other.out.contains("skan.json is well formed"), "\(other)")
    #expect(project.run("config").code == .ok)
  }

  @Test("What a command would read from standard input is not evaluated, and not read")
  func input() {
    let world = world(#"{"commands":{"session":{"answer":"@-"}}}"#, ["SKAN_AD": "@-"])
    let doctor = world.run("doctor --json")
    let words = "not evaluated, because @- is standard input, which can be read only once"
    #expect(doctor.code == .ok, "\(doctor)")
    #expect(doctor.out.contains(finding("project file", "note", "skan.json:1:34: \(words)")), "\(doctor)")
    #expect(doctor.out.contains(finding("variables", "note", "SKAN_AD: \(words)")), "\(doctor)")
    #expect(!doctor.out.contains("well formed") && world.run("config -- session").out.contains("@-"))
  }

  @Test("Right values are well formed")
  func well() {
    let text = #"{"endpoint":"testing","hosts":{"a":"s2s"},"options":{"seed":2,"strict":true,"max-time":"5s"}}"#
    let world = world(text, ["SKAN_STRICT": "0", "SKAN_SNIPPET": "skan3"])
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .ok && doctor.out.contains("skan.json is well formed"), "\(doctor)")
    #expect(doctor.out.contains(finding("variables", "note", "set: SKAN_SNIPPET, SKAN_STRICT")))
    #expect(world.run("config").code == .ok)
  }

  @Test("A wrong value of a command line ends config, too")
  func commandLine() {
    let run = World().run("config -- session --at tomorrow")
    #expect(run.code == .usage && run.out == "", "\(run)")
    #expect(run.err.hasPrefix("skan: --at must be an ISO 8601 instant"), "\(run)")
  }
}

@Suite("config")
struct ConfigCommandTests {
  private func world() -> World {
    let world = World.registered("--ios 16.0")
    world.set {
      $0.projectFolders = ["", "../"]
      $0.variables = ["SKAN_SDK_KEY": "K3Y-SECRET", "SKAN_CLOCK": "production"]
    }
    world["../skan.json"] =
      "{\"endpoint\":\"http://localhost\",\n \"options\":{\"json\":true},\"commands\":{\"update\":{\"expect\":[\"at=b\",\"at=c\"]}}}"
    return world
  }

  /// The settings by their names: value, source and where it stands.
  private func settings(_ world: World, _ line: String) throws -> [String: String] {
    let result = world.run("config --json \(line)")
    try #require(result.code == .ok, "\(result)")
    let object = try JSONReader.read(Array(result.out.utf8)).value
    guard case .array(let items)? = object["settings"] else { return [:] }
    return items.reduce(into: [:]) { settings, item in
      guard case .string(let name)? = item["name"] else { return }
      settings[name] = ["value", "source", "from"].map { JSONWriter.text(item[$0] ?? .null) }.joined(separator: " ")
    }
  }

  @Test("Each kind of source, for a command line")
  func commandLine() throws {
    let settings = try settings(world(), "-- update --ios=17.0 --after 2h")
    #expect(settings["ios"] == #""17.0" "option" "--ios""#)
    #expect(settings["app-version"] == #""1.0" "device" "skan-state.json""#)
    #expect(settings["json"] == #"true "project" "../skan.json:2:20""#)
    #expect(settings["expect"] == #"["at=b","at=c"] "project" "../skan.json:2:57""#)
    #expect(settings["lock-timeout"] == #""30s" "default" null"#)
    #expect(settings["quiet"] == #"false "default" null"#)
    #expect(settings["endpoint"] == nil)
    #expect(settings["SDK key"] == #""set, not shown" "environment" "SKAN_SDK_KEY""#)
  }

  @Test("A phone without an IDFV, and a machine where nothing is set")
  func nothing() throws {
    let world = World()
    #expect(world.run("config -- install").out.hasPrefix("project file: none\n\nsnippet "))
    world.run("install --idfv none")
    #expect(try settings(world, "")["idfv"] == #""none" "device" "skan-state.json""#)
  }

  @Test("Without a command line: every option that has a variable")
  func all() throws {
    let settings = try settings(world(), "")
    #expect(settings["endpoint"] == #""http://localhost" "project" "../skan.json:1:13""#)
    #expect(settings["clock"] == #""production" "environment" "SKAN_CLOCK""#)
    #expect(settings["ios"] == #""16.0" "device" "skan-state.json""#)
    #expect(settings["max-time"] == #""10s" "default" null"#)
    #expect(settings["port"] == nil)
    #expect(settings["help"] == nil)
  }

  @Test("As text: what is given, and then the defaults")
  func text() {
    let lines = world().run("config -- details").out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "project file: ../skan.json" && lines[1] == "")
    let groups = lines.dropFirst(2).split(separator: "")
    #expect(groups.count == 2)
    #expect(groups[0].allSatisfy { !$0.hasSuffix("default") } && groups[1].allSatisfy { $0.hasSuffix("  default") })
    #expect(groups[0].contains { $0.hasPrefix("SDK key") && $0.hasSuffix("environment: SKAN_SDK_KEY") })
  }

  @Test("Neither a key nor what holds it is shown", arguments: ["config", "config --json"])
  func secret(line: String) {
    let world = world()
    world.set {
      $0.variables["SKAN_IDFV"] = "xK3Y-SECRETx"
      $0.variables["SKAN_ENDPOINT"] = "https://example.com/K3Y-SECRET/"
    }
    let output = world.run(line).out
    #expect(!output.contains("K3Y-SECRET") && output.contains("https://example.com/REDACTED/"), "\(output)")
  }

  @Test(
    "Wrong command lines",
    arguments: [
      ("config --", "-- needs a command, as in 'skan config -- replay --max-time 2s lists/'"),
      ("config -- session --max-tme 2s", "'skan session' has no option --max-tme; did you mean --max-time?"),
    ])
  func usage(line: String, message: String) {
    let result = world().run(line)
    #expect(result.code == .usage && result.err.contains(message), "\(result)")
  }

  @Test("A broken project file, device file or variable is an error here as elsewhere")
  func broken() {
    let world = world()
    world["../skan.json"] = "{\"x\":1}"
    #expect(world.run("config").code == .badData)
    world["../skan.json"] = "{}"
    world.set { $0.variables["SKAN_STRIC"] = "x" }
    #expect(world.run("config").err.contains("did you mean SKAN_STRICT?"))
    world.set { $0.variables = [:] }
    world["skan-state.json"] = "broken"
    #expect(world.run("config").code == .badData)
  }
}

@Suite("The project file of the executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ProjectExecutableTests {
  @Test("It is found upwards from the working directory, the nearest first")
  func upwards() throws {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("a/b/c"), withIntermediateDirectories: true)
    try workspace.write("a/skan.json", #"{"model":"m.json","options":{"state":"phone.json"}}"#)
    try workspace.write("skan.json", "broken")
    let model = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":17}]}"#
    try workspace.write("a/m.json", model)
    let run = try workspace.shell(
      "unset SKAN_PROJECT; cd a/b/c && $SKAN register --at 2026-01-01T00:00:00Z && $SKAN session --after 1h && $SKAN config"
    )
    #expect(run.code == 0 && run.out.contains("0 → 17"), "\(run)")
    #expect(run.out.contains("project file: ../../../skan.json") == false)
    #expect(run.out.contains("project file: ../../skan.json"), "\(run)")
    #expect(workspace["a/phone.json"] != nil && workspace["a/b/c/skan-state.json"] == nil)
    let above = try workspace.shell("unset SKAN_PROJECT; $SKAN details")
    #expect(above.code == 65 && above.err.hasPrefix("skan.json:1:1: "), "\(above)")
  }

  @Test("A command of serve takes the server before the project's model")
  func serve() throws {
    let workspace = try Workspace()
    try workspace.write("skan.json", #"{"model":"m.json"}"#)
    let model = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":17}]}"#
    try workspace.write("m.json", model)
    let run = try workspace.shell(
      "unset SKAN_PROJECT; $SKAN register --at 2026-01-01T00:00:00Z; $SKAN serve -q -- $SKAN session --after 1h --json")
    #expect(run.code == 0 && run.out.contains(#""answered_by":"http://127.0.0.1"#), "\(run)")
  }
}
