import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// Every number of every count, as reflection finds them, is that of the parts together.
@Suite("Parts add up in every number")
struct SumTests {
  /// A summary in which every number is random.
  private func summary(_ random: inout SplitMix64) throws -> BacktestSummary {
    let models = try ["mixed", "iap-revenue"].map { name in
      let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/\(name).json")))
      return BacktestModel(name: name, hash: 1, try ConversionModel(bytes))
    }
    var summary = try BacktestRun(BacktestPlan(models, currency: .usd)).summary(jobs: 1)
    for name in ["", "a", "b"] where Int.random(in: 0...3, using: &random) > 0 {
      var group = GroupTally(summary.header)
      for index in group.models.indices {
        group.models[index].forEachNumber { $0 = .random(in: $1 == .money ? -1000...1000 : 1...1000, using: &random) }
        for _ in 0..<3 {
          group.models[index].departures[.random(in: 20_000...20_004, using: &random)] = (0..<3).map { _ in
            .random(in: 1...99, using: &random)
          }
        }
      }
      for index in group.changes.indices {
        group.changes[index].forEachNumber { number, _ in number = .random(in: 1...1000, using: &random) }
      }
      summary.groups[name] = group
    }
    func number() -> Int64 { .random(in: 1...1000, using: &random) }
    // The fields of a partial result, each with a number or with a table of numbers.
    let members = (InputTally.partialFields.json(summary.input).members ?? []).map { key, value in
      switch value {
      case .integer: return (key, JSON.integer(number()))
      case .array(let windows) where key == "young": return (key, JSON.array(windows.map { _ in .integer(number()) }))
      case .object:
        let keys = key == "starts" ? ["20000", "20001", "20002"] : ["USD", "EUR", "it names no device"]
        return (key, JSON.object(keys.map { ($0, .integer(number())) }))
      default: return (key, JSON.array([1, 2].map { .integer($0 * 1_000_000_000_000_000 + number()) }))
      }
    }
    summary.header.mapping = [nil, 5].randomElement(using: &random) ?? nil
    summary.input = try #require(InputTally(.object(members)))
    return summary
  }

