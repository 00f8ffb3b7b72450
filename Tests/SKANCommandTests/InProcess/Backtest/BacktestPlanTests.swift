import SKANCommand
import Testing

@Suite("What a backtest is asked for")
struct BacktestPlanTests {
  private static let events = """
    device,time,name,revenue,currency
    a,1767225600,install,,
    a,1767229200,buy,10,EUR

    """

  private func world() throws -> World {
    let world = try World.withModels()
    world["models/mixed.json"] = world["mixed.json"]
    world["events.json"] = try Workspace.exampleModel("events")
    world["events.csv"] = Self.events
    world["rates.json"] = #"{"EUR":0.5}"#
    world["list.jsonl"] = "{\"op\":\"register\",\"at\":0}\n"
    world["wrong.json"] = #"{"EUR":"x"}"#
    world["empty.json"] = ""
    return world
  }

  @Test("Rates convert to the model's currency; without one, amounts do not count and that is said")
  func rates() throws {
    let with = try world().run("backtest --model models/mixed.json --rates rates.json events.csv").out
    #expect(with.hasPrefix("1 device with the model mixed.json, revenue in USD\n"))
    #expect(with.contains(/\n  true revenue +20\.00\n/))
    let without = try world().run("backtest --model models/mixed.json events.csv").out
    #expect(without.contains(/\n  true revenue +0\.00\n/) && without.contains("EUR"))
    let euros = try world().run("backtest --model mixed.json --report-currency EUR events.csv").out
    #expect(euros.hasPrefix("1 device with the model mixed.json, revenue in EUR\n"))
    #expect(euros.contains(/\n  true revenue +10\.00\n/))
  }

  @Test("A model of events alone counts in US dollars; an alias gives an event the name that the export has")
  func events() throws {
    let plain = try world().run("backtest --model events.json events.csv").out
    #expect(plain.hasPrefix("1 device with the model events.json, revenue in USD\n"))
    let world = try world()
    let line = "backtest --report-currency EUR --json --model mixed.json"
    let named = world.run("\(line) --event-alias purchase=buy events.csv").out
    #expect(named != world.run("\(line) events.csv").out)
    world["events.csv"] = Self.events.replacing("buy", with: "purchase")
    let same = world.run("\(line) events.csv").out
    #expect(named.contains("\"buy\":{") && named.replacing("buy", with: "purchase") == same)
  }

  @Test(
    "What cannot be used",
    arguments: [
      (
        "--rates list.jsonl events.csv", .badData,
        "list.jsonl:1:1: this is an event list; 'skan replay list.jsonl' runs it\n"
      ),
      (
        "--rates wrong.json events.csv", .badData,
        "wrong.json:1:8: a rate must be a number above 0, this is \"x\"\n  {\"EUR\":\"x\"}\n         ^^^\n"
      ),
      (
        "--rates none.json events.csv", .noInput,
        "skan: none.json does not exist; it should hold exchange rates (--rates)\n"
      ),
      (
        "--by zzzzzz --partial list.jsonl", .usage,
        "skan: --by names a column, and list.jsonl is an event list, which has none\nTry 'skan backtest --help'.\n"
      ),
      (
        "--html - --json events.csv", .usage,
        "skan: --html - and another form both go to standard output\nTry 'skan backtest --help'.\n"
      ),
    ] as [(String, ExitCode, String)])
  func refused(options: String, code: ExitCode, message: String) throws {
    let run = try world().run("backtest --model mixed.json \(options)")
    #expect(run.code == code && run.out.isEmpty && run.err == message, "\(run)")
  }

  @Test("A merge of nothing names the file, and that --partial makes parts")
  func nothing() throws {
    #expect(
      try world().run("backtest --merge empty.json")
        == Consequences(
          .badData, err: "empty.json:1:1: there is no part in it: 'skan backtest --partial' prints them\n"))
    #expect(
      try world().run("backtest --merge none.json")
        == Consequences(.noInput, err: "skan: none.json does not exist; it should hold what --partial printed\n"))
  }

  @Test("The page is the same in a file and on standard output")
  func page() throws {
    let world = try world()
    let printed = world.run("backtest --model mixed.json --html - events.csv")
    #expect(printed.code == .ok && printed.out.hasPrefix("<!DOCTYPE html>") && printed.changes.isEmpty)
    let written = world.run("backtest --model mixed.json --html page.html events.csv")
    #expect(written.out.isEmpty && world["page.html"] == printed.out)
  }

  @Test("More groups than a report holds are refused with advice")
  func groups() throws {
    let world = try world()
    let rows = (0...10_000).map { "d\($0),1767225600,install,g\($0)\n" }.joined()
    world["many.csv"] = "device,time,name,campaign\n\(rows)"
    #expect(
      world.run("backtest --model mixed.json --by campaign many.csv")
        .code == .usage)
    #expect(
      world.errors.hasSuffix(
        "skan: --by: more than 10000 groups are in the input: name a column with fewer values\nTry 'skan backtest --help'.\n"
      ))
  }
}
