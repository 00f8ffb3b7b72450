import Foundation
import SKANDevice
import SKANModel
import SKANStorage

/// A backtest: rows are added in the order of the input, and then all devices run.
///
///     let run = BacktestRun(plan)
///     var (packer, block) = (run.packer(), PartitionedBlock())
///     run.add(row, by: &packer, to: &block)
///     try run.append(&block)
///     let summary = try run.summary(jobs: 2)
package final class BacktestRun: @unchecked Sendable {
  package let plan: BacktestPlan
  let groups = GroupTable()
  let profiles = LifeProfiles()
  let partitions: EventPartitions
  /// Guards what follows.
  private let lock = NSLock()
  /// What was counted before any device runs.
  private var input = InputTally()

  /// - Parameter directory: for the temporary file; `TMPDIR`, else `/tmp`, when it is nil.
  package init(_ plan: BacktestPlan, directory: String? = nil) {
    self.plan = plan
    partitions = EventPartitions(directory: directory)
  }

  /// For one thread.
  package func packer() -> EventPacker { EventPacker(names: plan.names, groups: groups, shard: plan.shard) }

  /// Packs a row into a block, unless its device is in another shard.
  @inline(__always)
  package func add(_ row: borrowing ExportedRow, by packer: inout EventPacker, to block: inout PartitionedBlock) {
    guard unsafe packer.includes(row) else { return }
    let (key, time) = unsafe (DeviceKey(row.device), row.time)
    unsafe packer.pack(row).withBytes { unsafe block.append(key, at: time, payload: $0) }
  }

  /// Adds the rows of a block, and empties it.
  package func append(_ block: inout PartitionedBlock) throws(FileError) { try partitions.append(&block) }

  /// Adds to what is counted of the input.
  package func add(_ tally: InputTally) {
    lock.lock()
    input += tally
    lock.unlock()
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
  package func summary(jobs: Int, isInterrupted: @Sendable () -> Bool = { false }) throws(FileError) -> BacktestSummary
  {
    let shared = SharedSummary(BacktestSummary(plan.header), buckets: partitions.buckets)
    let names = groups.names
    withoutActuallyEscaping(isInterrupted) { isInterrupted in
      DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
        let worker = LifeWorker(plan, profiles)
        while let bucket = shared.next(), !isInterrupted() {
          do throws(FileError) {
            try partitions.read(bucket).forEachDevice { key, records in worker.run(key, records) }
          } catch {
            shared.fail(error)
          }
        }
        shared.add(worker, names: names)
      }
    }
    var summary = try shared.result()
    summary.input += input
    return summary
  }

  /// What the threads share.
  private final class SharedSummary: @unchecked Sendable {
    private let lock = NSLock()
    private var summary: BacktestSummary
    private var buckets: Range<Int>
    private var failure: FileError?

    init(_ summary: BacktestSummary, buckets: Range<Int>) {
      self.summary = summary
      self.buckets = buckets
    }

    /// The next bucket; nil after the last, and after a failure.
    func next() -> Int? {
      lock.lock()
      defer { lock.unlock() }
      return failure == nil ? buckets.popFirst() : nil
    }

    func fail(_ error: FileError) {
      lock.lock()
      failure = failure ?? error
      lock.unlock()
    }

    func add(_ worker: LifeWorker, names: [String]) {
      lock.lock()
      worker.add(to: &summary, names: names)
      lock.unlock()
    }

    func result() throws(FileError) -> BacktestSummary {
      if let failure { throw failure }
      return summary
    }
  }
}
