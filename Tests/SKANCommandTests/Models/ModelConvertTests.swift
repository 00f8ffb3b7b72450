import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("skan model convert")
struct ModelConvertTests {
  private static let schema = """
    {"postbackWindowOne":{"postbackWindowSettingsEnabled":true,"conversionValues":[
     {"fineValue":2,"eventMappings":[{"eventName":"in_app_purchase","minEventValue":0.99}]},
     {"fineValue":1,"eventMappings":[{"eventName":"session_start"}]}]}}
    """

  private func world() -> World {
    let world = World()
    world["schema.json"] = Self.schema
    world["table.csv"] = "window,value,event,min_revenue\n0,1,session_start,\n0,2,in_app_purchase,0.99\n"
    return world
  }

  @Test("A schema and a table that say the same give the same model, on standard output and in a file")
  func same() throws {
    let world = world()
    let printed = world.run("model convert schema.json --currency EUR -q")
    #expect(printed.code == .ok && printed.err == "")
    world["printed.json"] = printed.out
    #expect(world.run("model convert table.csv --currency EUR -o made.json").out == "")
    #expect(world.run("model diff printed.json made.json").code == .ok)
    #expect(world.run("model check made.json").code == .ok)
    #expect(world["made.json"]?.contains(#""currency_code": "EUR""#) == true)
    // What a reader should know.
    #expect(
      world.run("model convert schema.json --currency EUR").err.hasPrefix(
        "schema.json:2:81: note: amounts of \"in_app_purchase\" are read as all revenue of the window\n"))
  }

  @Test("From standard input")
  func input() {
    let world = world()
    world.set { $0.input = Self.schema }
    #expect(world.run("model convert - --currency EUR -q") == world.run("model convert schema.json --currency EUR -q"))
  }

  @Test(
    "What is refused",
    arguments: [
      ("none.json", .noInput, "skan: none.json does not exist; it should hold a model\n"),
      (
        "schema.json", .badData,
        "schema.json:2:81: amounts are in the currency of the property, which the schema does not name: --currency CODE says "
          + "which\n"
      ),
      ("table.csv", .badData, "table.csv:3:21: the amount has no currency: --currency CODE says which\n"),
      (
        "mixed.json", .badData,
        "mixed.json:1:1: this is a conversion model in our form already: 'skan model check' checks it\n"
      ),
      (
        "meta.json", .badData,
        "meta.json:1:1: this is neither Google Analytics' schema (with \"postbackWindowOne\") nor a CSV table; other forms are "
          + "not read\n"
      ),
      (
        "tenjin.csv", .badData,
        "tenjin.csv:1:1: this looks like Tenjin's table, which is not read; write it as Google Ads' schema, or as a CSV table "
          + "with the columns of 'skan model convert --help'\n"
      ),
      (
        "schema.json --currency eur", .usage,
        "skan: --currency must be three capital letters such as USD, it is \"eur\"\n"
      ),
    ] as [(String, ExitCode, String)])
  func refused(arguments: String, code: ExitCode, message: String) throws {
    let world = world()
    world["mixed.json"] = try Workspace.exampleModel("mixed")
    world["tenjin.csv"] = "conversion_value,min_range,max_range,currency\n1,0,1,USD\n"
    world["meta.json"] = #"{"data":[]}"#
    let run = world.run("model convert \(arguments) -o out.json")
    #expect(run.code == code && run.out == "" && run.changes == [])
    #expect(run.err.hasPrefix(message), "\(run.err)")
  }

  @Test(
    "Where a model is expected, another form is named with what to do",
    arguments: ["model check", "model explain", "backtest events.csv --model", "session --model", "serve --model"])
  func expected(line: String) throws {
    let world = world()
    world["events.csv"] = "device,time,name\n"
    world["tiktok.json"] = #"{"currency":"USD","postbacks":[{"postback_index":0,"fine":[]}]}"#
    for (file, message) in [
      ("schema.json", "this is Google Analytics' schema: 'skan model convert schema.json' converts it to a model\n"),
      (
        "tiktok.json",
        "this looks like TikTok's configuration, which is not read; write it as Google Ads' schema, or as a CSV table with the "
          + "columns of 'skan model convert --help'\n"
      ),
    ] {
      let run = world.run("\(line) \(file)")
      #expect(run.code == .badData && run.err == "\(file):1:1: \(message)", "\(run)")
    }
  }

  @Test("A coarse value without one mapping is left out with a note")
  func leftOut() {
    let world = world()
    world["schema.json"] =
      #"{"postbackWindowOne":{"postbackWindowSettingsEnabled":true,"conversionValues":["#
      + #"{"fineValue":2,"coarseValue":"COARSE_VALUE_LOW","eventMappings":[{"eventName":"a"}]},"# + "\n"
      + #"{"fineValue":1,"coarseValue":"COARSE_VALUE_LOW","eventMappings":[{"eventName":"b"}]}]}}"#
    let run = world.run("model convert schema.json -o model.json")
    #expect(
      run.code == .ok && run.err.hasPrefix("schema.json:1:80: note: left out: coarse value low of windows one,"),
      "\(run)")
    #expect(
      world.run("model check --strict model.json")
        == Consequences(
          .expectationFailed, out: "model.json: 1 warning; 2 fine values, 61 unused\n",
          err:
            "model.json:1:1: warning: there is no coarse value: first postbacks of tier 1, and second and third postbacks "
            + "of any tier, say nothing about a user [no-coarse-value]\n  {\n  ^\nTry 'skan explain "
            + "no-coarse-value'.\n"))
    #expect(
      world.run("model explain model.json").out.hasSuffix(
        "\nNo coarse value: first postbacks of tier 1, and second and third postbacks of any tier, say nothing about a "
          + "user.\n"
      ))
    #expect(world.run("model check -q model.json").code == .ok)
  }

  @Test(
    "Wrong uses of the options for other forms write nothing",
    arguments: [
      ("--to CSV", .usage, "--to must be one of google, analytics, csv, it is \"CSV\"; did you mean csv?"),
      ("--to=", .usage, "--to must be one of google, analytics, csv, it is \"\""),
      ("--to ga4", .usage, "--to must be one of google, analytics, csv, it is \"ga4\""),
      ("--partial", .usage, "--partial goes with --to analytics or --to csv: Google's schema can express everything"),
      (
        "--partial --to google", .usage,
        "--partial goes with --to analytics or --to csv: Google's schema can express "
          + "everything"
      ),
      ("--to csv --partial=yes", .usage, "--partial takes no value"),
      ("--to csv --partial=yes", .usage, "--partial takes no value"),
      ("--to csv --partila", .usage, "'skan model convert' has no option --partila; did you mean --partial?"),
    ] as [(String, ExitCode, String)])
  func otherForms(options: String, code: ExitCode, message: String) {
    let world = World()
    world["coarse.json"] = """
      {"postback_mappings":[{"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":
      {"low_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}}}]}
      """
    let run = world.run("model convert coarse.json \(options) -o out.json")
    #expect(run.code == code && run.out == "" && run.changes == [])
    #expect(run.err.contains("skan: \(message)"), "\(run.err)")
  }

  @Test("What the model is made from is not replaced")
  func replaced() {
    let run = world().run("model convert table.csv --currency EUR -o table.csv")
    #expect(run == .usage("--output would replace table.csv", command: "model convert"))
  }
}
