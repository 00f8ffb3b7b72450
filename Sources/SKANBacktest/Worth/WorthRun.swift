import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// How worths are learned.
package struct WorthRequest: Sendable {
  package var seed: UInt64
  package var resamples: Int
  /// A value with fewer devices is filled up with its neighbours' mean to this number; 0 for none.
  package var shrinkBelow: Int
  /// The least number of devices that have ended 35 days in a group with worths of its own.
  package var leastDevices: Int

  package init(seed: UInt64 = 1, resamples: Int = 1000, shrinkBelow: Int = 30, leastDevices: Int = 100) {
    (self.seed, self.resamples, self.shrinkBelow, self.leastDevices) = (seed, resamples, shrinkBelow, leastDevices)
  }

  /// The most groups. Each takes up to 3 MB in each thread with 1,000 resamples.
  package static let mostGroups = 100
}

/// The sums of worths, and the counts of the backtest that they are from.
package struct WorthSummary: Sendable {
  package var backtest: BacktestSummary
  /// The tallies by value of the column of `--by`.
  var groups: [String: WorthTally] = [:]
}

/// Runs devices, and adds them to the worths of their values, on one thread.
final class WorthWorker {
  private let plan: BacktestPlan
  private var assembler: LifeAssembler
  private let counter: LifeCounter
  private var weights: ResampleWeights
  /// The tallies by index of the group.
  private var groups: [Int: (counts: GroupTally, worth: WorthTally)] = [:]

  /// - Parameter until: the end of what was observed.
  init(_ run: BacktestRun, _ request: WorthRequest, until: Instant) {
    plan = run.plan
    assembler = LifeAssembler(plan, until: until)
    counter = LifeCounter(
      plan.models[0].model, names: plan.names, profiles: run.profiles, currency: plan.currency, plan.rates)
    weights = ResampleWeights(seed: request.seed, resamples: request.resamples)
  }

  func run(_ key: DeviceKey, _ records: DeviceRecords) {
    guard let life = assembler.life(of: key, records) else { return }
    let amounts = life.amounts
    var tally = groups.removeValue(forKey: life.group) ?? (GroupTally(plan.header), WorthTally())
    let values = counter.count(life, amounts, &tally.counts.models[0])
    if life.counts(.p0) {
      weights.draw(key)
      tally.worth.add(WorthDevice(life, amounts), values, life, weights.weights)
    }
    groups[life.group] = tally
  }

  /// Adds all sums to a summary.
  ///
  /// - Parameter names: the names of the groups, by index.
  func add(to summary: inout WorthSummary, names: [String]) {
    summary.backtest.input += assembler.tally
    for (index, tally) in groups {
      summary.backtest.add(tally.counts, to: names[index])
      summary.groups[names[index], default: WorthTally()] += tally.worth
    }
  }
}

extension BacktestRun {
  /// Whether the column of `--by` has more values than worths can be learned for.
  package var hasTooManyWorthGroups: Bool { groups.overflowed || groups.names.count > WorthRequest.mostGroups + 1 }

  /// Runs all devices with the plan's first model.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads; it does not affect the result.
  ///   - isInterrupted: asked regularly; the summary is meaningless after an interruption.
  package func worth(
    _ request: WorthRequest, jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(EventPartitions.ReadFailure) -> WorthSummary {
    let until = self.until
    let names = groups.names
    var summary = try partitions.reduce(
      into: WorthSummary(backtest: BacktestSummary(plan.header)), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { WorthWorker(self, request, until: until ?? Instant(microseconds: .min)) },
      visit: { worker, key, records in worker.run(key, records) },
      add: { summary, worker in worker.add(to: &summary, names: names) })
    summary.backtest.header.until = until
    summary.backtest.input += input.withLock { $0.tally }
    return summary
  }
}
