import Foundation
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("skan backtest")
struct BacktestCommandTests {
  private static let line = "backtest --model mixed.json --mapping mapping.json"

  @Test("Input that is grouped by device gives the same, and input that is not is an error with its line")
  func grouped() throws {
    let world = try World.withBacktest()
    let text = try #require(world["may.csv"])
    let lines = text.split(separator: "\n").map(String.init)
    // The order within a device stays.
    let rows = lines.dropFirst().enumerated().sorted {
      ($0.element.prefix(36), $0.offset) < ($1.element.prefix(36), $1.offset)
    }
    world["grouped.csv"] = ([lines[0]] + rows.map(\.element)).joined(separator: "\n")
    let whole = world.run("\(Self.line) --by campaign may.csv --json")
    #expect(world.run("\(Self.line) --by campaign --grouped grouped.csv --json") == whole)
    #expect(
      world.run("\(Self.line) --grouped may.csv")
        == Consequences(
          .badData,
          err:
            "may.csv:12: this device had rows before, and another one since: leave out --grouped, or sort the input\n"))
  }

  @Test("A list is an input, too; its phones begin with their first steps")
  func list() throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = """
      {"op":"device","device":"a"}
      {"op":"register","device":"a"}
      {"op":"session","device":"a","after":"1h","answer":{"status":500,"text":"no"}}
      {"op":"revenue","device":"a","after":"1h","amount":7,"currency":"USD"}
      {"op":"event","device":"a","name":"purchase"}
      {"op":"details","device":"a"}
      """
    let out = world.run("backtest --model mixed.json --until 2026-06-01T00:00:00Z list.jsonl").out
    #expect(out.contains("1 device with the model mixed.json"))
    #expect(out.contains("1 step about something else than values"))
    #expect(out.contains("20      1  100.0 %       7.00"))
    #expect(world.run("backtest --model mixed.json --until 2026-06-01T00:00:00Z --grouped list.jsonl").out == out)
    #expect(
      world.run("backtest --model mixed.json --by campaign list.jsonl").err
        == "skan: --by names a column, and list.jsonl is an event list, which has none\nTry 'skan backtest --help'.\n")
  }

  @Test(
    "What cannot be asked for is said",
    arguments: [
      ("backtest may.csv", "name the model: --model FILE"),
      (
        "backtest --model mixed.json --mapping mapping.json --json --csv may.csv", "--json and --csv exclude each other"
      ),
      ("backtest --model mixed.json --shard 4/3 may.csv", "--shard must be K/N with K from 1 to N, such as 1/8"),
      ("backtest --model mixed.json --shard 0/3 may.csv", "--shard must be K/N with K from 1 to N, such as 1/8"),
      ("backtest --merge --model mixed.json may.csv", "--model has been decided by the parts"),
      ("backtest --model mixed.json --report-currency usd may.csv", "--report-currency must be three capital letters"),
      ("backtest --model mixed.json --html mixed.json may.csv", "--html would replace the file of --model"),
      ("backtest --model mixed.json --html page.html --partial may.csv", "belongs to a whole report"),
      ("backtest --model mixed.json --event-alias purchse=buy may.csv", "did you mean \"purchase\"?"),
    ])
  func usage(line: String, says: String) throws {
    let run = try World.withBacktest().run(line)
    #expect(run.code == .usage)
    #expect(run.err.contains(says), "\(run.err)")
    #expect(run.out.isEmpty)
  }

  @Test("An unknown column of --by gets the nearest name")
  func column() throws {
    let run = try World.withBacktest().run("\(Self.line) --by campain may.csv")
    #expect(run.code == .badData)
    #expect(run.err.contains(#"there is no column "campain"; did you mean "campaign"?"#), "\(run.err)")
  }

  @Test("So does one that no object of JSON Lines has")
  func path() throws {
    let world = try World.withBacktest()
    world["rows.jsonl"] = """
      {"idfv":"A","time":1777593600,"event":"session","installed":1777593600,"campaign":"spring"}
      {"idfv":"B","time":1777593600,"event":"session","installed":1777593600}
      """
    let run = world.run("\(Self.line) --by campain rows.jsonl")
    #expect(run.code == .badData)
    #expect(
      run.err == "skan: no row has a value in the column \"campain\"; did you mean \"campaign\"?\n", "\(run.err)")
    #expect(world.run("\(Self.line) --by campaign --until 2026-08-01T00:00:00Z rows.jsonl").code == .ok)
  }

  @Test("A device whose beginning is not known is left out, or begins with its first row")
  func beginning() throws {
    let world = try World.withBacktest()
    let without = world.run("\(Self.line) may.csv").out
    #expect(without.hasPrefix("35 devices with"))
    #expect(without.contains("5 devices (12.5 %): the beginning is not in the input; each is left out"))
    let with = world.run("\(Self.line) may.csv --start-at-first-row").out
    #expect(with.hasPrefix("40 devices with"))
    #expect(with.contains("5 devices (12.5 %): the beginning is not in the input; each begins with its first row"))
  }

  private static let events = """
    device,time,name,revenue,currency
    a,1767225600,install,,
    a,1767229200,buy,10,EUR
    without a beginning,2026-03-01T00:00:00Z,login,,

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
    world["daily.csv"] = "date,currency,rate\n2026-01-01,EUR,0.5\n2026-01-03,EUR,0.25\n"
    world["daily-wrong.csv"] = "date,currency,rate\n2026-01-01,EUR,0.5\n2026-01-01,EUR,0.5\n"
    world["euros.json"] = world["mixed.json"]?.replacing("USD", with: "EUR")
    return world
  }

  @Test("Rates convert to the model's currency; without one, amounts do not count and that is said")
  func rates() throws {
    let with = try world().run("backtest --model models/mixed.json --rates rates.json events.csv").out
    #expect(with.hasPrefix("1 device with the model mixed.json, revenue in USD\n"))
    #expect(with.contains(/\n  true revenue +20\.00\n/))
    // A result from amounts of which none counts would look like a good one.
    let without = try world().run("backtest --model models/mixed.json events.csv")
    #expect(without.code == .badData && without.out.isEmpty && without.err.contains("EUR"))
    let euros = try world().run("backtest --model mixed.json --report-currency EUR events.csv").out
    #expect(euros.hasPrefix("1 device with the model mixed.json, revenue in EUR\n"))
    #expect(euros.contains(/\n  true revenue +10\.00\n/))
  }

  @Test("Rates by day: each row has that of its own day, and days without one are named and not guessed")
  func dailyRates() throws {
    let world = try world()
    world["events.csv"] =
      Self.events
      + "a,2026-01-02T00:00:00Z,buy,10,EUR\na,2026-01-02T23:59:59Z,buy,10,EUR\na,2026-01-03T00:00:00Z,buy,10,EUR\n"
    let run = world.run("backtest --model models/mixed.json --rates daily.csv events.csv")
    #expect(run.code == .ok)
    #expect(
      run.out.contains("\n2 rows with revenue in EUR on 2026-01-02, for which there is no rate: not in true revenue\n"),
      "\(run.out)")
    #expect(run.out.contains(/\n  true revenue +20\.00\n/), "\(run.out)")
    let json = world.run("backtest --model models/mixed.json --rates daily.csv --json events.csv").out
    #expect(json.contains(#""without_rate":{"EUR on 2026-01-02":2}"#), "\(json)")
    for index in 1...2 {
      world["\(index)"] =
        world.run("backtest --model models/mixed.json --rates daily.csv --shard \(index)/2 --partial events.csv").out
    }
    #expect(world.run("backtest --merge 1 2").out == run.out)
    world["other.csv"] = world["daily.csv"]?.replacing("0.25", with: "0.2")
    world["2"] = world.run("backtest --model models/mixed.json --rates other.csv --shard 2/2 --partial events.csv").out
    #expect(world.run("backtest --merge 1 2").err.hasSuffix("do not belong together: their options or rates differ\n"))
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
        "--rates daily-wrong.csv events.csv", .badData,
        "daily-wrong.csv:3:1: line 2 has a rate of EUR for this day already: keep one\n  2026-01-01,EUR,0.5\n  ^^^^^^^^^^\n"
      ),
      (
        "--rates daily.csv --report-currency EUR events.csv", .usage,
        "skan: --rates has rates by day, and a range of revenue belongs to no day: the ranges of mixed.json are in USD, and "
          + "the report is in EUR; --report-currency gives it the currency of all ranges\nTry 'skan backtest --help'.\n"
      ),
      (
        "--rates daily.csv --compare euros.json events.csv", .usage,
        "skan: --rates has rates by day, and a range of revenue belongs to no day: the ranges of euros.json are in EUR, and "
          + "the report is in USD; --report-currency gives it the currency of all ranges\nTry 'skan backtest --help'.\n"
      ),
      (
        "--by zzzzzz --partial list.jsonl", .usage,
        "skan: --by names a column, and list.jsonl is an event list, which has none\nTry 'skan backtest --help'.\n"
      ),
      (
        "--html - --json events.csv", .usage,
        "skan: --html - and --json both go to standard output\nTry 'skan backtest --help'.\n"
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
    let printed = world.run("backtest --model mixed.json --rates rates.json --html - events.csv")
    #expect(printed.code == .ok && printed.out.hasPrefix("<!DOCTYPE html>") && printed.changes.isEmpty)
    let written = world.run("backtest --model mixed.json --rates rates.json --html page.html events.csv")
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
