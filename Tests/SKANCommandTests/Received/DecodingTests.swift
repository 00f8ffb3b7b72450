import SKANCommand
import SKANReceive
import Testing

@testable import SKANCommandLine

@Suite("receive and verify with --model", .enabled(if: World.canCheckSignatures))
struct DecodingTests {
  private static func model(_ app: String?, _ event: String) -> String {
    #"{\#(app.map { #""app_id":"\#($0)","# } ?? "")"fine_grained_conversion_value_mappings":[{"#
      + #""fine_grained_conversion_value":12,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"\#(event)"}]}}]}"#
  }

  private static func world() throws -> World {
    let world = try World.withPostbacks()
    world["own.json"] = model("525463029", "own")
    world["other.json"] = model("77", "other")
    world["plain.json"] = model(nil, "plain")
    world["bundle.json"] = model("com.example.app", "bundle")
    world["several.json"] = "[\(model("525463029", "own")),\(model("77", "other"))]"
    return world
  }

  @Test(
    "Which model decodes a postback of app 525463029, received at 2026-06-01T12:00:00Z",
    arguments: [
      ("--model plain.json", "decoded: fine 12: plain at least once [plain.json]"),
      ("--model own.json", "decoded: fine 12: own at least once [own.json]"),
      ("--model other.json", "undecoded: no --model is for app 525463029; given: for 77\n"),
      ("--model other.json --model plain.json", "decoded: fine 12: plain at least once [plain.json]"),
      ("--model plain.json --model own.json", "decoded: fine 12: own at least once [own.json]"),
      ("--model several.json", "decoded: fine 12: own at least once [several.json]"),
      ("--model several.json#77", "undecoded: no --model is for app 525463029"),
      ("--model com.example.app=own.json", "decoded: fine 12: own at least once [own.json]"),
      ("--model id525463029=plain.json", "decoded: fine 12: plain at least once [plain.json]"),
      ("--model 525463029=several.json", "decoded: fine 12: own at least once [several.json]"),
      (
        "--model own.json --model 525463029=from=2026-05-31:plain.json",
        "decoded: fine 12: plain at least once [plain.json]"
      ),
      (
        "--model own.json --model 525463029=from=2026-06-01:plain.json",
        "decoded: fine 12: own at least once [own.json]"
      ),
      (
        "--model from=2026-05-30T23:59:60Z:own.json",
        "--model must be [APP=]from=DATE:FILE, with a date of UTC such as 2026-05-01 or an instant such as "
      ),
      (
        "--model from=2026-05-31T00:00:00Z:own.json --model from=2026-05-31T00:00:01Z:own.json",
        "decoded: fine 12: own at least once [own.json]"
      ),
      (
        "--model from=2026-06-01:own.json",
        "undecoded: fine 12: it was prepared about 2026-05-31T00:00:00Z, and no model is valid before "
          + "2026-06-01T00:00:00Z [own.json]"
      ),
    ])
  func choice(options: String, line: String) throws {
    let world = try Self.world()
    for command in ["receive 1.json --key public.pem", "verify 1.json --key public.pem"] {
      let run = world.run("\(command) \(options)")
      #expect((run.out + run.err).contains(line), "\(run.out)\(run.err)")
      #expect((run.code == .usage) == line.hasPrefix("--model"))
    }
  }

  @Test(
    "What cannot be",
    arguments: [
      (
        "--model own.json --model com.example.app=own.json",
        "skan: --model: own.json and own.json are both for app 525463029; say from when one of them is valid, as in "
          + "525463029=from=2026-05-01:own.json"
      ),
      (
        "--model plain.json --model plain.json",
        "skan: --model: plain.json and plain.json are both for every other app; say from when one of them is valid, as "
          + "in from=2026-05-01:plain.json"
      ),
      (
        "--model from=2026-05-01:own.json --model 525463029=from=2026-05-01T00:00:00Z:plain.json",
        "skan: --model: own.json and plain.json are both for app 525463029 from 2026-05-01T00:00:00Z on"
      ),
      (
        "--model com.example.app=plain.json",
        "skan: --model: plain.json has no App Store id (app_id), and postbacks name their app by nothing else: which are "
          + "of com.example.app is not known; give the id, as in 525463029=plain.json"
      ),
      (
        "--model bundle.json",
        "skan: --model: the app_id of bundle.json is com.example.app, and postbacks name their app by its App Store id; "
          + "give it, as in 525463029=bundle.json"
      ),
      (
        "--model from=yesterday:own.json",
        "skan: --model must be [APP=]from=DATE:FILE, with a date of UTC such as 2026-05-01 or an instant such as "
          + "2026-05-01T09:00:00Z, it is \"from=yesterday:own.json\""
      ),
      ("--model from=2026-05-01:", "skan: --model must be [APP=]from=DATE:FILE"),
      ("--model from=own.json", "skan: --model must be [APP=]from=DATE:FILE"),
      (
        "--model 5=form=2026-05-01:own.json",
        "=][from=DATE:]FILE, it is \"5=form=2026-05-01:own.json\"; did you mean from=?"
      ),
      ("--model form=2026-05-01:own.json", "; did you mean from=?"),
      ("--model none.json", "skan: none.json does not exist; it should hold a conversion model"),
    ])
  func mistakes(options: String, message: String) throws {
    let world = try Self.world()
    for command in ["receive 1.json", "verify 1.json"] {
      let run = world.run("\(command) \(options)")
      #expect(run.err.contains(message), "\(run.err)")
      #expect(run.code == (options.contains("none") ? .noInput : .usage) && run.out.isEmpty)
    }
    #expect(world["received.jsonl"] == nil)
  }

