import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// The numbers of a report, computed again from the rows of its CSV, and its CSV from the counts.
@Suite("Numbers of a backtest's report")
struct ReportNumbersTests {
  /// A summary of two models and three groups whose counts are random, some of them 0.
  private func summary(_ seed: Int) throws -> BacktestSummary {
    var random = SplitMix64(seed: UInt64(seed) + 70)
    let models = try ["mixed", "iap-revenue"].map { name in
      let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/\(name).json")))
      return BacktestModel(name: name, hash: 1, try ConversionModel(bytes))
    }
    var summary = try BacktestRun(BacktestPlan(models, currency: .usd)).summary(jobs: 1)
    summary.header.groupColumn = "campaign"
    for name in ["", "a", "b"] {
      var group = GroupTally(summary.header)
      for index in group.models.indices {
        group.models[index].forEachNumber { number, unit in
          if Int.random(in: 0...2, using: &random) > 0 {
            number = .random(in: unit == .money ? -40_000_000...90_000_000 : 1...9_000, using: &random)
          }
        }
        // Without users there is no revenue.
        for value in 0..<64 where group.models[index].fine[value].users == 0 {
          group.models[index].fine[value] = BacktestTally.ValueCell()
        }
        for window in ConversionWindow.allCases {
          for value in 0..<4 where group.models[index].coarse[window][value].users == 0 {
            group.models[index].coarse[window][value] = BacktestTally.CoarseCell()
          }
        }
        group.models[index].devices = group.models[index].fine.map(\.users).reduce(0, +)
        // Few counts, so that several days have the most.
        for day in 20_000..<20_006 where Bool.random(using: &random) {
          group.models[index].departures[day] = (0..<3).map { _ in .random(in: 0...3, using: &random) }
        }
      }
      summary.groups[name] = group
    }
    return summary
  }

  /// The number that a cell begins with; nil without one.
  private func number(_ text: some StringProtocol) -> Double? {
    Double(text.prefix { "+-.0123456789".contains($0) })
  }

