import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Mistakes on the command line")
struct UsageTests {
  @Test(
    "Commands",
    arguments: [
      ("registre", "there is no command \"registre\"; did you mean 'register'?"),
      ("repaly x", "there is no command \"repaly\"; did you mean 'replay'?"),
      ("Session", "there is no command \"Session\"; did you mean 'session'?"),
      ("log", "there is no command \"log\"; 'skan history' lists what happened so far, 'skan timeline' draws it"),
      ("histroy", "there is no command \"histroy\"; did you mean 'history'?"),
      ("diagnose", "there is no command \"diagnose\"; 'skan doctor' checks this machine and an app's Info.plist"),
      (
        "new",
        "there is no command \"new\"; 'skan init' writes a project to start with, 'skan install' makes a device file"
      ),
      (
        "completions bash",
        "there is no command \"completions\"; 'skan completion bash|zsh|fish' prints a shell's completions"
      ),
      ("frobnicate", "there is no command \"frobnicate\""),
      ("--state x session", "the command comes first, as in 'skan session --state'"),
      ("-v", "the command comes first, as in 'skan session -v'"),
    ])
  func commands(line: String, words: String) {
    #expect(World.registered().run(line) == .usage(words))
  }

  @Test(
    "Options",
    arguments: [
      ("session --stat x", "'skan session' has no option --stat; did you mean --state?"),
      ("session --lock-timout 1s", "'skan session' has no option --lock-timout; did you mean --lock-timeout?"),
      ("session --frobnicate", "'skan session' has no option --frobnicate"),
      ("session --stat=x", "'skan session' has no option --stat; did you mean --state?"),
      ("register --answer {}", "'skan register' has no option --answer"),
      ("details --endpoint embedded", "'skan details' has no option --endpoint"),
      ("replay --at 0 x", "'skan replay' has no option --at"),
      ("session -x", "'skan session' has no option -x"), ("session -vx", "'skan session' has no option -x"),
      ("session --state", "--state needs a value: --state FILE"), ("session --at", "--at needs a value: --at TIME"),
      ("session --json=1", "--json takes no value"), ("session -q --quiet=yes", "--quiet takes no value"),
      ("session --state a --state b", "--state is given twice"), ("session --at=0 --at 1", "--at is given twice"),
    ])
  func options(line: String, words: String) {
    #expect(World.registered().run(line) == .usage(words, command: command(line)))
  }

  @Test(
    "Arguments",
    arguments: [
      ("revenue", "'skan revenue' needs AMOUNT"), ("replay", "'skan replay' needs FILE"),
      ("session now", "one argument too many: \"now\""),
      (
        "serve npm test",
        "one argument too many: \"npm\"; a command comes behind --, as in 'skan serve -- npm test'"
      ), ("serve --", "-- needs a command, as in 'skan serve -- npm test'"),
      ("serve --once 2 -- true", "--once and a command exclude each other: both say when to stop"),
      ("revenue 5 USD EUR", "one argument too many: \"EUR\""), ("details x", "one argument too many: \"x\""),
      ("install -- --force", "one argument too many: \"--force\""),
      ("session --currency USD", "--currency belongs to --revenue AMOUNT"),
      ("event a --ad-monetization", "--ad-monetization belongs to --revenue AMOUNT"),
      ("event a --idempotency-key k", "--idempotency-key belongs to --revenue AMOUNT"),
      ("event a --revenue 5", "--revenue needs --currency CODE"),
      ("details --query --table", "--query and --table exclude each other"),
      ("details --json --table", "--table and --json exclude each other"),
    ])
  func arguments(line: String, words: String) {
    #expect(World.registered().run(line) == .usage(words, command: command(line)))
  }

  /// The first word.
  private func command(_ line: String) -> String? { line.split(separator: " ").first.map(String.init) }

