import Foundation
import SKANBase
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

  private func plan(_ name: String, shard: Shard = .whole) throws -> BacktestPlan {
    BacktestPlan([try model(name)], currency: .usd, startsAtFirstRow: true, until: .afterAll, shard: shard)
  }

  private func summary(_ plan: BacktestPlan, _ list: RandomList, jobs: Int = 1) throws -> BacktestSummary {
    let run = BacktestRun(plan)
    try run.add(ListReader("list", ByteSource(list.bytes)))
    return try run.summary(jobs: jobs)
  }

  /// Runs the list as `skan replay` does, and counts the outcomes of the steps until the third window is over.
  private func replayed(
    _ list: RandomList, _ model: ConversionModel
  ) throws -> (values: [LifeValues], outcomes: [Int]) {
    var outcomes = [Int](repeating: 0, count: BacktestTally(nameCount: 0).outcomes.count)
    var begun: [Int: Instant] = [:]
    let phones = ListPhones(StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: model))), keepsNames: true)
    let reader = ListReader("list", ByteSource(list.bytes))
    var step = Step(.details)
    while case .step? = try reader.next(into: &step) {
      let completed = try phones.run(step)
      if case .device = step.operation { continue }
      let start = begun[step.phone] ?? completed.at
      begun[step.phone] = start
      if completed.at.since(start) < .hours(35 * 24) { outcomes[Int(completed.report.outcome.rawValue)] += 1 }
    }
    return (phones.names.indices.map { LifeValues(phones.phone(at: $0).device.framework) }, outcomes)
  }

  /// Holds what a backtest counts against what a replay of the same steps comes to.
  private func expectEqual(_ tally: BacktestTally, _ replay: (values: [LifeValues], outcomes: [Int])) {
    #expect(tally.outcomes == replay.outcomes)
    #expect(tally.fine.map(\.users) == (0..<64).map { value in replay.values.count { $0.fine == value } })
    for window in ConversionWindow.allCases {
      #expect(
        tally.coarse[window].map(\.users) == (0...3).map { value in replay.values.count { $0.coarse[window] == value } }
      )
      #expect(tally.locks[window].locks == replay.values.count { $0.lockedAt[window] != nil })
      #expect(tally.postbacks[window].postbacks == replay.values.count { $0.leaves[window] })
    }
  }

  /// Most of the updates are not asked for in a backtest, since they are answered as those before them: whatever the phone,
  /// its settings and the model, and where an error comes instead of an answer.
  @Test("each step comes to what it comes to in a replay", arguments: models, [1, 2, 3])
  func eachStep(name: String, seed: Int) throws {
    let list = RandomList(
      seed: UInt64(seed), phones: 60, steps: 60, kinds: RandomList.kinds,
      currencies: seed == 3 ? ["USD", "USD", "USD", "EUR"] : ["USD"])
    let replay = try replayed(list, try model(name).model)
    let tally = try summary(plan(name), list).total.model
    expectEqual(tally, replay)
  }

  /// Hours from which on a value can be had, or no longer, change an answer without anything that the user did, and an event
  /// that locks does so with values that stay.
  @Test("each step comes to what it comes to in a replay with hours of values and an event that locks")
  func eachStepComes() throws {
    let list = RandomList(seed: 12, phones: 150, steps: 80, kinds: RandomList.kinds)
    var events = try model("events").model
    for index in events.fine.indices {
      events.fine[index].mapping.minHours = Int64(index * 5)
      events.fine[index].mapping.maxHours = Int64(index * 5 + 30)
    }
    for window in ConversionWindow.allCases {
      for index in events.windows[window].coarse.indices {
        events.windows[window].coarse[index].mapping.minHours = Int64(20 + index * 70)
      }
    }
    events.measurementHours = 500
    events.windows[.p0].lock = .event("share")
    events.windows[.p1].lock = .event("share")
    let replay = try replayed(list, events)
    let plan = BacktestPlan(
      [BacktestModel(name: "", hash: 1, events)], currency: .usd, startsAtFirstRow: true, until: .afterAll)
    let tally = try summary(plan, list).total.model
    expectEqual(tally, replay)
  }

  @Test("a list of many more rows than are added at once loses none") func listMany() throws {
    let list = RandomList(seed: 9, phones: 600, steps: 40)
    #expect(list.lines.count > 10_000)
    let values = try replayed(list, try model("mixed").model).values
    let whole = try summary(plan("mixed"), list)
    var parts = try summary(plan("mixed", shard: Shard(index: 1, count: 2)), list, jobs: 2)
    parts.add(try summary(plan("mixed", shard: Shard(index: 2, count: 2)), list))
    #expect(parts == whole)
    let tally = whole.total.model
    #expect(tally.devices == 600)
    #expect(tally.fine.map(\.users) == (0..<64).map { value in values.count { $0.fine == value } })
  }
}

