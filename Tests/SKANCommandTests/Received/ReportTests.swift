import SKANCommand
import SKANReceive
import Testing

@testable import SKANCommandLine

@Suite("report", .enabled(if: World.canCheckSignatures))
struct ReportTests {
  /// A world with 15 postbacks that were received, a forged value and an altered field.
  private func received() throws -> World {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    world["forged.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    world["broken.json"] = original.replacing("\"5239\"", with: "\"5238\"")
    world.run("receive apple.jsonl simulated.jsonl forged.json broken.json 1.json --key public.pem")
    return world
  }

  @Test("Keys are apart, and what does not count stands beside")
  func text() throws {
    let world = try received()
    let run = world.run("report received.jsonl")
    #expect(run.code == .ok && run.err.isEmpty && run.changes.isEmpty)
    let parts = run.out.components(separatedBy: "\n\n")
    #expect(parts[0] == "18 postbacks received at 2026-06-01T12:00:00Z")
    #expect(parts[1].hasPrefix("Apple's postbacks\n  app 525463029\n"))
    #expect(run.out.contains("\n  total                                    2            2   5   0   0     0.0 %\n"))
    #expect(run.out.contains("\n  not counted: 1 duplicate, 1 in conflict with the first copy\n"))
    #expect(run.out.contains("\n  fine value  postbacks\n          12          5  ########"))
    #expect(!run.out.contains("\n          63          1  ####################\n          63"))
    #expect(
      run.out.hasSuffix(
        "\n  network com.example, campaign 5238, app 525463029\n  invalid  not checked\n        1            0\n"))
    #expect(run.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("Two files are one report, in any order, and a torn last line does not count")
  func files() throws {
    let world = try received()
    let whole = world["received.jsonl"] ?? ""
    let lines = whole.split(separator: "\n").map { "\($0)\n" }
    world["a.jsonl"] = lines[..<7].joined() + "{\"received_at\":\"20"
    world["b.jsonl"] = lines[7...].reversed().joined()
    for form in ["", "--json", "--csv"] {
      let expected = world.run("report received.jsonl \(form)").out
      let run = world.run("report b.jsonl a.jsonl \(form)")
      #expect(run.out == expected && run.code == .ok)
      #expect(run.err == "skan: a.jsonl: the last line broke off and does not count (18 bytes)\n")
    }
    world.set { $0.input = whole }
    #expect(world.run("report - --csv").out == world.run("report received.jsonl --csv").out)
    world["empty.jsonl"] = ""
    #expect(world.run("report empty.jsonl").out == "0 postbacks received\n")
    #expect(world.run("report empty.jsonl --csv").out.split(separator: "\n").count == 1)
  }

  @Test("Of many groups that nothing vouches for, twenty are shown")
  func unverified() throws {
    let world = try received()
    let line = (world["received.jsonl"] ?? "").split(separator: "\n").first { $0.contains("\"invalid\"") } ?? ""
    world["forged.jsonl"] = (10..<35).map { "\(line.replacing("com.example", with: "n\($0).example"))\n" }.joined()
    let run = world.run("report forged.jsonl")
    #expect(run.out.contains("\n  n29.example        1            0\n  total             25            0\n"))
    #expect(!run.out.contains("n30.example") && run.out.hasSuffix("\n  and 5 more groups\n"))
    #expect(world.run("report forged.jsonl --csv").out.contains("n34.example"))
  }

  @Test("The page goes to a file or to standard output, alone or beside another form")
  func page() throws {
    let world = try received()
    let run = world.run("report received.jsonl --html out.html")
    let page = world["out.html"] ?? ""
    #expect(run.code == .ok && run.out.isEmpty && page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
    #expect(world.run("report received.jsonl --html -").out == page)
    #expect(world.run("report received.jsonl --html out.html --json").out.hasPrefix("{\"apple\":{"))
    #expect(!page.contains("<script") && !page.contains("http") && page.contains("prefers-color-scheme:dark"))
  }

  @Test(
    "What is wrong with the command line",
    arguments: [
      ("report", "'skan report' needs FILE"),
      ("report received.jsonl received.jsonl", "received.jsonl is named twice"),
      ("report received.jsonl --group network,capaign", "\"capaign\" is none of network,"),
      ("report received.jsonl --group network,capaign", "; did you mean campaign?"),
      ("report received.jsonl --group app,app", "--group names app twice"),
      ("report received.jsonl --by install-date", "must be one of postback-date, estimated-install-date"),
      ("report received.jsonl --by postback-date --group app", "--by is about days: add day to --group"),
      ("report received.jsonl --json --csv", "--json and --csv exclude each other"),
      ("report received.jsonl --csv --html -", "--html - and --csv both go to standard output"),
      ("report received.jsonl --html received.jsonl", "--html would replace received.jsonl"),
    ])
  func usage(line: String, says: String) throws {
    let run = try received().run(line)
    #expect(run.code == .usage && run.err.contains(says) && run.out.isEmpty && run.changes.isEmpty, "\(run.err)")
  }

