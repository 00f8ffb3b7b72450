import SKANDevice
import SKANModel
import SKANSystem
import SKANRun

/// A backtest: rows are added in the order of the input, and then all devices run.
///
///     let run = BacktestRun(plan)
///     var packer = run.packer()
///     let block = PartitionedBlock()
///     run.add(row, by: &packer, to: block)
///     try run.append(block)
///     let summary = try run.summary(jobs: 2)
package final class BacktestRun: Sendable {
  package let plan: BacktestPlan
  let groups = GroupTable()
  let profiles = LifeProfiles()
  let partitions: EventPartitions
  /// What was counted before any device runs.
  private let input = Monitor(InputTally())

  /// - Parameter mostRows: how many rows of one device there may be.
  package init(_ plan: BacktestPlan, mostRows: Int = EventPartitions.mostRecords) {
    self.plan = plan
    partitions = EventPartitions(mostRecords: mostRows)
  }

  /// For one thread.
  package func packer() -> EventPacker { EventPacker(names: plan.names, groups: groups, shard: plan.shard) }

  /// Packs a row into a block, unless its device is in another shard.
  @inline(__always)
  package func add(_ row: borrowing ExportedRow, by packer: inout EventPacker, to block: PartitionedBlock) {
    guard unsafe packer.includes(row) else { return }
    let (key, time) = unsafe (DeviceKey(row.device), row.time)
    let event = unsafe packer.pack(row)
    block.append(key, at: time) { event.write(to: &$0) }
  }

  /// Adds the rows of a block, and empties it.
  package func append(_ block: PartitionedBlock) throws(FileError) { try partitions.append(block) }

  /// Adds to what is counted of the input.
  package func add(_ tally: InputTally) {
    input.withLock { $0 += tally }
  }

  /// Whether the column of `--by` has more values than are counted as groups.
  package var hasTooManyGroups: Bool { groups.overflowed }

  /// How many groups there may be.
  package static var mostGroups: Int { GroupTable.mostGroups }

  /// Runs all devices.
  ///
  /// - Parameters:
  ///   - jobs: how many threads; the numbers do not depend on it.
  ///   - isInterrupted: asked now and then; what is counted then is of no use.
  package func summary(
    jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(EventPartitions.ReadFailure) -> BacktestSummary {
    let names = groups.names
    var summary = try partitions.reduce(
      into: BacktestSummary(plan.header), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { [plan, profiles] in LifeWorker(plan, profiles) },
      visit: { worker, key, records in worker.run(key, records) },
      add: { summary, worker in worker.add(to: &summary, names: names) })
    summary.input += input.withLock { $0 }
    return summary
  }
}
