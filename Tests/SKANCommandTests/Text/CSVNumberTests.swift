import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// What spreadsheets and data frames read of tables that commands print.
@Suite("Numbers in CSV are numbers")
struct CSVNumberTests {
  /// Rows with refunds, of which windows have less than nothing, and texts that look like formulas.
  private static let refunds = """
    device,time,name,revenue,currency,campaign
    -A,2026-05-01T00:00:00Z,install,,,=1+1
    -A,2026-05-01T00:10:00Z,purchase,5,USD,=1+1
    -A,2026-05-05T00:10:00Z,refund,-5,USD,=1+1
    B,2026-05-01T00:00:00Z,install,,,-2
    B,2026-05-01T00:10:00Z,refund,-7.5,USD,-2
    B,2026-06-20T00:00:00Z,__SESSION__,,,-2

    """

  /// A command line with a table for each command that prints one.
  private static let lines: [CommandName: String] = [
    .backtest: "backtest --csv --model mixed.json --compare iap-revenue.json --by campaign --devices list refunds.csv",
    .check: "check --csv capture.ndjson",
    .modelWorth: "model worth --csv --model mixed.json --until 2026-07-01T00:00:00Z --by campaign refunds.csv",
    .report: "report --csv received.jsonl",
  ]

  private func world() throws -> World {
    let world = World.canCheckSignatures ? try World.withPostbacks() : World()
    world.run("receive apple.jsonl simulated.jsonl --key public.pem")
    for name in ["mixed", "iap-revenue"] { world["\(name).json"] = try Workspace.exampleModel(name) }
    world["refunds.csv"] = Self.refunds
    let capture = Checkout.fixtures.appending(path: "traffic/rules/idfv-missing.ndjson")
    world["capture.ndjson"] = try String(contentsOf: capture, encoding: .utf8)
    return world
  }

  /// The columns of a table, each with its cells.
  private func columns(_ table: String) -> [(name: String, cells: [String])] {
    let rows = table.split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return rows[0].indices.map { index in (rows[0][index], rows.dropFirst().compactMap { $0.dropFirst(index).first }) }
  }

  @Test("Every command with --csv: no number is guarded as a formula, and a column of numbers has nothing else")
  func tables() throws {
    let commands = CommandName.allCases.filter { $0.spec.options.contains { $0.name == "csv" } }
    #expect(Set(commands) == Set(Self.lines.keys), "each command that prints a table needs a line here")
    let world = try world()
    for command in commands where command != .report || World.canCheckSignatures {
      let run = world.run(Self.lines[command] ?? "")
      let tables = [run.out] + (command == .backtest ? [world["list"] ?? ""] : [])
      for table in tables {
        #expect(table.split(separator: "\n").count > 1, "\(command): \(run)")
        for (name, cells) in columns(table) {
          for cell in cells where cell.hasPrefix("'") {
            #expect(Double(cell.dropFirst()) == nil, "\(command): \(name): \(cell)")
          }
        }
      }
    }
  }

  @Test("The numbers of a backtest with refunds, and its texts")
  func backtest() throws {
    let world = try world()
    let table = columns(world.run(Self.lines[.backtest] ?? "").out)
    let texts = ["group", "model", "value", "scope"]
    for (name, cells) in table where !texts.contains(name) {
      #expect(
        cells.allSatisfy { $0.isEmpty || Double($0) != nil } && cells.contains { !$0.isEmpty }, "\(name): \(cells)")
    }
    func cells(_ name: String) -> [String] { table.first { $0.name == name }?.cells ?? [] }
    #expect(cells("revenue_in_window").contains("-5.000000") && cells("revenue_in_window").contains("-7.500000"))
    // A group that is a number stays one.
    #expect(Set(cells("group")) == ["", "'=1+1", "-2"])
    // All devices together come first, as without groups.
    let alone = world.run("backtest --csv --model mixed.json --compare iap-revenue.json refunds.csv").out
    #expect(world.run(Self.lines[.backtest] ?? "").out.hasPrefix(alone) && !alone.contains(",group\n"))
    let list = columns(world["list"] ?? "")
    let numbers = ["fine", "lock_p0", "lock_p1", "lock_p2", "revenue_2d", "revenue_7d", "revenue_35d", "fine_2"]
    for (name, cells) in list where numbers.contains(name) {
      #expect(cells.allSatisfy { $0.isEmpty || Double($0) != nil }, "\(name): \(cells)")
    }
    #expect(list.first { $0.name == "device" }?.cells.sorted() == ["'-A", "B"])
    #expect(Set(list.first { $0.name == "revenue_7d" }?.cells ?? []) == ["0.000000", "-7.500000"])
  }

  @Test(
    "A text that a spreadsheet would evaluate is guarded, and a number is not",
    arguments: [
      ("-5.000000", "-5.000000"), ("+3", "+3"), ("-1e-6", "-1e-6"), ("-.5", "-.5"), ("-", "'-"), ("-5+2", "'-5+2"),
      ("=5", "'=5"), ("-inf", "'-inf"), ("-0x10", "'-0x10"), ("-5 ", "'-5 "), ("@x", "'@x"), ("5", "5"), ("", ""),
      ("-1,5", "\"'-1,5\""), ("-e", "'-e"),
    ])
  func fields(text: String, field: String) { #expect(text.csvField == field) }
}