  @Test(
    "A file of something else is refused with one message, which says what it is",
    arguments: [
      ("", "x:1:1: this is not a file of received postbacks, which 'skan receive'"),
      (
        "notes",
        "x:1:1: this is not a file of received postbacks, which 'skan receive' and 'skan serve --postbacks' make\n"
      ),
      (#"{"op":"session"}"#, "x:1:1: this is an event list; 'skan replay x' runs it; what is needed is a file of"),
      ("{\n \"postbackMappings\":[]\n}", "x:1:1: this is a conversion model; 'skan model check x' checks it, "),
      (#"{"transaction-id":"1"}"#, "x:1:1: these are postbacks as they are sent; 'skan receive x' verifies and keeps"),
      (#"{"explanation":"","path":"/","status":200}"#, "this is a journal of 'skan serve'; 'skan check x' checks it; "),
    ])
  func otherFiles(text: String, says: String) throws {
    let world = try World.withPostbacks()
    world["x"] = String(repeating: "\(text)\n", count: text.contains("\n") ? 1 : 3)
    for line in ["report x", "receive 1.json --into x", "verify 1.json --seen x", "serve --port 0 --postbacks x"] {
      let run = world.run(line)
      #expect(run.code == .badData && run.err.contains(says) && run.err.split(separator: "\n").count == 1, "\(run.err)")
      #expect(run.changes.isEmpty)
    }
    #expect(
      world.run("report none").err == "skan: none does not exist; 'skan receive' and 'skan serve --postbacks' make it\n"
    )
  }
}

@Suite("receive with --campaigns", .enabled(if: World.canCheckSignatures))
struct CampaignTests {
  private static let header = "network,identifier,from,until,campaign_id,campaign_name,country\n"

  @Test("The campaign is in the record and in the text; what the map lacks is a finding")
  func records() throws {
    let world = try World.withPostbacks()
    world["c.csv"] = "\u{FEFF}" + Self.header + "com.example,5239,,,7,\"Spring, \"\"26\"\"\",DE\r\n"
    let run = world.run("receive 1.json 5.json --key public.pem --campaigns c.csv")
    #expect(run.code == .ok && run.err == "Try 'skan explain campaign-unknown'.\n")
    #expect(run.out.contains("\n  campaign: 7 Spring, \"26\", DE\n"))
    #expect(
      run.out.contains("\n  finding: c.csv has no row for campaign id 42 of com.example. [campaign-unknown]\n"),
      "\(run.out)")
    let lines = (world["received.jsonl"] ?? "").split(separator: "\n")
    #expect(lines.first?.contains(#""campaign":{"id":"7","name":"Spring, \"26\"","country":"DE"},"#) == true)
    #expect(lines.last?.contains(#""findings":[{"code":"campaign-unknown","#) == true)
    #expect(world.run("receive 5.json --key public.pem --campaigns c.csv --strict").code == .expectationFailed)
  }

  @Test(
    "What cannot be",
    arguments: [
      ("network,identifer,campaign_id\n", "c.csv:1:9: there is no column identifer; did you mean identifier?\n"),
      (header + "a,39,,,7\n", "c.csv:2:1: this row has 5 fields, the header has 7\n"),
      (
        "{\"schema\":{}}",
        "c.csv:1:1: this is a conversion model; 'skan model check c.csv' checks it, --model takes it\n"
      ),
      ("", "c.csv:1:1: it is empty; its first line names the columns: network,"),
    ])
  func mistakes(text: String, message: String) throws {
    let world = try World.withPostbacks()
    world["c.csv"] = text
    let run = world.run("receive 1.json --campaigns c.csv")
    #expect(run.code == .badData && run.err.hasPrefix(message) && run.out.isEmpty, "\(run.err)")
    #expect(world["received.jsonl"] == nil)
  }

  @Test("A file that is not there, and serve without postbacks")
  func usage() throws {
    let world = try World.withPostbacks()
    let missing = world.run("receive 1.json --campaigns c.csv")
    #expect(missing.code == .noInput)
    #expect(missing.err == "skan: c.csv does not exist; it should hold a map of campaigns, as CSV\n")
    let serve = world.run("serve --campaigns c.csv")
    #expect(serve.code == .usage && serve.err.hasPrefix("skan: --campaigns belongs to --postbacks\n"))
  }

  @Test("Many problems: the first hundred, and how many more")
  func many() throws {
    let world = try World.withPostbacks()
    world["c.csv"] = Self.header + String(repeating: "a\n", count: 120)
    let run = world.run("receive 1.json --campaigns c.csv")
    #expect(run.err.hasSuffix("skan: and 20 more problems\n"))
  }
}

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