  @Test(
    "An argument that is empty, and texts that are none of what is asked for",
    arguments: [
      (["receive", ""], "an argument is empty: name a file with postbacks"),
      (["import", "--check", ""], "an argument is empty: name a file of events, or - for standard input"),
      (["import", "-o", "", "events.csv"], "--output must be a file, it is \"\""),
      (["report", ""], "an argument is empty: name a file of received postbacks"),
      (
        ["report", "--group", "zzz", "x"],
        "--group: \"zzz\" is none of network, campaign, app, version, window, day, mapped-id, mapped-name, country, "
          + "fine-value, coarse-value, currency, protocol, conversion-type"
      ),
      (
        ["import", "--check", "--dedupe", "zzz", "x"],
        "--dedupe must be of tx, device, name, time, with commas between, it is \"zzz\""
      ),
      (["check", "--host", "x=zz", "x"], "--host must be NAME=singular or NAME=s2s, it is \"x=zz\""),
      (["s2s", "session", "--parameter", "=x"], "--parameter must be NAME=VALUE, or NAME alone, it is \"=x\""),
      (
        ["s2s", "session", "--parameter", "a=1"],
        "--parameter: the key is not a parameter: it comes from SKAN_SDK_KEY or --sdk-key-file"
      ),
      (
        ["s2s", "session", "--parameter", "lc=de_DE", "--parameter", "lc=fr_FR"],
        "--parameter is given twice for \"lc\""
      ),
      (["s2s", "session", "--parameter", "lc", "--parameter", "lc=x"], "--parameter is given twice for \"lc\""),
      (
        ["install", "--force", "--setting", "carry-over=no", "--setting", "carry-over=yes"],
        "--setting is given twice for \"carry-over\""
      ),
      (["revenue", "1", "USD", "--idempotency-key", ""], "--idempotency-key must not be empty"),
      (
        ["session", "--endpoint", "a b:1"],
        "--endpoint: it must be embedded, testing, production, or an http(s) URL"
      ),
      (
        ["register", "--idfv", "none"],
        "--idfv: this phone is installed already with 92DEA3FE-594B-8C7E-92DB-3DFE5948A955, not none; 'skan install "
          + "--force' installs anew and loses what the phone keeps"
      ),
    ])
  func refused(arguments: [String], message: String) {
    let world = World.registered()
    let command = arguments[0] == "s2s" ? "s2s session" : arguments[0]
    #expect(world.run("", arguments: arguments) == .usage(message, command: command))
  }

  /// Two models of apps of their own, and one without an app.
  private func models() throws -> World {
    let world = World.registered()
    let text = try Workspace.exampleModel("mixed")
    let model = { (id: String?) in
      text.replacing("\"appId\": \"1234567890\",", with: id.map { "\"appId\": \"\($0)\"," } ?? "")
    }
    world["two.json"] = "[\(model("1")),\(model("2"))]"
    world["same.json"] = "[\(model("1")),\(model("1"))]"
    world["odd.json"] = "[\(model(nil)),\(model("2"))]"
    world["none.json"] = model(nil)
    world["events.csv"] = "device,time,name\n"
    world["p.json"] = "{}"
    return world
  }

