import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("--model, --rates and serve on the command line")
struct EmbeddedModelTests {
  @Test(
    "--model and --rates, used wrongly",
    arguments: [
      ("--rates rates.json", "--rates belongs to --model"),
      ("--model sample.json --endpoint testing", "--model answers in process: leave out --endpoint"),
      ("--model sample.json --endpoint http://127.0.0.1:9", "--model answers in process: leave out --endpoint"),
      (
        "--model sample.json --model mixed.json",
        "--model is given twice: name the app, as in com.example.app=FILE"
      ), ("--model a=sample.json --model a=mixed.json", "--model is given twice for a"),
    ])
  func usage(options: String, words: String) throws {
    let world = try World.withModels(registered: true)
    #expect(world.run("session \(options)") == .usage(words, command: "session"))
    world["list.jsonl"] = "{\"op\":\"session\"}\n"
    #expect(world.run("replay list.jsonl \(options)") == .usage(words, command: "replay"))
  }

  @Test(
    "Files that are wrong",
    arguments: [
      ("--model none.json", .noInput, "skan: none.json does not exist; it should hold a conversion model\n"),
      ("--model bad.json", .badData, "bad.json:1:2: a model has no key"),
      (
        "--model sample.json --rates none.json", .noInput,
        "skan: none.json does not exist; it should hold exchange rates (--rates)\n"
      ), ("--model sample.json --rates bad-rates.json", .badData, "bad-rates.json:1:2: \"eur\" is not a currency code"),
    ] as [(String, ExitCode, String)])
  func files(options: String, code: ExitCode, err: String) throws {
    let consequences = try World.withModels(registered: true).run("session \(options)")
    #expect(consequences.code == code && consequences.changes == [] && consequences.out == "")
    #expect(consequences.err.hasPrefix(err), "\(consequences)")
  }

