import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("Models on the command line")
struct ModelCommandTests {
  @Test("check: sound, quiet, missing, wrong, odd")
  func check() throws {
    let world = try World.withModels()
    #expect(
      world.run("model check sample.json") == Consequences(out: "sample.json: no problems; 4 fine values, 59 unused\n"))
    #expect(world.run("model check -q sample.json") == Consequences())
    #expect(
      world.run("model check none.json")
        == Consequences(.noInput, err: "skan: none.json does not exist; it should hold a conversion model\n"))
    #expect(
      world.run("model check bad.json")
        == Consequences(
          .badData,
          err: """
            bad.json:1:2: a model has no key "app_idd"; did you mean "app_id"?
              {"app_idd":"1","measurement_window_hours":-1}
               ^^^^^^^^^
            bad.json:1:43: "measurement_window_hours" must be a whole number, 0 or more, this is -1
              {"app_idd":"1","measurement_window_hours":-1}
                                                        ^^

            """))
    // What is odd can still be used.
    let odd = world.run("model check odd.json")
    #expect(odd.code == .ok && odd.out == "odd.json: 2 warnings; 2 fine values, 62 unused\n")
    #expect(odd.err.contains("\nodd.json:1:80: warning: fine value 1 is mapped twice\n"), "\(odd)")
    #expect(world.run("model check odd.json --strict").code == .expectationFailed)
    #expect(world.run("model check sample.json --strict").code == .ok)
    #expect(world.run("model explain odd.json").code == .ok)
  }

  @Test("A model that maps nothing is an error wherever it is given", arguments: ["{}", #"{"schema":{}}"#])
  func nothing(text: String) throws {
    let world = try World.withModels(registered: true)
    world["nothing.json"] = text
    for line in ["model check", "model explain", "session --model"] {
      let run = world.run("\(line) nothing.json")
      #expect(run.code == .badData && run.err.contains(": the model maps nothing"), "\(run)")
    }
  }

  @Test("Errors and warnings together")
  func both() throws {
    let world = World()
    world["both.json"] =
      #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1},"#
      + #"{"fine_grained_conversion_value":1},{"fine_grained_conversion_value":99}]}"#
    let run = world.run("model check both.json")
    #expect(run.code == .badData)
    #expect(run.err.contains(": warning: fine value 1 is mapped twice\n"))
    #expect(run.err.contains(" must be a whole number from 0 to 63, this is 99\n"))
  }

  @Test("explain and decode mark what can never come")
  func never() throws {
    let world = World()
    world["never.json"] =
      #"{"measurement_window_hours":48,"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1,"#
      + #""conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},{"fine_grained_conversion_value":2}],"#
      + #""postback_mappings":[{"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":"#
      + #"{"low_conversion_value_mapping":{}}}]}"#
    let hidden = "a at least once [never: fine value 2 holds whenever it does]\n"
    let cut = "anything [never: measurement_window_hours is 48, and from then on every request is refused]\n"
    let explained = world.run("model explain never.json").out
    #expect(explained.contains("  1  \(hidden)") && explained.contains("  low  \(cut)"), "\(explained)")
    #expect(world.run("model explain never.json --json").out.contains(#""never":null"#))
    #expect(world.run("model explain never.json --fine 1").out == "fine value 1: \(hidden)")
    #expect(world.run("model explain never.json --coarse low --window 1").out.hasSuffix(cut))
    #expect(
      world.run("model explain never.json --fine 1 --json").out.contains(
        #""never":"fine value 2 holds whenever it does""#))
    #expect(
      world.run("model check never.json").err.contains("never.json:1:29: warning: measurement_window_hours is 48"))
  }

  @Test("A file of several models: one is named")
  func several() throws {
    let world = World.registered()
    let models = ["123", "com.example.app"].map {
      #"{"schema":{"app_id":"\#($0)","fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":"#
        + "\($0.utf8.count)}]}}"
    }
    world["two.json"] = "[\(models.joined(separator: ","))]"
    #expect(world.run("model check two.json").out == "two.json: 2 warnings; 2 models, 2 fine values, 124 unused\n")
    #expect(world.run("model explain two.json#123 --fine 3").code == .ok)
    #expect(
      world.run("model explain two.json").err.hasPrefix(
        "skan: two.json holds 2 models, of app_id 123, com.example.app: name one, as in two.json#APP_ID\n"))
    #expect(
      world.run("model explain two.json#7").err.hasPrefix(
        "skan: two.json holds 2 models, of app_id 123, com.example.app: none has app_id 7\n"))
    #expect(world.run("session --after 1m --model two.json").code == .usage)
    #expect(
      world.run("session --after 1m --model com.example.app=two.json -q --expect handler.fine=15").code == .ok)
    #expect(
      world.run("session --after 1m --model com.example.app=two.json#123 -q --expect handler.fine=15").code == .ok)
  }

  @Test("explain: a table for each part")
  func explain() throws {
    #expect(
      try World.withModels().run("model explain mixed.json")
        == Consequences(
          out: """
            Fine value (first postback, the highest that holds)
              1   a session at least once
              5   a session at least 3 times
              10  tutorial_done at least once
              12  purchase at least once with revenue from 0.01 to below 5 USD, within 24 h of the first call
              20  purchase at least once with revenue from 5 to below 20 USD
              40  purchase at least once with revenue of at least 20 USD

            Coarse value of postback 0 (days 0-2)
              low     a session at least once
              medium  revenue from 0.01 to below 20 USD
              high    revenue of at least 20 USD

            Coarse value of postback 1 (days 2-7)
              low     a session at least once
              medium  revenue from 0.01 to below 20 USD
              high    revenue of at least 20 USD

            Coarse value of postback 2 (days 7-35)
              low     a session at least once
              medium  revenue from 0.01 to below 20 USD
              high    revenue of at least 20 USD
              lock    once coarse value high is reached

            Measures the first 840 hours.

            """))
    let json = try World.withModels().run("model explain sample.json --json")
    #expect(json.code == .ok)
    #expect(
      json.out.hasPrefix(#"[{"title":"Fine value (first postback, the highest that holds)","values":[{"#), "\(json)")
    #expect(try World.withModels().run("model explain bad.json").code == .badData)
  }

  @Test(
    "decode: what a value means",
    arguments: [
      ("--fine 12", "fine value 12: revenue of at least 10 USD\n"),
      ("--fine 1", "fine value 1: a session at least once\n"),
      ("--coarse high --window 1", "coarse value high of postback 1: revenue of at least 10 USD\n"),
      ("--coarse low", "coarse value low of postback 0: a session at least once\n"),
      (
        "--fine 7 --json",
        #"{"events":[{"count_max":null,"count_min":null,"currency":"USD","event":"__REVENUE__","revenue_below":5,"#
          + #""revenue_min":1}],"max_hours":null,"meaning":"revenue from 1 to below 5 USD","min_hours":null,"#
          + #""never":null,"value":"fine value 7","window":0}"# + "\n"
      ),
    ])
  func decode(options: String, out: String) throws {
    #expect(try World.withModels().run("model explain sample.json \(options)") == Consequences(out: out))
  }

  @Test("decode: a value that no install gets")
  func nobody() throws {
    #expect(
      try World.withModels().run("model explain sample.json --fine 63")
        == Consequences(.expectationFailed, err: "skan: the model gives fine value 63 to no install\n"))
  }

  @Test(
    "decode: how it is asked wrongly",
    arguments: [
      ("--fine 1 --coarse low", "give one of --fine N and --coarse low|medium|high"),
      ("--fine 64", "--fine must be from 0 to 63, it is 64"), ("--fine=-1", "--fine must be from 0 to 63, it is -1"),
      ("--fine 1 --window 0", "--window goes with --coarse: fine values belong to postback 0"),
      ("--coarse HIGH", "--coarse must be low, medium or high, it is \"HIGH\"; did you mean high?"),
      ("--coarse low --window 3", "--window must be 0, 1 or 2, it is 3"),
      ("--coarse low --window=-1", "--window must be 0, 1 or 2, it is -1"),
    ])
  func decodeUsage(options: String, words: String) throws {
    #expect(
      try World.withModels().run("model explain sample.json \(options)") == .usage(words, command: "model explain"))
  }

  @Test("Help with model alone names its commands", arguments: ["model --help", "model -h", "help model"])
  func helpOfGroup(line: String) {
    let run = World().run(line)
    #expect(run.code == .ok && run.err == "")
    #expect(run.out.hasPrefix("  skan model check    Report"), "\(run.out)")
    #expect(run.out.components(separatedBy: "\n").count { $0.hasPrefix("  skan model ") } == 6)
  }

  @Test("model alone goes on")
  func alone() throws {
    #expect(
      try World.withModels().run("model")
        == .usage(
          "'skan model' goes on: 'skan model check', 'skan model explain', 'skan model diff', 'skan model convert', 'skan model fit', 'skan model worth'"
        ))
  }
}
