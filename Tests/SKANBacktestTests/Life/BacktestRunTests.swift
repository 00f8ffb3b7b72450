import Foundation
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

@Suite struct BacktestRunTests {
  private static let models = ["mixed", "events", "iap-revenue", "all-revenue", "ad-revenue", "engagement", "sample"]

  private func model(_ name: String) throws -> BacktestModel {
    let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/\(name).json")))
    return BacktestModel(name: "\(name).json", hash: 1, try ConversionModel(bytes))
  }

  private func plan(
    _ name: String, other: String? = nil, shard: Shard = .whole
  ) throws -> BacktestPlan {
    BacktestPlan(
      try model(name), other: try other.map { try model($0) }, currency: .usd, startsAtFirstRow: true, shard: shard)
  }

  private func summary(_ plan: BacktestPlan, _ list: RandomList, jobs: Int = 1) throws -> BacktestSummary {
    let run = BacktestRun(plan)
    try run.add(ListReader("list", ByteSource(list.bytes)))
    return try run.summary(jobs: jobs)
  }

  /// The same list as `skan replay` runs it.
  private func replayed(_ list: RandomList, _ model: ConversionModel) throws -> [LifeValues] {
    let lists = ListRunner(StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: model))), keepsNames: true)
    let reader = ListReader("list", ByteSource(list.bytes))
    var step = Step(.details)
    while case .step? = try reader.next(into: &step) { _ = try lists.complete(step) }
    return lists.names.indices.map { LifeValues(lists.phone(at: $0).device.framework) }
  }

  @Test(arguments: models)
  func `each phone ends with the values that a replay of its list gives it`(name: String) throws {
    let list = RandomList(seed: 11, phones: 150, steps: 30)
    let values = try replayed(list, try model(name).model)
    let tally = try summary(plan(name), list).total.model
    #expect(tally.devices == 150)
    #expect(tally.fine.map(\.users) == (0..<64).map { value in values.count { $0.fine == value } })
    for window in ConversionWindow.allCases {
      #expect(tally.coarse[window].map(\.users) == (0...3).map { value in values.count { $0.coarse[window] == value } })
      #expect(tally.postbacks[window].postbacks == values.count { $0.leaves[window] })
      #expect(tally.locks[window].locks == values.count { $0.lockedAt[window] != nil })
    }
  }

  @Test func `the parts of a backtest add up to the whole, in any order and with any number of threads`() throws {
    let list = RandomList(seed: 5, phones: 90, steps: 25)
    for (name, other) in [("mixed", "iap-revenue"), ("engagement", nil), ("iap-revenue", "iap-revenue")] {
      let whole = try summary(plan(name, other: other), list)
      #expect(try summary(plan(name, other: other), list, jobs: 3) == whole)
      for count in [2, 5, 17] {
        var random = SplitMix64(seed: UInt64(count))
        let lines = try (1...count).map { index in
          let shard = Shard(index: index, count: count)
          return BacktestPart(
            try summary(plan(name, other: other, shard: shard), list, jobs: 2), origin: .shard(shard), inputHash: 1
          ).line
        }.shuffled(using: &random)
        let parts = try lines.map { try BacktestPart(line: Array($0.utf8)) }
        var merged = parts[0].summary
        for part in parts.dropFirst() { merged.add(part.summary) }
        #expect(merged == whole)
        #expect(BacktestReport(merged).json == BacktestReport(whole).json)
        #expect(BacktestReport(merged).html == BacktestReport(whole).html)
        #expect(BacktestReport(merged).csv == BacktestReport(whole).csv)
      }
    }
  }

  @Test func `a model that is compared with itself changes nothing`() throws {
    let total = try summary(plan("mixed", other: "mixed"), RandomList(seed: 3, phones: 60, steps: 20)).total
    #expect(total.changes == GroupTally.Changes())
    #expect(total.other == total.model)
  }

  @Test func `a model that is compared with another counts the devices whose values change`() throws {
    let list = RandomList(seed: 4, phones: 80, steps: 20)
    let total = try summary(plan("mixed", other: "engagement"), list).total
    let (one, two) = (try replayed(list, try model("mixed").model), try replayed(list, try model("engagement").model))
    #expect(total.changes.fineHigher == zip(one, two).count { $0.fine < $1.fine })
    #expect(total.changes.fineLower == zip(one, two).count { $0.fine > $1.fine })
    #expect(total.changes.any == zip(one, two).count { $0.fine != $1.fine || $0.coarse != $1.coarse })
  }

  @Test func `a list of many more rows than are added at once loses none`() throws {
    let list = RandomList(seed: 9, phones: 600, steps: 40)
    #expect(list.lines.count > 10_000)
    let values = try replayed(list, try model("mixed").model)
    let tally = try summary(plan("mixed"), list).total.model
    #expect(tally.devices == 600)
    #expect(tally.fine.map(\.users) == (0..<64).map { value in values.count { $0.fine == value } })
  }
}