  @Test("A model of one app for another is said, and used")
  func foreign() throws {
    let world = try Self.world()
    let run = world.run("verify 1.json --key public.pem --model 525463029=other.json")
    #expect(run.err == "skan: --model: other.json decodes app 525463029, and says that it is of app 77\n")
    #expect(run.out.contains("\n  decoded: fine 12: other at least once [other.json]\n"))
  }

  @Test("The record has it, the last line counts it, and verify --json prints it")
  func results() throws {
    let world = try Self.world()
    world["foreign.json"] = #"{"version":"3.0","app-id":5,"conversion-value":1}"#
    let run = world.run("receive 1.json 2.json 4.json foreign.json --model 525463029=plain.json --key public.pem")
    #expect(
      run.out.hasSuffix(
        "0 in conflict; 1 decoded, 1 undecoded, 1 without a value, 1 of apps without a model\n"), "\(run.out)")
    #expect(run.out.contains("\n  decoded: it has no value [plain.json]\n"))
    let lines = (world["received.jsonl"] ?? "").split(separator: "\n")
    #expect(
      lines.first?.contains(
        #""decoded":{"model":"plain.json","window":0,"value":"fine 12","meaning":"plain at least once","min_hours":null,"#
          + #""max_hours":null,"events":[{"event":"plain","#) == true)
    #expect(lines.last?.contains(#""decoded":null"#) == true)
    let json = world.run("verify 1.json --key public.pem --model plain.json --json").out
    #expect(json.contains(#""decoded":{"events":[{"count_max":null,"#) && json.contains(#""value":"fine 12""#))
    #expect(world.run("verify 1.json --key public.pem --model other.json --json").out.contains(#""decoded":null"#))
    #expect(!world.run("verify 1.json --key public.pem --json").out.contains("decoded"))
    let total = world.run("receive 1.json --key public.pem --model plain.json --json").out
    #expect(total.contains(#""decoded":1,"duplicates":1,"#))
  }

  @Test("--received-at says when they came")
  func receivedAt() throws {
    let world = try Self.world()
    let models = "--model own.json --model 525463029=from=2026-05-01:plain.json --key public.pem"
    #expect(world.run("verify 1.json \(models) --received-at 2026-05-02T11:59:59Z").out.contains("[own.json]"))
    #expect(world.run("verify 1.json \(models) --received-at 2026-05-02T12:00:00Z").out.contains("[plain.json]"))
    #expect(world.run("receive 1.json \(models) --received-at 1777000000").out.contains("[own.json]"))
    #expect(world["received.jsonl"]?.hasPrefix(#"{"received_at":"2026-04-24T03:06:40Z","#) == true)
    let alone = world.run("verify 1.json --received-at 2026-05-02T12:00:00Z")
    #expect(alone.code == .usage && alone.err.hasPrefix("skan: --received-at belongs to --model\n"))
    let bad = world.run("receive 1.json --received-at 2026-05-02")
    #expect(bad.code == .usage && bad.err.contains("a time zone is missing: 2026-05-02T00:00:00Z is UTC"))
  }

  @Test("Elsewhere a model answers, and has no date")
  func answering() throws {
    let world = try Self.world()
    for command in ["session", "serve"] {
      let run = world.run("\(command) --model from=2026-05-01:own.json")
      #expect(
        run.err.hasPrefix(
          "skan: --model: from=DATE says which postbacks a model decodes, with 'skan serve --postbacks', 'skan receive' "
            + "and 'skan verify'; here one model answers\n"))
      #expect(run.code == .usage)
    }
    let early = world.run("serve --postbacks r.jsonl --model com.a=own.json --model from=2026-07-01:other.json")
    #expect(
      early.err.hasPrefix(
        "skan: --model: other.json is valid from 2026-07-01T00:00:00Z on, and until then no model answers phones: give "
          + "the one before it, too\n"))
    let nameless = world.run("serve --postbacks r.jsonl --model com.example.app=plain.json")
    #expect(nameless.code == .usage && nameless.err.contains("plain.json has no App Store id (app_id)"))
  }
}