extension Instant {
  /// A time by which all devices of tests have ended their windows.
  static let afterAll = Instant(microseconds: 4_000_000_000_000_000)
}

/// A list of many phones with sessions, events and revenue, in the order of time; the same seed gives the same one.
struct RandomList {
  /// The keys of the phones' installs, one after the other.
  static let kinds = [
    "", #","ios":"14.5""#, #","ios":"15.4""#, #","ios":"16.0""#, #","snippet":"skan4-beta""#,
    #","ios":"15.0","snippet":"skan3""#, #","snippet":"skan3""#,
    #","settings":{"clock-start":"first_launch","window-edges":"end_included"}"#,
    #","settings":{"coarse-without":"keep","carry-over":"yes","fine-only-calls":"every_window"}"#,
    #","settings":{"coarse-without":"literal_none","after-lock":"error_10","after-windows":"error_10"}"#,
    #","ios":"16.0","settings":{"fine-only-calls":"every_window","carry-over":"yes","register-again":"ignored"}"#,
  ]

  private var random: SplitMix64
  private let currencies: [String]
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - kinds: those of the phones; only the usual one without them.
  ///   - currencies: those of amounts.
  init(seed: UInt64, phones: Int, steps: Int, kinds: [String] = [""], currencies: [String] = ["USD"]) {
    self.currencies = currencies
    random = SplitMix64(seed: seed)
    let start = 1_767_225_600
    var all: [(time: Int, line: String)] = []
    for phone in 0..<phones {
      let name = "\(seed)-\(phone)"
      let begin = start + Int(random.next(through: 86_400 * 10))
      all.append((begin, #"{"op":"register","device":"\#(name)","at":\#(begin)}"#))
      for _ in 0..<Int(random.next(through: UInt64(steps))) {
        // Most happens in the first days.
        let share = Double(random.next(through: 1000)) / 1000
        let time = begin + 1 + Int(share * share * 37 * 86_400)
        all.append((time, step(name, time)))
      }
    }
    all.sort { ($0.time, $0.line) < ($1.time, $1.line) }
    let installs = (0..<phones).map { #"{"op":"device","device":"\#(seed)-\#($0)"\#(kinds[$0 % kinds.count])}"# }
    lines = installs + all.map(\.line)
  }

  private mutating func step(_ name: String, _ time: Int) -> String {
    let head = #""device":"\#(name)","at":\#(time)"#
    let kind = random.next(through: 9)
    switch kind {
    case 0...3: return #"{"op":"session",\#(head)}"#
    case 4...6:
      let event = ["purchase", "tutorial_done", "level_up", "share"][Int(random.next(through: 3))]
      return #"{"op":"event",\#(head),"name":"\#(event)"}"#
    default:
      let cents = Int(random.next(through: 4000)) - 200
      let isAd = kind == 9
      let currency =
        currencies.count == 1 ? currencies[0] : currencies[Int(random.next(through: UInt64(currencies.count - 1)))]
      return
        #"{"op":"revenue",\#(head),"amount":\#(Double(cents) / 100),"currency":"\#(currency)","ad_monetization":\#(isAd)}"#
    }
  }

  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
