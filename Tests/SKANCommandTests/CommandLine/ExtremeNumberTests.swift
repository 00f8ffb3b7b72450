import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Numbers at the edges of what programs can hold, in every place of every file that a command reads and in every option. A place
/// that traps ends the test process.
@Suite("Extreme numbers, in files and options")
struct ExtremeNumberTests {
  /// The command lines that read the files of a folder of fixtures; FILE is the file.
  private static let readers: [(folder: String, lines: [String])] = [
    (
      "models", ["model check FILE", "model explain --json FILE", "session --model FILE", "verify --model FILE p.json"]
    ),
    ("traffic", ["check --json FILE", "check -q --to-list out FILE"]),
    ("exports", ["import --check --json FILE", "backtest --model m.json --json FILE"]),
    ("hazards", ["replay --json FILE", "replay FILE"]),
    ("life-cycle", ["replay -q --report-json out FILE", "timeline FILE"]),
    ("adattributionkit", ["replay --json FILE"]),
    ("postbacks", ["verify --json FILE", "receive --into out FILE"]),
    ("backtest", ["backtest --model m.json --mapping FILE e.csv", "import --check --mapping FILE e.csv"]),
  ]
  /// The most bytes of a fixture: a larger one has no other kinds of numbers.
  private static let largest = 9_000

  /// A phone with a history, an export and a model.
  private func world() throws -> World {
    let files = try Self.files.get()
    return World { $0.files = files }
  }

  private static let files = Result {
    let world = World()
    world["m.json"] = try text("models/mixed.json")
    world["e.csv"] =
      "device,time,name,revenue,currency\nA,2026-01-01T00:00:00Z,install,,\nA,2026-01-02T00:00:00Z,purchase,9.99,USD\n"
    world["p.json"] = try text("postbacks/apple-4.0-fine.json")
    world.run("install --ios 16.4 --at 2026-01-01T00:00:00Z")
    world.run("register")
    world.run("revenue 9.99 USD")
    world.run("session --after 5s --model m.json")
    return world.state.withLock { $0.files }
  }

  private static func text(_ fixture: String) throws -> String {
    try String(contentsOf: Checkout.fixtures.appending(path: fixture), encoding: .utf8)
  }

  /// Runs a command line, which must end as one that was refused or one that worked.
  private func run(_ line: String, _ world: World, _ what: String) {
    let result = world.run(line)
    #expect(result.code != .internalError && result.code != .interrupted, "\(line): \(what)")
  }

  @Test("Every number of a file, by every command that reads it", arguments: readers.indices) func everyNumber(
    index: Int
  ) throws {
    let (folder, lines) = Self.readers[index]
    let names = try FileManager.default.contentsOfDirectory(atPath: Checkout.fixtures.appending(path: folder).path)
    let files = names.sorted().compactMap { try? Self.text("\(folder)/\($0)") }.filter { $0.utf8.count <= Self.largest }
    #expect(!files.isEmpty)
    for round in Rounds.of(1) {
      for (number, file) in files.enumerated() {
        let world = try world()
        for variant in ExtremeNumber.variants(of: file, atMost: 4, round: round * 7 + number) {
          world["f"] = variant
          for line in lines { run(line.replacing("FILE", with: "f"), world, variant) }
        }
      }
    }
  }

  /// Files that `skan` itself writes, with the command lines that read them.
  @Test("Every number of a file that skan has written") func everyNumberFile() throws {
    let world = try world()
    world.run("backtest --model m.json --partial --start-at-first-row --until 2027-01-01T00:00:00Z e.csv")
    let part = world.output
    world.run("backtest --model m.json --compare m.json --json --start-at-first-row --until 2027-01-01T00:00:00Z e.csv")
    world.run("receive p.json")
    let own: [(text: String?, lines: [String])] = [
      (
        world["skan-state.json"],
        [
          "details --table --state f", "session --state f --answer {\"json\":{\"conversion_value\":2}}",
          "timeline --state f", "postbacks --at +35d --tier all --state f", "history --state f", "relaunch --state f",
        ]
      ),
      (
        part,
        ["backtest --merge f", "backtest --merge --json f", "backtest --merge --csv f", "backtest --merge --html - f"]
      ),
      (world["received.jsonl"], ["report f", "report --json f"]),
    ]
    for (text, lines) in own {
      let text = try #require(text)
      for round in Rounds.of(1) {
        for variant in ExtremeNumber.variants(of: text, atMost: 100, round: round * 5) {
          for line in lines {
            world["f"] = variant
            run(line, world, variant)
          }
        }
      }
    }
  }

  @Test("A part with a number that no backtest counts is refused") func partWith() throws {
    let world = try world()
    world.run("backtest --model m.json --partial --start-at-first-row --until 2027-01-01T00:00:00Z e.csv")
    let part = world.output
    let places = part.ranges(of: /[\[,:]\d+(?=[\],}])/).map { part.index(after: $0.lowerBound)..<$0.upperBound }
    #expect(places.count > 300)
    let numbers = ["-9223372036854775808", "9223372036854775807", "-1152921504606846977", "1e400"]
    for (index, place) in places.enumerated() where !part[..<place.lowerBound].hasSuffix("\"format\":") {
      for number in Rounds.areMany ? numbers[...] : numbers[(index % 4)...].prefix(1) {
        world["f"] = part[..<place.lowerBound] + number + part[place.upperBound...]
        #expect(world.run("backtest --merge f").code == .badData, "\(part[..<place.lowerBound].suffix(60))\(number)")
      }
    }
  }

  /// The kinds of values that are numbers, or have some.
  private static let numeric: Set<ValueKind> = [
    .integer, .number, .duration, .time, .size, .version, .json, .pair, .text,
  ]
  /// They would go on for ever, or write where the test is.
  private static let leftOut: Set<String> = ["serve", "init", "completion"]

  @Test("Every option of every command", arguments: CommandLineTool.commands.indices) func everyOption(index: Int)
    throws
  {
    let spec = CommandLineTool.commands[index]
    if Self.leftOut.contains(spec.name) { return }
    let world = try world()
    let state = world["skan-state.json"]
    let arguments = spec.arguments.map { $0 == "AMOUNT" ? "5" : $0 == "CURRENCY" ? "USD" : "m.json" }
    for round in Rounds.of(2) {
      for (place, row) in spec.options.enumerated() where Self.numeric.contains(row.kind) {
        for offset in 0..<5 {
          let number = ExtremeNumber.texts[(place + offset * 5 + round) % ExtremeNumber.texts.count]
          for value in [number, "\(number)s", "+\(number)d"] {
            world["skan-state.json"] = state
            let line = "\(spec.name) --\(row.name)=\(value) "
            run(line, world, "\(arguments)")
            world.run(line, arguments: arguments)
          }
        }
      }
    }
  }
}
