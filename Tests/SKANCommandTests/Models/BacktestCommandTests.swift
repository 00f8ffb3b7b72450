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

@Suite("skan backtest --merge")
struct BacktestMergeTests {
  private static let line = "backtest --model mixed.json --mapping mapping.json"
  /// The last row of the example.
  private static let last = "2026-05-11T20:53:26Z"

  @Test("Shards, merged in any order, are the whole in every form", arguments: ["", "--json", "--csv", "--html -"])
  func merge(form: String) throws {
    let world = try World.withBacktest()
    let whole = world.run("\(Self.line) may.csv --compare iap-revenue.json --compare mixed.json --by campaign \(form)")
    #expect(whole.code == .ok)
    for index in 1...3 {
      let part = world.run(
        "\(Self.line) may.csv --compare iap-revenue.json --compare mixed.json --by campaign --shard \(index)/3 --partial --jobs \(index)"
      )
      #expect(part.code == .ok)
      world["part-\(index).json"] = part.out
    }
    #expect(world.run("backtest --merge part-3.json part-1.json part-2.json \(form)") == whole)
    // The partitions of an engine, of which those without a device are all the same.
    world["empty.csv"] = ""
    for (index, file) in ["empty.csv", "may.csv", "empty.csv"].enumerated() {
      world[["a.json", "b.json", "c.json"][index]] =
        world.run(
          "\(Self.line) \(file) --compare iap-revenue.json --compare mixed.json --by campaign --run may --until \(Self.last) --part \(index + 1)/3 --partial"
        ).out
    }
    #expect(world.run("backtest --merge a.json b.json c.json \(form)") == whole)
  }

  @Test("A part that counts twice, is missing, or is of another division is refused")
  func shards() throws {
    let world = try World.withBacktest()
    for shard in ["1/3", "2/3", "3/3", "2/4", "1/20"] {
      world[shard.replacing("/", with: "of")] = world.run("\(Self.line) may.csv --shard \(shard) --partial").out
    }
    world["copy"] = world["1of3"]
    world["whole"] = world.run("\(Self.line) may.csv --partial").out
    let apart = "1of3:1 do not belong together: this one is"
    let more = (2...13).map(String.init).joined(separator: ", ")
    for (files, says) in [
      ("1of3 2of3", "skan: shard 3 of 3 is missing: name one of each\n"),
      ("2of3", "skan: shards 1, 3 of 3 are missing: name one of each\n"),
      ("1of20", "skan: shards \(more) and 7 more of 20 are missing: name one of each\n"),
      (
        "1of3 copy 2of3",
        "copy:1:1: this part and that of 1of3:1 are both shard 1/3: name one of each\n"
      ),
      ("1of3 2of4 3of3", "2of4:1:1: this part and that of \(apart) shard 2/4, that one is shard 1/3\n"),
      ("1of3 whole", "whole:1:1: this part and that of \(apart) a part without --shard, that one is shard 1/3\n"),
    ] {
      #expect(world.run("backtest --merge \(files)") == Consequences(.badData, err: says))
    }
  }

  @Test("A file of parts that is named twice is refused")
  func twice() throws {
    let world = try World.withBacktest()
    world["whole"] = world.run("\(Self.line) may.csv --partial").out
    let run = world.run("backtest --merge whole whole")
    #expect(run.code == .usage && run.err.hasPrefix("skan: whole is named twice\n"))
  }

  /// The rows of the example whose device begins so.
  private func rows(_ world: World, _ isIncluded: (Character) -> Bool) throws -> String {
    let lines = try #require(world["may.csv"]).split(separator: "\n")
    return ([lines[0]] + lines.dropFirst().filter { $0.first.map(isIncluded) ?? false }).joined(separator: "\n") + "\n"
  }

  @Test("A shard of another input is refused, whether a row differs or the order of the files")
  func otherInput() throws {
    let world = try World.withBacktest()
    world["june.csv"] = try #require(world["may.csv"]).replacing("0.99", with: "9.99")
    let different =
      " do not belong together: they were made from different inputs: make all shards from the same files, in the same "
      + "order\n"
    world["1.json"] = world.run("\(Self.line) may.csv --shard 1/2 --partial").out
    world["2.json"] = world.run("\(Self.line) june.csv --shard 2/2 --partial").out
    let other = world.run("backtest --merge 1.json 2.json")
    #expect(other == Consequences(.badData, err: "2.json:1:1: this part and that of 1.json:1\(different)"))
    world["1.json"] = world.run("\(Self.line) may.csv june.csv --shard 1/2 --partial").out
    world["2.json"] = world.run("\(Self.line) june.csv may.csv --shard 2/2 --partial").out
    #expect(world.run("backtest --merge 1.json 2.json") == other)
    world["2.json"] = world.run("\(Self.line) may.csv june.csv --shard 2/2 --partial").out
    #expect(world.run("backtest --merge 1.json 2.json").code == .ok)
  }