  /// Whether a cell has this number, rounded to its decimals; `-` for what cannot be divided.
  private func expect(_ cell: String, _ expected: Double?, _ place: String) {
    guard let expected, expected.isFinite else { return #expect(cell == "-", "\(place)") }
    let decimals = cell.prefix { $0 != " " && $0 != "%" }.split(separator: ".").dropFirst().first?.count ?? 0
    let unit = (0..<decimals).reduce(1.0) { unit, _ in unit / 10 }
    #expect(number(cell).map { abs($0 - expected) <= unit * 0.500_001 } == true, "\(place): \(cell), not \(expected)")
  }

  /// The rows of the CSV with a window and a value, or with a tier, of a group (nil for all) and model.
  private func rows(_ csv: [[String: String]], _ group: String?, _ model: String, _ keys: [String: String])
    -> [[String: String]]
  {
    csv.filter { row in
      (group == nil || row["group"] == group) && row["model"] == model && keys.allSatisfy { row[$0.key] == $0.value }
    }
  }

  private func sum(_ rows: [[String: String]], _ column: String) -> Double {
    rows.reduce(0) { $0 + (Double($1[column] ?? "") ?? 0) }
  }

  private func table(_ csv: String) -> [[String: String]] {
    let lines = csv.split(separator: "\n").map {
      $0.replacing("'-", with: "-").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private static let windows = ["P0", "P1", "P2"]

  @Test("Tables and charts have the sums of the CSV's rows", arguments: Rounds.of(4))
  func tables(seed: Int) throws {
    let summary = try summary(seed)
    let report = BacktestReport(summary)
    let csv = table(report.csv)
    func part(_ title: String) throws -> (rows: [[String: String]], bars: [Int], part: ReportPart) {
      let part = try #require(report.parts.first { $0.title.hasPrefix(title) })
      return (part.rows.map { Dictionary(zip(part.columns.map(\.name), $0)) { $1 } }, part.bars, part)
    }
    let models = ["mixed", "iap-revenue"]
    let fineKeys = ["window": "0", "tier": ""]
    // The fine values of each model, and their chart.
    let fine = try part("Fine values")
    #expect(fine.rows.count == fine.bars.count && fine.rows.count > 100)
    for (row, bar) in zip(fine.rows, fine.bars) {
      let (value, model) = (row["value"] ?? "", row["model"] ?? "")
      let own = rows(csv, nil, model, ["window": "0", "value": value])
      let users = sum(own, "users")
      #expect(row["users"] == "\(Int(users))" && bar == Int(users))
      for (column, key) in [
        ("true 48 h", "revenue_48h"), ("7 d", "revenue_7d"), ("35 d", "revenue_35d"), ("decoded", "decoded"),
      ] {
        expect(row[column] ?? "", sum(own, key), "fine \(value) \(column)")
      }
      expect(row["average error per user"] ?? "", users == 0 ? nil : sum(own, "error") / users, "fine \(value)")
    }
    for (model, chart) in zip(models, fine.part.charts) {
      let expected = (0..<64).map { value -> [Double] in
        let own = rows(csv, nil, model, ["window": "0", "value": "\(value)"])
        return [sum(own, "revenue_48h"), sum(own, "decoded")]
      }.enumerated().filter { $1 != [0, 0] }
      #expect(chart.title.contains(" of \(model), in USD") && chart.rows.map(\.name) == expected.map { "\($0.offset)" })
      for (row, expected) in zip(chart.rows, expected) {
        for (bar, number) in zip(row.bars, expected.element) {
          #expect(abs(bar.size / 1e6 - number) < 0.000_01)
          expect(bar.text, number, "chart \(row.name)")
        }
      }
    }
    // The sums, of all and of each group.
    let groups = try part("By campaign")
    #expect(groups.rows.map { $0["model"] ?? "" } == models + models + models)
    let shownDevices = groups.rows.filter { $0["model"] == "mixed" }.compactMap { Int($0["users"] ?? "") }
    #expect(shownDevices == shownDevices.sorted(by: >))
    for (row, bar) in zip(groups.rows, groups.bars) {
      let name = row["campaign"] == "-" ? "" : row["campaign"]
      let own = rows(csv, name, row["model"] ?? "", fineKeys).filter { $0["revenue_48h"] != "" }
      let (truth, decoded) = (sum(own, "revenue_48h"), sum(own, "decoded"))
      #expect(bar == Int(sum(own, "users")))
      expect(row["users"] ?? "", sum(own, "users"), "group users")
      expect(row["true 48 h"] ?? "", truth, "group true 48 h")
      expect(row["35 d"] ?? "", sum(own, "revenue_35d"), "group 35 d")
      expect(row["decoded"] ?? "", decoded, "group decoded")
      expect(row["decoded − true"] ?? "", 100 * (decoded - truth) / truth, "group decoded − true")
      expect(row["at 0"] ?? "", 100 * sum(own.filter { $0["value"] == "0" }, "users") / sum(own, "users"), "group at 0")
      expect(row["total error, % of revenue"] ?? "", 100 * sum(own, "error") / truth, "group total error, % of revenue")
    }
    let accuracy = try part("Decoded against true")
    for row in accuracy.rows {
      for model in models {
        let own = rows(csv, nil, model, fineKeys).filter { $0["revenue_48h"] != "" }
        let (truth, decoded) = (sum(own, "revenue_48h"), sum(own, "decoded"))
        let expected: [String: Double] = [
          "true revenue": truth, "decoded revenue": decoded, "decoded − true": 100 * (decoded - truth) / truth,
          "average error per user": sum(own, "error") / sum(own, "users"),
          "total error, % of revenue": 100 * sum(own, "error") / truth,
        ]
        if let number = expected[row[""] ?? ""] { expect(row[model] ?? "", number, "accuracy \(row)") }
      }
    }
    let coarse = try part("Coarse values")
    for row in coarse.rows {
      let window = "\(Self.windows.firstIndex(of: row["window"] ?? "") ?? 9)"
      let own = rows(csv, nil, row["model"] ?? "", ["window": window, "value": row["value"] ?? ""])
      let users = sum(own, "users")
      expect(row["users"] ?? "", users, "coarse users")
      expect(row["true revenue"] ?? "", sum(own, "revenue_in_window"), "coarse true revenue")
      expect(row["decoded"] ?? "", sum(own, "decoded"), "coarse decoded")
      expect(
        row["average error per user"] ?? "", users == 0 ? nil : sum(own, "error") / users,
        "coarse average error per user")
    }
    let tiers = try part("What a postback data tier")
    let chart = try #require(tiers.part.charts.first)
    for row in tiers.rows {
      let (tier, model) = (row["tier"] ?? "", row["model"] ?? "")
      let own = rows(csv, nil, model, ["tier": tier])
      // The chart has shares of what the first model's users spent.
      let truth = sum(rows(csv, nil, models[0], ["tier": tier]), "revenue_48h")
      expect(row["decoded"] ?? "", sum(own, "decoded"), "tier decoded")
      expect(row["total error, % of revenue"] ?? "", 100 * sum(own, "error") / truth, "tier total error, % of revenue")
      let bar = try #require(chart.rows.first { $0.name == "tier \(tier)" }).bars[models.firstIndex(of: model) ?? 0]
      #expect(abs(bar.size - sum(own, "error") / truth) < 0.000_01 && bar.text == row["total error, % of revenue"])
    }
  }

  @Test("Days have the postbacks that leave on them, and the first of the busiest is named", arguments: Rounds.of(4))
  func days(seed: Int) throws {
    let report = BacktestReport(try summary(seed))
    let days = try #require(report.parts.first { $0.title.hasPrefix("Postbacks by day") })
    let all = report.total.models
    let keys = Set(all.flatMap(\.departures.keys)).sorted()
    let expected = keys.flatMap { day in
      zip(["mixed", "iap-revenue"], all).compactMap { name, tally in
        tally.departures[day].map { ["\(BacktestReport.day(day))", name] + ($0 + [$0.reduce(0, +)]).map { "\($0)" } }
      }
    }
    #expect(days.rows == expected && days.bars.map { "\($0)" } == expected.map { $0[5] })
    let postbacks = try #require(report.parts.first { $0.title == "Postbacks" })
    let column = try #require(postbacks.columns.firstIndex { $0.name == "most on a day" })
    for row in postbacks.rows {
      let window = try #require(Self.windows.firstIndex(of: row[0]))
      let own = all[row[1] == "mixed" ? 0 : 1].departures.map { ($0.value[window], $0.key) }
      let most = own.map(\.0).max()
      let first = own.filter { $0.0 == most }.map(\.1).min()
      #expect(row[column] == first.map { "\(most ?? 0) on \(BacktestReport.day($0))" } ?? "-")
    }
  }

  @Test("The CSV has each count in units", arguments: Rounds.of(2))
  func csv(seed: Int) throws {
    let summary = try summary(seed)
    let csv = table(BacktestReport(summary).csv)
    func expectCells(_ row: [String: String], _ cells: [String: Int]) {
      for (column, micros) in cells {
        #expect(row[column].flatMap(Double.init).map { ($0 * 1e6).rounded() } == Double(micros), "\(column) \(row)")
      }
    }
    for (name, group) in summary.groups {
      for (model, tally) in zip(["mixed", "iap-revenue"], group.models) {
        for (value, cell) in tally.fine.enumerated() where cell.users > 0 {
          let row = try #require(rows(csv, name, model, ["window": "0", "value": "\(value)"]).first)
          #expect(row["users"] == "\(cell.users)")
          expectCells(
            row,
            [
              "revenue_48h": cell.revenue48h, "revenue_7d": cell.revenue7d, "revenue_35d": cell.revenue35d,
              "revenue_in_window": cell.revenue48h, "decoded": cell.decoded, "error": cell.error,
            ])
        }
        for window in ConversionWindow.allCases {
          for (value, cell) in zip(BacktestReport.coarseNames, tally.coarse[window]) where cell.users > 0 {
            let row = try #require(rows(csv, name, model, ["window": "\(window.rawValue)", "value": value]).first)
            #expect(row["users"] == "\(cell.users)")
            expectCells(row, ["revenue_in_window": cell.revenue, "decoded": cell.decoded, "error": cell.error])
          }
        }
        for (tier, cell) in tally.tiers.enumerated() {
          let row = try #require(rows(csv, name, model, ["tier": "\(tier)"]).first)
          expectCells(row, ["decoded": cell.decoded, "error": cell.error])
        }
      }
    }
  }
}
