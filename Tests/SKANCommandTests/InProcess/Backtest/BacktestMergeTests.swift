import Foundation
import SKANCommand
import Testing

@Suite("skan backtest --merge")
struct BacktestMergeTests {
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
    #expect(world.run("backtest --merge part-3.json part-1.json part-2.json \(form)") == whole)
    // The partitions of an engine have no shard, and those without a device are all the same.
    world["empty.csv"] = ""
    for (part, file) in [("a.json", "empty.csv"), ("b.json", "may.csv"), ("c.json", "empty.csv")] {
      world[part] = world.run("\(Self.line) \(file) --compare iap-revenue.json --by campaign --partial").out
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
      ("1of3 2of3", "skan: shard 3 of 3 is missing: name a part of each shard\n"),
      ("2of3", "skan: shards 1, 3 of 3 are missing: name a part of each shard\n"),
      ("1of20", "skan: shards \(more) and 7 more of 20 are missing: name a part of each shard\n"),
      (
        "1of3 copy 2of3",
        "copy:1:1: this part and that of 1of3:1 are both shard 1/3: name one part of each shard, made from the whole "
          + "input\n"
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

  @Test("Parts of versions that did not write their shard are added up as before; one that is there again is said")
  func older() throws {
    let world = try World.withBacktest()
    for index in 1...3 {
      let part = world.run("\(Self.line) may.csv --shard \(index)/3 --partial").out
      world["\(index).json"] = part.replacing(",\"shard\":\"\(index)/3\"", with: "")
      #expect(world["\(index).json"] != part)
    }
    #expect(world.run("backtest --merge 1.json 2.json 3.json") == world.run("\(Self.line) may.csv"))
    world["copy"] = world["1.json"]
    let twice = world.run("backtest --merge 1.json 2.json copy")
    #expect(twice.code == .ok && !twice.out.isEmpty)
    #expect(
      twice.err
        == "skan: copy:1 is 1.json:1 again, byte for byte: if it is the same part, its devices count twice\n")
    world["both"] = String(repeating: try #require(world["1.json"]), count: 3)
    #expect(
      world.run("backtest --merge both").err
        == "skan: both:2 is both:1 again, byte for byte, and 1 more part likewise: if it is the same part, its devices "
        + "count twice\n")
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
}
