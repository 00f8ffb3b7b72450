import Foundation
import SKANCommand
import Testing

@testable import SKANCommandLine

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
