import SKANCommand
import Testing

/// Wrong inputs of single options, each with the answer in full.
@Suite("Wrong values of options")
struct EdgeUsageTests {
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
          + "fine-value, coarse-value, currency"
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
      ("model decode two.json --fine 3", "two.json holds 2 models, of app_id 1, 2: name one, as in two.json#APP_ID"),
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
    for line in ["session --model none.json --event-aliases-file bad", "replay list.jsonl --variables-file bad"] {
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
}