  @Test(
    "Which of several models is meant",
    arguments: [
      (
        "session --model two.json",
        "two.json holds 2 models, of app_id 1, 2: name one, as in com.example.app=two.json#APP_ID"
      ),
      (
        "session --model com.x=two.json",
        "two.json holds 2 models, of app_id 1, 2: name one, as in com.x=two.json#APP_ID"
      ),
      ("session --model two.json#3", "two.json holds 2 models, of app_id 1, 2: none has app_id 3"),
      ("session --model same.json#1", "same.json holds 2 models, of app_id 1, 1: 2 have app_id 1"),
      ("session --model none.json#2", "none.json holds 1 model, without app_id: none has app_id 2"),
      (
        "backtest --model two.json events.csv",
        "two.json holds 2 models, of app_id 1, 2: name one, as in two.json#APP_ID"
      ),
      ("model explain two.json --fine 3", "two.json holds 2 models, of app_id 1, 2: name one, as in two.json#APP_ID"),
      (
        "receiver-test --model two.json http://a.example",
        "--model: two.json holds 2 models: name one, as in two.json#APP_ID"
      ),
      (
        "receiver-test --model from=2026-01-01:none.json http://a.example",
        "--model: from=DATE is for postbacks that were received"
      ),
      (
        "receive --model odd.json p.json",
        "--model: odd.json holds 2 models, and one without an app_id: whose postbacks it decodes is not known"
      ),
      (
        "receive --model com.x=none.json p.json",
        "--model: none.json has no App Store id (app_id), and postbacks name their app by nothing else: which are of com.x "
          + "is not known; give the id, as in 525463029=none.json"
      ),
      (
        "session --model none.json --event-alias zzz=a",
        "the model has no event \"zzz\"; it has __SESSION__, purchase, tutorial_done"
      ),
    ])
  func several(line: String, message: String) throws {
    let command = line.split(separator: "--")[0].split(separator: " ").prefix { !$0.hasSuffix(".json") }
    #expect(
      try models().run(line) == .usage(message, command: command.joined(separator: " ")))
  }

  @Test("Of a postback of an app without a model the first five apps with one are named")
  func undecoded() throws {
    let world = try models()
    let models = (5...10).map { "--model \($0)=none.json" }.joined(separator: " ")
    world["p.json"] = #"{"version":"4.0","ad-network-id":"com.example","app-id":99,"transaction-id":"a"}"#
    #expect(
      world.run("receive \(models) p.json").out.contains(
        "\n  undecoded: no --model is for app 99; given: for 5, 6, 7, 8, 9, …\n"))
    world["p.json"] = #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"b"}"#
    #expect(
      world.run("receive --model 5=none.json p.json").out.contains(
        "\n  undecoded: no --model is for a postback without an app; given: for 5\n"))
  }

  @Test("Aliases and variables in a file that is not UTF-8, and a key that is too long for one")
  func files() throws {
    let world = try models()
    world["long"] = String(repeating: "k", count: 100_000)
    world.set { $0.files["bad"] = [0x61, 0xFF, 0x3D, 0x62, 0x0A] }
    for line in ["session --model none.json --event-alias @bad", "replay list.jsonl --variable @bad"] {
      world["list.jsonl"] = "{\"op\":\"register\"}\n"
      let run = world.run(line)
      #expect(run.code == .badData && run.err.hasPrefix("bad:1:1: not valid UTF-8\n"), "\(run)")
    }
    #expect(
      world.run("session --endpoint http://h --sdk-key-file long")
        == Consequences(.badData, err: "skan: long: a line of 100000 bytes is no SDK key\n"))
  }

  @Test("An alias of a variable counts before the file's, and the command line's before both")
  func aliases() throws {
    let world = try models()
    world["aliases"] = "purchase=filed\n"
    world.set { $0.variables["SKAN_EVENT_ALIAS_purchase"] = "named" }
    let found = world.run("event named --model none.json --at +1h").out
    #expect(!found.contains("for which no mapping asks"), "\(found)")
    let other = world.run("event purchase --model none.json --at +2h").out
    #expect(other.contains("purchase, for which no mapping asks"), "\(other)")
    let given = world.run("event given --model none.json --event-alias purchase=given --at +3h").out
    #expect(!given.contains("for which no mapping asks"), "\(given)")
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    let line: String
    let code: ExitCode
    let says: String

    init(_ line: String, _ code: ExitCode, _ says: String) {
      self.line = line
      self.code = code
      self.says = says
    }

    var testDescription: String { line }
  }

  private static let rows: [Row] = [
    // Names
    Row("model chek x", .usage, "did you mean 'model check'?"),
    Row("--versoin", .usage, "there is no option --versoin; did you mean --version?"),
    Row("session --expct outcome=updated", .usage, "did you mean --expect?"),
    Row("check --fail-on warnings a.log", .usage, "did you mean warning?"),
    Row("import --check --preset adjst events.csv", .usage, "did you mean adjust?"),
    Row("import --check --dedupe txx events.csv", .usage, "did you mean tx?"),
    Row("model explain model.json --coarse hgh --window 1", .usage, "did you mean high?"),
    Row("report --group netwrk received.jsonl", .usage, "did you mean network?"),
    Row("install --force --setting clok-start=x", .usage, "did you mean \"clock-start\"?"),
    Row("install --force --setting clock-start=firstlaunch", .usage, "did you mean \"first_launch\"?"),
    // Arguments
    Row("revenue ten USD", .usage, "AMOUNT must be a finite number such as 9.99, it is \"ten\""),
    Row("revenue 1e400 USD", .usage, "must be a finite number"),
    Row("model explain model.json --fine 1 --coarse low", .usage, "give one of --fine N and --coarse low|medium|high"),
    Row("backtest events.csv", .usage, "name the model: --model FILE"),
    Row("backtest --model model.json --shard 3/2 events.csv", .usage, "--shard must be K/N with K from 1 to N"),
    Row("replay --jobs 0 list.jsonl", .usage, "--jobs must be from 1 to 1000, it is 0"),
    Row("replay --label", .usage, "--label needs a value: --label GLOB"),
    Row("postbacks --tier 4", .usage, "--tier must be 0, 1, 2, 3 or all"),
    Row("serve --port 99999", .usage, "--port must be from 0 to 65535"),
    Row("import events.csv", .usage, "say where the list goes, as in -o events.jsonl"),
    // Times
    Row("session --at yesterday", .usage, "must be an ISO 8601 instant"),
    Row("session --after 2x", .usage, "a duration with a unit of ms, s, m, h or d"),
    // Who answers
    Row("session --endpoint localhost:1", .usage, "did you mean http://localhost:1?"),
    Row("session --endpoint production", .keyMissing, "production needs the SDK key"),
    Row("session --answer {\"jsn\":{}}", .usage, "an answer has no key \"jsn\"; did you mean \"json\"?"),
    Row("session --answer @nofile", .noInput, "nofile does not exist; it should hold the answer"),
    // Files
    Row("session --state none.json", .noInput, "run 'skan register' (or 'skan install') first"),
    Row("install", .cannotWrite, "--force installs the app anew and loses what it keeps"),
    Row("backtest --model none.json events.csv", .noInput, "it should hold a conversion model"),
    Row("replay --report-junit list.jsonl list.jsonl", .usage, "--report-junit would replace the list list.jsonl"),
    Row("import --preset plain events.csv -o skan-state.json", .cannotWrite, "it is a phone's device file"),
    // One file in the place of another
    Row("check list.jsonl", .badData, "this is an event list; 'skan replay' runs it"),
    Row("import --check list.jsonl", .badData, "this is an event list already"),
    Row("verify model.json", .badData, "this is a conversion model; 'skan model check model.json' checks it"),
    Row("report list.jsonl", .badData, "this is an event list; 'skan replay list.jsonl' runs it"),
    // Knowing, and projects
    Row("explain lock-leakd", .usage, "there is no code \"lock-leakd\"; did you mean lock-leaked?"),
    Row("explain 63", .usage, "'skan explain' lists them all"),
    Row("schema modle", .usage, "there is no schema \"modle\"; did you mean model?"),
    Row("help wndows", .usage, "there is no command or topic \"wndows\"; did you mean 'windows'?"),
    Row("help --json windows", .usage, "the topic windows is prose"),
    Row("why 0", .usage, "STEP must be 1: one step is kept; it is"),
    Row("completion tcsh", .usage, "SHELL must be bash, zsh or fish"),
    Row("init --vertical gmae", .usage, "did you mean game?"),
    Row("init --events a,,b", .usage, "must be names with commas between"),
    Row("doctor --endpoint localhost:1", .usage, "did you mean http://localhost:1?"),
    Row("doctor --plist none.plist", .noInput, "it should be an app's Info.plist"),
    Row("replay --annotate gitlab list.jsonl", .usage, "did you mean github?"),
    Row("replay --report-html list.jsonl list.jsonl", .usage, "--report-html would replace the list list.jsonl"),
    Row("details --color purple", .usage, "must be one of auto, always, never"),
    Row("details --state model.json", .badData, "this is a conversion model; 'skan model check model.json' checks it"),
  ]

  @Test("Row", arguments: rows)
  private func row(_ row: Row) throws {
    let world = try World.withModels()
    world.run("register --at 2026-01-01T00:00:00Z")
    world["model.json"] = world["sample.json"]
    world["list.jsonl"] = "# A list.\n{\"op\":\"session\"}\n"
    world["events.csv"] = "device,time,name\na,2026-01-01T00:00:00Z,x\n"
    world["received.jsonl"] = ""
    world["a.log"] = ""
    let before = world["skan-state.json"]
    let run = world.run(row.line)
    #expect(run.code == row.code, "\(run)")
    #expect((run.err + run.out).contains(row.says), "\(run)")
    #expect(world["skan-state.json"] == before)
  }
}