  @Test("Parts of an input that was divided before are those of one run, each once")
  func divided() throws {
    let world = try World.withBacktest()
    world["a.csv"] = try rows(world) { "01234567".contains($0) }
    world["b.csv"] = try rows(world) { !"01234567".contains($0) }
    func part(_ file: String, _ run: String, _ part: String) -> String {
      world.run("\(Self.line) \(file) --run \(run) --until \(Self.last) --part \(part) --partial").out
    }
    world["1"] = part("a.csv", "may", "1/2")
    world["2"] = part("b.csv", "may", "2/2")
    #expect(world.run("backtest --merge 2 1") == world.run("\(Self.line) may.csv"))
    world["copy"] = world["1"]
    world["june"] = part("b.csv", "june", "2/2")
    world["three"] = part("b.csv", "may", "2/3")
    world["same"] = part("a.csv", "may", "2/2")
    world["shard"] = world.run("\(Self.line) may.csv --shard 2/2 --partial").out
    let apart = "this part and that of 1:1 do not belong together: this one is"
    for (files, says) in [
      ("1", "skan: part 2 of 2 is missing: name one of each\n"),
      ("1 copy", "copy:1:1: this part and that of 1:1 are both part 1/2 of the run \"may\": name one of each\n"),
      ("1 june", "june:1:1: \(apart) part 2/2 of the run \"june\", that one is part 1/2 of the run \"may\"\n"),
      ("1 three", "three:1:1: \(apart) part 2/3 of the run \"may\", that one is part 1/2 of the run \"may\"\n"),
      ("1 shard", "shard:1:1: \(apart) shard 2/2, that one is part 1/2 of the run \"may\"\n"),
      (
        "1 same",
        "same:1:1: this part and that of 1:1 have read the same input: --part is for rows that were divided by device before; "
          + "where each reads all of them, --shard divides\n"
      ),
    ] {
      #expect(world.run("backtest --merge \(files)") == Consequences(.badData, err: says))
    }
  }

  @Test("A part of a whole input is added to no other, and one that does not say its input to none")
  func alone() throws {
    let world = try World.withBacktest()
    world["a"] = world.run("\(Self.line) may.csv --partial").out
    world["b"] = world["a"]
    #expect(world.run("backtest --merge a") == world.run("\(Self.line) may.csv"))
    #expect(
      world.run("backtest --merge a b")
        == Consequences(
          .badData,
          err:
            "b:1:1: this part and that of a:1 both count a whole input. Parts of one input are made with --shard K/N; "
            + "where the rows were divided by device before, with --run NAME --part K/N\n"))
    for (index, shard) in ["1/2", "2/2"].enumerated() {
      world["\(index)"] = world.run("\(Self.line) may.csv --shard \(shard) --partial").out
    }
    world["0"] = try #require(world["0"]).replacing(/,"input_hash":"[0-9a-f]*"/, with: "")
    for (files, place) in [("0 1", "0:1:1"), ("1 0", "0:1:1"), ("0", "0:1:1")] {
      #expect(
        world.run("backtest --merge \(files)")
          == Consequences(
            .badData,
            err:
              "\(place): this part does not say which input it was made from, as parts of an earlier version: make it "
              + "again\n"))
    }
  }

  @Test(
    "What says of which run a part is, is asked for together",
    arguments: [
      ("--part 1/2 --partial", "--part needs --run, too, as in --run may --part 1/8"),
      ("--run may --partial", "--run needs --part, too, as in --run may --part 1/8"),
      ("--run= --part 1/2 --partial", "--part needs --run, too"),
      ("--run may --part 1/2", "--part belongs to --partial"),
      ("--run may --part 1/2 --partial", "--part needs --until, too: a part does not know the last row of the others"),
      ("--run may --part 1/2 --shard 1/2 --partial", "--part and --shard exclude each other"),
      ("--run may --part 3/2 --partial", "--part must be K/N with K from 1 to N, such as 1/8"),
      ("--merge --part 1/2", "--model has been decided by the parts"),
    ])
  func usage(options: String, says: String) throws {
    let run = try World.withBacktest().run("\(Self.line) may.csv \(options)")
    #expect(run.code == .usage && run.out == "" && run.err.hasPrefix("skan: \(says)"), "\(run)")
  }

  @Test("Parts that do not belong together are refused")
  func strangers() throws {
    let world = try World.withBacktest()
    world["a.json"] = world.run("\(Self.line) may.csv --partial").out
    let others = [
      ("\(Self.line) may.csv --compare iap-revenue.json --partial", "they are compared with different models"),
      ("backtest --model iap-revenue.json --mapping mapping.json may.csv --partial", "their models differ"),
      ("\(Self.line) may.csv --by campaign --partial", "they are grouped by different columns"),
      ("\(Self.line) may.csv --report-currency EUR --partial", "their currencies differ (USD and EUR)"),
      ("\(Self.line) may.csv --start-at-first-row --partial", "their options or rates differ"),
      ("\(Self.line) may.csv --dedupe name,time --partial", "their exports are read differently"),
      (
        "\(Self.line) may.csv --until 2026-06-01T00:00:00Z --partial",
        "they go to different times (2026-05-11T20:53:26Z and 2026-06-01T00:00:00Z)"
      ),
    ]
    for (line, says) in others {
      world["b.json"] = world.run(line).out
      let run = world.run("backtest --merge a.json b.json")
      #expect(run.code == .badData)
      #expect(
        run.err.hasPrefix("b.json:1:1: this part and that of a.json:1 do not belong together: \(says)"), "\(run.err)")
    }
    world["c.json"] = "{\"kind\":1}\n"
    #expect(world.run("backtest --merge a.json c.json").err.contains("c.json:1:1: this is not a part of a backtest"))
    world["d.json"] = "{\n"
    #expect(world.run("backtest --merge d.json").err.contains("d.json:1:1: this is not a line of JSON"))
    world["e.json"] = try #require(world["a.json"]).replacing("\"format\":3", with: "\"format\":9")
    #expect(world.run("backtest --merge e.json").err.contains("this part has format 9"))
  }
}