  @Test("An embedded model answers, and its counts live in the device file")
  func counts() throws {
    let world = try World.withModels(registered: true)
    for value in 1...3 {
      #expect(world.run("session --after 1h --model engagement.json -q --expect handler.fine=\(value)").code == .ok)
    }
    #expect(world.run("event level_5 --after 1h --model engagement.json -q --expect handler.fine=3").code == .ok)
    let state = try #require(world["skan-state.json"])
    #expect(
      state.replacing(try Regex("\\s"), with: "").contains(
        #""event_counts":{"p0":{"__SESSION__":3},"p1":{},"p2":{}}"#), "only what the model asks for is counted")
    // In the next window they begin anew.
    #expect(world.run("session --after 48h --model engagement.json -q --expect handler.coarse=0").code == .ok)
    #expect(
      try #require(world["skan-state.json"]).replacing(try Regex("\\s"), with: "").contains(#""p1":{"__SESSION__":1}"#))
    // Another install knows nothing of them.
    #expect(world.run("reset -q").code == .ok)
    #expect(world["skan-state.json"]?.contains("event_counts") != true)
  }

  @Test("A step says why the model answered so, as text and as JSON, in a list with -v")
  func explanation() throws {
    let world = try World.withModels(registered: true)
    let why = "__SESSION__ for the 2nd time in P0, 2h after the first call: fine value 1 → 2, coarse low."
    world.run("session --after 1h --model engagement.json -q")
    #expect(world.run("session --after 1h --model engagement.json").out.contains("\n  endpoint: \(why)\n"))
    #expect(
      world.run("session --after 1h --model engagement.json --json").out.contains(
        #""endpoint_explanation":"__SESSION__ for the 3rd time in P0, 3h"#))
    #expect(!world.run("session --after 1h --json").out.contains("endpoint_explanation"))
    world["quoted.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"event","name":"a\"b"}"#
    #expect(
      world.run("replay quoted.jsonl --model engagement.json --json").out.contains(
        #""endpoint_explanation":"a\"b, for which no mapping asks, in P0"#))
    world["list.jsonl"] =
      #"{"op":"register"}"# + "\n"
      + #"{"op":"session","expect":{"endpoint_explanation":{"$matches":"^__SESSION__ for the 1st time"}}}"#
    #expect(
      world.run("replay list.jsonl --model engagement.json -v").out.contains("  endpoint: __SESSION__ for the 1st"))
    #expect(!world.run("replay list.jsonl --model engagement.json").out.contains("endpoint: "))
  }

  @Test("A phone of SKAN 3 lives on as long as each call comes within a day of the one before")
  func skan3() throws {
    let world = try World.withModels()
    world.run("install --snippet skan3")
    world.run("register --at 2026-01-01T00:00:00Z")
    for value in 1...3 {
      #expect(world.run("session --after 20h --model engagement.json --expect handler.fine=\(value)").code == .ok)
    }
  }

  @Test("A phone that was updated from SKAN 3 is told why it gets no value")
  func migrated() throws {
    let world = try World.withModels()
    world.run("install --snippet skan3")
    world.run("register --at 2026-01-01T00:00:00Z")
    world.run("update --snippet skan4 --after 1h")
    let refused = world.run("session --after 1h --model engagement.json")
    #expect(refused.code == .badAnswer)
    #expect(refused.out.contains("; this phone, updated from SKAN 3, has no skan_current_conversion_value to send."))
    #expect(refused.out.contains("\n  endpoint: skan_current_conversion_value is missing. "))
    #expect(refused.out.contains("[current-value-missing]"))
    #expect(
      world.run("session --after 1h --model engagement.json --no-handler").out.contains("[current-value-missing]"))
  }

  @Test("What a refusal says beyond the endpoint's reason")
  func refusals() throws {
    let world = try World.withModels(registered: true)
    #expect(
      world.run("session --after 1m --model com.example.ap=sample.json").out.contains(
        "\n  endpoint: The model is for com.example.ap, not for com.example.app; did you mean com.example.ap?\n"))
    world.run("revenue 2 EUR --after 1m")
    #expect(
      world.run("session --model sample.json").out.contains(
        "\n  endpoint: There is revenue in \"EUR\" and no rate for it: --rates FILE gives units per US dollar, as in "
          + "{\"EUR\":0.92}.\n"))
    world["daily.csv"] = "date,currency,rate\n1970-01-01,EUR,0.5\n"
    #expect(
      world.run("session --model sample.json --rates daily.csv").out.contains(
        /\n  endpoint: There is revenue in "EUR" and no rate for it on \d{4}-\d\d-\d\d \(UTC\): the table of --rates FILE needs a row of that day\.\n/
      ))
  }

  @Test("Rates by day are those of the phone's clock")
  func dailyRates() throws {
    let world = try World.withModels()
    world["daily.csv"] = "date,currency,rate\n2026-05-01,EUR,0.5\n2026-05-02,EUR,0.01\n"
    func fine(_ time: String) -> String {
      world["list.jsonl"] = """
        {"op":"register","at":"2026-05-01T12:00:00Z"}
        {"op":"revenue","amount":2,"currency":"EUR"}
        {"op":"session","at":"\(time)"}
        """
      return world.run("replay --model iap-revenue.json --rates daily.csv list.jsonl").out
    }
    // 4 USD and 200 USD.
    #expect(fine("2026-05-01T23:59:59Z").contains("conversion value 0 → 4,"))
    #expect(fine("2026-05-02T00:00:00Z").contains("conversion value 0 → 14,"))
    #expect(fine("2026-05-03T00:00:00Z").contains("Can't find owner currency: EUR"))
  }

  @Test("A phone whose iOS is too old to register is not told to register")
  func tooOld() throws {
    let world = try World.withModels()
    world.run("install --ios 15.0")
    #expect(world.run("register").out.hasPrefix("ios-too-old "))
    let run = world.run("session")
    #expect(run.out.contains("none can be, as the skan4 snippet registers from iOS 15.4 and this phone has 15.0;"))
    #expect(run.out.contains(": before iOS 15.4 register does nothing, "))
    #expect(!run.out.contains("call register before"))
    world.run("update --ios 16.1")
    #expect(world.run("session").out.contains("call register before"))
  }

  @Test("A model for one app, and rates")
  func appAndRates() throws {
    let world = try World.withModels(registered: true)
    world.run("revenue 2 EUR --after 1h")
    #expect(
      world.run("session --model com.example.app=sample.json --rates rates.json -q --expect handler.fine=7").code == .ok
    )
    #expect(
      world.run(
        "session --model com.example.app=sample.json -q", "--expect",
        "handler.error=Conversion Management: Can't find owner currency: EUR"
      ).code == .badAnswer)
    #expect(
      world.run(
        "session --model com.example.other=sample.json -q", "--expect",
        "handler.error=Conversion Management: Conversion model not found for app: com.example.app"
      ).code == .badAnswer)
  }

  @Test(
    "serve, asked wrongly",
    arguments: [
      ("--port 65536", "--port must be from 0 to 65535, it is 65536"),
      ("--port=-1", "--port must be from 0 to 65535, it is -1"),
      ("--once 0", "--once must be 1 or more, it is 0"),
      ("--model sample.json --model mixed.json", "--model is given twice: name the app, as in com.example.app=FILE"),
    ])
  func serveUsage(options: String, words: String) throws {
    #expect(try World.withModels().run("serve \(options)") == .usage(words, command: "serve"))
  }

  @Test("serve, with files that are wrong")
  func serveFiles() throws {
    let world = try World.withModels()
    #expect(world.run("serve --model none.json").code == .noInput)
    #expect(world.run("serve --model bad.json").code == .badData)
    #expect(world.run("serve --model sample.json --rates bad-rates.json").code == .badData)
    world["answers.jsonl"] = "{\"json\":{}}\n\n# a comment\n{\"jsn\":{}}\n{\"status\":\"x\"}\n"
    let answers = world.run("serve --answers answers.jsonl")
    #expect(answers.code == .badData && answers.out.isEmpty)
    #expect(answers.err.contains("answers.jsonl:4:") && answers.err.contains("answers.jsonl:5:"))
    #expect(world.run("serve --answers none.jsonl").code == .noInput)
  }

  /// A model as Google exports it.
  private static let google =
    #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":4,"conversion_value_mapping":"#
    + #"{"mapped_events":[{"mapped_event_name":"session_start"}]}}]}"#

  @Test("--event-alias: on the command line, from a file, from the environment; the first counts")
  func aliases() throws {
    let world = World.registered()
    world["google.json"] = Self.google
    world["aliases.txt"] = "# Google's\n\nsession_start=__SESSION__\nfirst_open=install\n"
    let session = "session --after 1m --model google.json -q --expect handler.fine="
    #expect(world.run("\(session)0").code == .ok)
    #expect(world.run("\(session)4 --event-alias @aliases.txt").code == .ok)
    #expect(world.run("reset -q").code == .ok)
    world.run("register -q")
    #expect(world.run("\(session)0 --event-alias @aliases.txt --event-alias session_start=other").code == .ok)
    #expect(world.run("\(session)4 --event-alias session_start=__SESSION__").code == .ok)
  }

  @Test(
    "--event-alias, used wrongly",
    arguments: [
      ("--event-alias sesion_start=x", "the model has no event \"sesion_start\"; did you mean \"session_start\"?"),
      ("--event-alias quite_other=x", "the model has no event \"quite_other\"; it has session_start"),
      (
        "--event-alias session_start",
        "--event-alias must be FROM=TO, such as session_start=__SESSION__, it is \"session_start\""
      ),
      ("--event-alias =x", "--event-alias must be FROM=TO, such as session_start=__SESSION__, it is \"=x\""),
      (
        "--event-alias session_start=a --event-alias session_start=b",
        "--event-alias is given twice for \"session_start\""
      ),
    ])
  func aliasUsage(options: String, words: String) throws {
    let world = World.registered()
    world["google.json"] = Self.google
    #expect(world.run("session --model google.json \(options)") == .usage(words, command: "session"))
  }

  @Test("An alias without a model")
  func aliasAlone() {
    #expect(
      World.registered().run("session --event-alias a=b")
        == .usage("--event-alias belongs to --model", command: "session"))
  }
}