  @Test("Parts of a backtest, from their lines, in any order", arguments: Rounds.of(2))
  func parts(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 40)
    var parts: [BacktestSummary] = []
    for _ in 0..<4 { parts.append(try summary(&random)) }
    let sum = parts.reduce(Numbers()) { $0 + Numbers($1).without("header", "input.span") }
    let total = sum.byPath.filter { $0.key.hasPrefix("groups") }.reduce(into: [:]) {
      $0[$1.key.replacing(/^groups\[[^\]]*\]/, with: ""), default: 0] += $1.value
    }
    #expect(sum.silent == [] && sum.byPath.count > 1000)
    for _ in 0..<3 {
      parts.shuffle(using: &random)
      let read = try parts.map { part in
        try BacktestPart(line: Array(BacktestPart(part, origin: .shard(.whole), inputHash: 1).line.utf8)).summary
      }
      var merged = read[0]
      for part in read.dropFirst() { merged.add(part) }
      #expect(Numbers(merged).without("header", "input.span").differences(from: sum) == [])
      #expect(merged.header.mapping == parts.compactMap(\.header.mapping).first)
      let spans = parts.compactMap(\.input.span)
      #expect(merged.input.span?.lowerBound == spans.map(\.lowerBound).min())
      #expect(merged.input.span?.upperBound == spans.map(\.upperBound).max())
      let whole = Dictionary(uniqueKeysWithValues: Numbers(merged.total).byPath.map { (".\($0.key)", $0.value) })
      #expect(whole == total.filter { $0.value != 0 })
    }
  }

  /// A tally in which every number is random.
  private func rows(_ random: inout SplitMix64) -> ImportTally {
    func number() -> Int { .random(in: 1...99, using: &random) }
    var tally = ImportTally()
    (tally.rows, tally.zeroAmounts, tally.repeatedHeaders) = (number(), number(), number())
    (tally.transactions, tally.withoutTransaction) = (number(), number())
    (tally.revenues, tally.purchases, tally.purchasesWithoutRevenue) = (number(), number(), number())
    (tally.unreadInstalls, tally.blanks) = (number(), tally.blanks.map { _ in number() })
    for path in [\ImportTally.mapped, \.rejected, \.timeForms] {
      tally[keyPath: path] = tally[keyPath: path].map { _ in number() }
    }
    // A part has as many filters and device columns as it has seen.
    for path in [\ImportTally.filtered, \.devices] { tally[keyPath: path] = (0...number() % 3).map { _ in number() } }
    let times = [number(), number()].sorted().map { Instant(microseconds: Int64($0)) }
    (tally.first, tally.last) = (times[0], times[1])
    for _ in 0..<20 {
      let reason = ImportRejection.allCases[number() % 3]
      tally.add(
        ImportTally.Rejected(fileIndex: number() % 2, file: "", line: number() * 100 + number(), reason: reason))
    }
    return tally
  }

  @Test(
    "Tallies of blocks of rows, in any order: sums, ends, and the first places of each reason", arguments: Rounds.of(3))
  func blocks(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 50)
    var blocks = [rows(&random), rows(&random), rows(&random)]
    let sum = blocks.reduce(Numbers()) { $0 + Numbers($1).without("places", "first", "last") }
    #expect(sum.silent == [])
    let places = blocks.flatMap(\.places)
    var expected: [(Int, Int)] = []
    for group in Dictionary(grouping: places, by: \.reason).values {
      let ordered: [(Int, Int)] = group.map { ($0.fileIndex, $0.line) }.sorted(by: <)
      expected += ordered.prefix(ImportTally.mostPlaces)
    }
    expected.sort(by: <)
    for _ in 0..<3 {
      blocks.shuffle(using: &random)
      var merged = blocks[0]
      for block in blocks.dropFirst() { merged += block }
      #expect(Numbers(merged).without("places", "first", "last").differences(from: sum) == [])
      let input = InputTally(merged, ExportPreset.plain.mapping, in: .whole)
      #expect(input.rejected.values.reduce(0, +) == merged.rejectedRows && input.purchases == merged.purchases)
      #expect(InputTally(merged, ExportPreset.plain.mapping, in: Shard(index: 2, count: 2)) == InputTally())
      #expect(merged.first == blocks.compactMap(\.first).min() && merged.last == blocks.compactMap(\.last).max())
      #expect(merged.places.map { [$0.fileIndex, $0.line] } == expected.map { [$0.0, $0.1] })
    }
  }

  /// Numbers of a fit's report that say nothing of how many devices there are.
  private static let asked = [
    "format", "hours", "limits", "postback", "boundaries_micros", "model", "values", "events",
  ]

  @Test("A fit to devices that are there twice has twice each count and sum", arguments: Rounds.of(4))
  func fits(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 90)
    func device(ended: Int, isHeldOut: Bool) -> FitDevice {
      func money() -> Int { [0, 0, 990_000, 4_990_000, 9_990_000].randomElement(using: &random) ?? 0 }
      let gross = PerWindow(money(), money(), money())
      func net(_ window: ConversionWindow) -> Int { gross[window] - (Bool.random(using: &random) ? 0 : 480_000) }
      func had() -> UInt64 { .random(in: 0...7, using: &random) }
      return FitDevice(
        revenue: PerWindow(net(.p0), net(.p1), net(.p2)), gross: gross, had: PerWindow(had(), had(), had()),
        isHeldOut: isHeldOut, ended: ended)
    }
    let devices = (0..<60).map { device(ended: $0 % 3 + 1, isHeldOut: $0 % 5 == 0) }
    let events = FitEvents(weights: [("level", 2_000_000), ("trial", 5_000_000), ("share", 500_000)])
    func numbers(_ copies: Int) -> Numbers {
      let all = Array(repeating: devices, count: copies).flatMap(\.self)
      var tally = InputTally()
      (tally.devices, tally.withoutBeginning) = (70 * copies, 10 * copies)
      let fit = ModelFit(
        all, values: 4, events: events, currency: .usd,
        ModelFit.Options(limits: .none, step: seed % 2 == 0 ? nil : 250_000, hours: 48))
      let report = FitReport(
        fit, tally, until: nil, fit.errors(all, measured: all), tiers: TierShares([0.25, 0.25, 0.25, 0.25]))
      for part in report.parts where !part.bars.isEmpty {
        let devices = part.columns.firstIndex { $0.name == "devices" }
        #expect(part.bars.map { "\($0)" } == part.rows.map { row in devices.map { row[$0] } ?? "" }, "\(part.title)")
      }
      return Numbers(
        [
          FitReport.fields(model: .integer).json(report), FitReport.choiceFields.json([report]),
        ])
    }
    let (once, twice) = (numbers(1), numbers(2))
    func isAsked(_ path: String) -> Bool {
      path.split { ".[]".contains($0) }.contains { Self.asked.contains(String($0)) }
    }
    var counted = 0
    for (path, number) in once.byPath {
      // Other ladders depend on ranks, and the expected error is rounded.
      if ["quantiles", "log_equal", "k_means"].contains(where: path.contains) { continue }
      let expected = isAsked(path) ? number : 2 * number
      #expect(abs((twice.byPath[path] ?? 0) - expected) < (path.contains("expected") ? 2 : 1), "\(path)")
      if !isAsked(path) { counted += 1 }
    }
    #expect(counted > 50 && once.fields == twice.fields)
  }
}
