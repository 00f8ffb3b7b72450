import SKANDevice
import SKANSystem
import SKANRun

/// Runs devices and counts them, on one thread.
final class LifeWorker {
  private let plan: BacktestPlan
  private var assembler: LifeAssembler
  private let counter: LifeCounter
  private let otherCounter: LifeCounter?
  /// By the index of the group.
  private var groups: [Int: GroupTally] = [:]

  init(_ plan: BacktestPlan, _ profiles: LifeProfiles) {
    self.plan = plan
    assembler = LifeAssembler(
      currency: plan.currency, rates: plan.rates, startsAtFirstRow: plan.startsAtFirstRow)
    func counter(_ model: BacktestModel) -> LifeCounter {
      LifeCounter(model.model, names: plan.names, profiles: profiles, currency: plan.currency, plan.rates)
    }
    self.counter = counter(plan.model)
    otherCounter = plan.other.map(counter)
  }

  /// Runs a device.
  func run(_ key: DeviceKey, _ records: DeviceRecords) {
    if let life = assembler.life(of: key, records) { count(life) }
  }

  /// Runs the device whose rows come in the order of time.
  func run(_ key: DeviceKey, _ rows: [(time: Instant, event: PackedEvent)]) {
    if let life = assembler.life(of: key, rows) { count(life) }
  }

  private func count(_ life: DeviceLife) {
    var tally =
      groups.removeValue(forKey: life.group)
      ?? GroupTally(nameCount: plan.header.names.count, compares: plan.other != nil)
    let values = counter.count(life, &tally.model)
    if let otherCounter, var other = tally.other {
      tally.other = nil
      tally.changes.count(values, otherCounter.count(life, &other))
      tally.other = other
    }
    groups[life.group] = tally
  }

  /// Adds everything that was counted.
  ///
  /// - Parameter names: of the groups, by their indices.
  func add(to summary: inout BacktestSummary, names: [String]) {
    summary.input += assembler.tally
    for (index, tally) in groups { summary.add(tally, to: names[index]) }
  }
}
