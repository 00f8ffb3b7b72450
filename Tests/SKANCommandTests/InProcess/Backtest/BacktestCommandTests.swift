import Foundation
import SKANCommand
import Testing

@Suite("skan backtest")
struct BacktestCommandTests {
  private static let line = "backtest --model mixed.json --mapping mapping.json"

  @Test("Shards, merged in any order, are the whole in every form", arguments: ["", "--json", "--csv", "--html -"])
  func merge(form: String) throws {
    let world = try World.withBacktest()
    let whole = world.run("\(Self.line) may.csv --compare iap-revenue.json --by campaign \(form)")
    #expect(whole.code == .ok)
    for index in 1...3 {
      let part = world.run(
        "\(Self.line) may.csv --compare iap-revenue.json --by campaign --shard \(index)/3 --partial --jobs \(index)")
      #expect(part.code == .ok)
      world["part-\(index).json"] = part.out
    }
    world["empty.csv"] = ""
    world["part-0.json"] =
      world.run("\(Self.line) empty.csv --compare iap-revenue.json --by campaign --partial").out
    let merged = world.run("backtest --merge part-3.json part-0.json part-1.json part-2.json \(form)")
    #expect(merged == whole)
  }

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
    let out = world.run("backtest --model mixed.json list.jsonl").out
    #expect(out.contains("1 device with the model mixed.json"))
    #expect(out.contains("1 step about something else than values"))
    #expect(out.contains("20      1  100.0 %       7.00"))
    #expect(world.run("backtest --model mixed.json --grouped list.jsonl").out == out)
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
    #expect(world.run("\(Self.line) --by campaign rows.jsonl").code == .ok)
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
    world["e.json"] = try #require(world["a.json"]).replacing("\"format\":1", with: "\"format\":9")
    #expect(world.run("backtest --merge e.json").err.contains("this part has format 9"))
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
}
