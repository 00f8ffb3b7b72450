import Foundation
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("The input of a backtest")
struct BacktestInputTests {
  private static let line = "backtest --model mixed.json --mapping mapping.json"

  @Test("What the input lacks stands above the report")
  func headline() throws {
    let world = try World.withBacktest()
    world["model.json"] = world["mixed.json"]
    world["odd.csv"] = """
      device,time,name,revenue,currency,transaction,installed,ad_revenue
      a,1767225600,install,,,,,
      a,1767225700,purchase,5,CHF,t1,,
      a,1767225700,purchase,5,CHF,t1,,
      a,1767225800,purchase,5,USD,t2,,true
      a,1767225900,install,,,,,
      b,1767225600,login,,,,,
      b,1767225601,install,,,,,
      ,1767225600,login,,,,,
      c,never,login,,,,,
      """
    let run = world.run("backtest --model model.json --dedupe tx --until 2026-01-04T00:00:00Z odd.csv")
    #expect(run.code == .ok)
    #expect(
      run.out.hasPrefix(
        """
        2 devices with the model model.json, revenue in USD
        6 rows of 2 devices, from 2026-01-01T00:00:00Z to 2026-01-01T00:05:00Z
        each window counts only the devices that have ended it by 2026-01-04T00:00:00Z: P0 2, P1 0 and P2 0
        1 repeated row left out
        1 row before the beginning of the device, left out
        1 later install of the same devices, without effect
        1 row cannot be used: it names no device
        1 row cannot be used: its time cannot be read, or is not between 2000 and 2100
        1 row with revenue in CHF, for which there is no rate: not in true revenue

        """), "\(run.out)")
    world["empty.csv"] = ""
    let none = world.run("backtest --model model.json empty.csv")
    #expect(none.code == .noInput && none.out.isEmpty && none.err.contains("no row"), "\(none)")
    // A part of an input may be empty.
    let part = world.run("backtest --model model.json empty.csv --partial --run a --until 0 --part 1/2")
    #expect(part.code == .ok && part.out.contains(#""span":null"#), "\(part)")
  }

  @Test("JSON Lines without a transaction have none that --dedupe tx compares", arguments: ["", "--grouped"])
  func transactions(option: String) throws {
    let world = try World.withBacktest()
    let first = #"{"device":"a","time":1767225600,"name":"install","transacton":"t0"}"#
    world["rows.jsonl"] = "\(first)\n"
    let line =
      "backtest --model mixed.json --preset plain --dedupe tx --until 2026-03-01T00:00:00Z rows.jsonl \(option)"
    #expect(
      world.run(line)
        == Consequences(
          .badData,
          err:
            "skan: --dedupe tx: no row has a value in the column \"transaction\"; did you mean \"transacton\"?\n"))
    // Each shard reads all rows; of rows that were divided before a part may have none.
    #expect(world.run("\(line) --partial").code == .badData)
    #expect(world.run("\(line) --partial --run may --part 1/2").code == .ok)
    // What the first object lacks, another one may have.
    let later = #"{"device":"a","time":1767225700,"name":"purchase","transaction":"t1"}"#
    world["rows.jsonl"] = "\(first)\n\(later)\n\(later)\n"
    let run = world.run(line)
    #expect(run.code == .ok && run.out.contains("1 repeated row left out\n"), "\(run)")
  }

  @Test("Where nobody bought anything there is no transaction, and nothing to say; a purchase should have one")
  func noPurchase() throws {
    let world = try World.withBacktest()
    let rows = #"{"device":"a","time":1767225600,"name":"install"}"# + "\n"
    world["rows.jsonl"] = rows
    for line in [
      "import --preset plain -o list.jsonl", "backtest --model mixed.json --preset plain --until 2026-03-01T00:00:00Z",
    ] {
      #expect(world.run("\(line) --dedupe tx rows.jsonl").code == .ok, "\(world.errors)")
    }
    world["rows.jsonl"] =
      rows + #"{"device":"a","time":1767225700,"name":"buy","revenue":3,"currency":"USD"}"# + "\n"
    for line in ["import --preset plain -o list.jsonl", "backtest --model mixed.json --preset plain"] {
      #expect(
        world.run("\(line) --dedupe tx rows.jsonl").err
          == "skan: --dedupe tx: no row has a value in the column \"transaction\"\n")
    }
  }

  @Test("Rows of two devices that are the same in what is compared both count", arguments: ["", "--grouped"])
  func duplicatesOfOthers(option: String) throws {
    let world = try World.withBacktest()
    let devices = (0..<40).map { "d\($0),1767225600,install\nd\($0),1767225700,level\nd\($0),1767225700,level\n" }
    world["rows.csv"] = "device,time,name\n\(devices.joined())"
    let run = world.run(
      "backtest --model mixed.json --dedupe name,time --json --jobs 1 --until 2026-03-01T00:00:00Z rows.csv \(option)")
    #expect(run.out.contains("\"duplicates\":40") && run.out.contains("\"rows\":80,"), "\(run)")
  }

  /// A device with four rows, and one with three.
  private static let many =
    "device,time,name\nb,1767225600,install\nunknown,1767225600,install\n"
    + (1...3).map { "unknown,176722570\($0),x\n" }.joined() + "b,1767225601,x\nb,1767225602,x\n"

  @Test(
    "A device with more rows than one may have is refused with one of its rows",
    arguments: [
      ("import --check", 3, "4"), ("import -o list.jsonl", 3, "4"), ("backtest --model mixed.json", 3, "4"),
      ("backtest --model mixed.json --shard 1/1 --partial --jobs 3", 3, "4"),
      ("backtest --model mixed.json --grouped", 6, "more"), ("model fit --values 3 --least-devices 1", 3, "4"),
    ])
  func tooManyRows(line: String, place: Int, count: String) throws {
    let world = try World.withBacktest()
    world["many.csv"] = Self.many
    // Grouped: the first device, and then the other.
    world["grouped.csv"] = Self.many.replacing("b,1767225601,x\nb,1767225602,x\n", with: "")
    let file = line.hasSuffix("--grouped") ? "grouped.csv" : "many.csv"
    world.set { $0.mostRowsOfDevice = 3 }
    let message =
      "the device of this row has \(count) rows, and at most 3 of one device are kept in memory. Is it one device, or what the "
      + "export writes for many? \"where\" in a mapping file leaves it out\n"
    let run = world.run("\(line) \(file)")
    #expect(run.code == .badData && run.out == "" && run.changes == [])
    #expect(run.err.hasSuffix("\(file):\(place): \(message)"), "\(run.err)")
    if !line.hasSuffix("--grouped") {
      // What cannot be read twice does not tell where.
      world.set { $0.input = Self.many }
      #expect(world.run("\(line) -").err.hasSuffix("skan: one device\(message.dropFirst(22))"), "\(world.errors)")
    }
    world.set { $0.mostRowsOfDevice = 4 }
    let enough = world.run("\(line) \(file)")
    #expect(!enough.err.contains("at most"), "\(enough.err)")
  }

  @Test("So is a phone of a list")
  func tooManySteps() throws {
    let world = try World.withBacktest()
    world["list.jsonl"] =
      "{\"op\":\"register\"}\n" + String(repeating: "{\"op\":\"session\",\"after\":\"1s\"}\n", count: 4)
    world.set { $0.mostRowsOfDevice = 3 }
    for (option, place) in [
      ("", "1: the device of this row has 5"), ("--grouped", "4: the device of this row has more"),
    ] {
      let run = world.run("backtest --model mixed.json list.jsonl \(option)")
      #expect(run.code == .badData && run.err.hasPrefix("list.jsonl:\(place) rows, and at most 3 "), "\(run.err)")
    }
  }

  @Test("A row that cannot be used stops a backtest, grouped or not", arguments: ["", "--grouped", "--jobs 3"])
  func tooManyErrors(option: String) throws {
    let world = try World.withBacktest()
    world["a.csv"] = "device,time,name\na,never,x\na,1767225600,x\n"
    let run = world.run("backtest --model mixed.json --max-errors 0 \(option) a.csv")
    #expect(run.code == .badData && run.out == "")
    #expect(
      run.err
        == "skan: a.csv: read with preset plain, by its columns\n"
        + "a.csv:2: its time cannot be read, or is not between 2000 and 2100: \"never\"\n"
        + "skan: times are read as 2026-05-01 09:00:00, also with a T, a fraction, Z, UTC or +02:00, and Unix time in s, ms, "
        + "us or ns\n"
        + "skan: --date-format reads others, such as \"MM/DD/YYYY h:mm:ss AM\", DD.MM.YYYY and Excel's\n"
        + "skan: more than 0 rows cannot be used; --max-errors allows more, and --max-errors unlimited any number\n",
      "\(run)")
    world["open.csv"] = "device,time,name\na,1767225600,\"x\n"
    let open = world.run("backtest --model mixed.json \(option) open.csv")
    #expect(open.code == .badData)
    #expect(open.err.hasSuffix("\nopen.csv:2: a quote in this line opens a field that never ends\n"), "\(open)")
  }

  @Test("An interrupted backtest has no report", arguments: ["may.csv", "list.jsonl", "may.csv --grouped"])
  func interrupted(input: String) throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = "{\"op\":\"register\"}\n"
    world.set { $0.isInterrupted = true }
    let run = world.run("\(Self.line) \(input)")
    #expect(run.code == .interrupted && run.out == "", "\(run)")
  }

  @Test(
    "A list with mistakes is refused, each mistake at its line",
    arguments: [
      (#"{"op":"sesion"}"#, "list.jsonl:2:7: there is no op \"sesion\"; did you mean \"session\"?"),
      (#"{"op":"session","after":"4000000d"}"#, "list.jsonl:2"),
      (#"{"op":"session","at":253402300799,"took":"2s"}"#, "list.jsonl:2"),
    ])
  func wrongList(step: String, says: String) throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = "{\"op\":\"register\"}\n\(step)\n"
    for option in ["", "--grouped"] {
      let run = world.run("backtest --model mixed.json list.jsonl \(option)")
      #expect(run.code == .badData && run.out == "")
      #expect(run.err.hasPrefix(says), "\(run)")
    }
  }

  @Test("A phone of a list may be another one, take its time, and come back")
  func phones() throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = """
      {"op":"device","device":"a","ios":"15.0","at":1767225600}
      {"op":"device","device":"b"}
      {"op":"register","device":"a"}
      {"op":"session","device":"a","after":"1h","took":"5s"}
      {"op":"revenue","device":"a","amount":0,"currency":"USD"}
      {"op":"event","device":"a","name":"purchase"}
      {"op":"register","device":"b"}
      {"op":"session","device":"a","after":"1h"}
      {"op":"device","device":"a","snippet":"skan3"}
      {"op":"register","device":"a"}
      """
    let run = world.run("backtest --model mixed.json list.jsonl --json --until 2026-01-20T00:00:00Z")
    #expect(run.code == .ok)
    #expect(run.out.contains(#""devices":2,"devices_unfinished":2,"devices_without_beginning":0"#), "\(run)")
    #expect(run.out.contains("\"further_installs\":1"), "\(run)")
    #expect(
      world.run("backtest --model mixed.json list.jsonl --grouped").err
        == "list.jsonl:8: this device had rows before, and another one since: leave out --grouped, or sort the input\n")
    // Steps of one device may stand in any order of time.
    world["back.jsonl"] = """
      {"op":"register","at":1767225600}
      {"op":"event","name":"purchase","at":1767232800}
      {"op":"session","at":1767229200}
      """
    #expect(
      world.run("backtest --model mixed.json back.jsonl --until 2026-03-01T00:00:00Z --grouped")
        == world.run("backtest --model mixed.json back.jsonl --until 2026-03-01T00:00:00Z"))
  }

  @Test("Rows that the mapping leaves out, and a model without fine values")
  func coarseAlone() throws {
    let world = try World.withBacktest()
    world["coarse.json"] = """
      {"postback_mappings":[{"postback_sequence_index":0,"coarse_grained_conversion_value_mappings":{
        "low_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"purchase"}]}}}]}
      """
    world["live.json"] = """
      {"format":1,"preset":"plain","where":{"column":"env","equals":"live"}}
      """
    world["a.csv"] = """
      device,time,name,env
      a,1767225600,install,live
      a,1767225700,purchase,live
      a,1767225800,purchase,test
      """
    let run = world.run(
      "backtest --model coarse.json --mapping live.json --by env --until 2026-03-01T00:00:00Z a.csv")
    #expect(run.code == .ok)
    #expect(run.out.contains("1 row left out by the mapping: env is not live\n"), "\(run)")
    #expect(run.out.contains(/users at the highest value +-\n/), "\(run)")
    #expect(run.out.contains("No fine value of coarse.json says anything about revenue."), "\(run)")
    let json = world.run(
      "backtest --model coarse.json --mapping live.json --json --until 2026-03-01T00:00:00Z a.csv")
    #expect(json.out.contains(#""at_highest":null"#), "\(json)")
  }
}
