import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem

/// A backtest. Rows are added in the order of the input; then all devices run.
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
  /// The counts of the input that are known before devices run, and the time of its last row, in this shard or not.
  let input = Monitor((tally: InputTally(), last: Instant?.none))

  /// - Parameter mostRows: the most rows of one device.
  package init(_ plan: BacktestPlan, mostRows: Int = EventPartitions.mostRecords) {
    self.plan = plan
    partitions = EventPartitions(mostRecords: mostRows)
  }

  /// A packer for one thread.
  package func packer() -> EventPacker { EventPacker(names: plan.names, groups: groups, shard: plan.shard) }

  /// Packs a row into a block, unless its device is in another shard.
  @inline(__always)
  package func add(_ row: borrowing ExportedRow, by packer: inout EventPacker, to block: PartitionedBlock) {
    guard unsafe packer.includes(row) else { return }
    let (key, time) = unsafe (DeviceKey(row.device), row.time)
    let event = unsafe packer.pack(row)
    let device = unsafe row.device
    block.append(key, at: time) {
      event.write(to: &$0)
      if plan.listsDevices { unsafe $0.putPlain(device) }
    }
  }

  /// Adds the rows of a block, and empties the block.
  package func append(_ block: PartitionedBlock) throws(FileError) { try partitions.append(block) }

  /// Adds counts of the input.
  package func add(_ tally: InputTally) {
    input.withLock { $0.tally += tally }
  }

  /// Notes the time of the last row of a part of the input.
  func noteLast(_ time: Instant?) {
    guard let time else { return }
    input.withLock { $0.last = max($0.last ?? time, time) }
  }

  /// Whether only devices that `model fit` holds out count.
  private let isHeldOut = Monitor(false)

  /// Lets only the devices count that `model fit` holds out. Devices that have run already are not affected, as those of a
  /// ``GroupedRun``.
  package func holdOut() { isHeldOut.withLock { $0 = true } }

  var holdsOut: Bool { isHeldOut.withLock { $0 } }

  /// The end of what was observed: that of the plan, or the last row so far; nil without rows.
  var until: Instant? { plan.until ?? input.withLock { $0.last } }

  /// Whether the column of `--by` has more values than there may be groups.
  package var hasTooManyGroups: Bool { groups.overflowed }

  /// The most groups.
  package static var mostGroups: Int { GroupTable.mostGroups }

  /// Runs all devices.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads; it does not affect the result.
  ///   - isInterrupted: asked regularly; the summary is meaningless after an interruption.
  ///   - list: receives pieces of the rows of devices, if the plan lists them, behind ``BacktestPlan/deviceColumns``. One
  ///     thread at a time calls it, in an order that depends on the identifiers alone. It returns false to stop.
  package func summary(
    jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false },
    list: @escaping ([UInt8]) -> Bool = { _ in true }
  ) throws(EventPartitions.ReadFailure) -> BacktestSummary {
    // Without rows there is no device.
    let until = self.until ?? Instant(microseconds: .min)
    let names = groups.names
    var summary = try partitions.reduce(
      into: BacktestSummary(plan.header), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { BacktestWorker(self, until: until) },
      visit: { worker, key, records in worker.run(key, records) },
      deliver: plan.listsDevices ? { worker in list(worker.takeRows()) } : nil,
      add: { summary, worker in worker.add(to: &summary, names: names) })
    summary.header.until = self.until
    summary.header.isHeldOut = holdsOut
    summary.input += input.withLock { $0.tally }
    return summary
  }

}

/// A named model of a backtest.
package struct BacktestModel: Sendable {
  /// The file's name without its folder.
  package let name: String
  /// FNV-1a (64 bits) of the file's bytes.
  package let hash: UInt64
  package let model: ConversionModel

  package init(name: String, hash: UInt64, _ model: ConversionModel) {
    self.name = name
    self.hash = hash
    self.model = model
  }
}

/// The settings of a backtest.
package struct BacktestPlan: Sendable {
  /// The models: that of the backtest, then those for comparison.
  package let models: [BacktestModel]
  package let rates: ExchangeRates
  /// The currency of the report.
  package let currency: CurrencyCode
  /// Whether a device whose beginning is not in the input begins with its first row; otherwise it is left out.
  package let startsAtFirstRow: Bool
  /// The end of what was observed: windows that end later do not count. Nil for the last row of the input.
  package let until: Instant?
  /// Whether each device gets a row, for which identifiers are kept.
  package let listsDevices: Bool
  package let shard: Shard
  package let header: BacktestHeader
  /// The events that the models use.
  let names: NameIndex

  /// The bytes with which every list of devices begins.
  package static var deviceStart: [UInt8] { Array(DeviceRows.header(models: 1).dropLast()) }

  /// The first line of a list of devices: its columns as CSV.
  package var deviceColumns: [UInt8] { DeviceRows.header(models: models.count) }

  /// - Parameters:
  ///   - models: at least one.
  ///   - until: the end of what was observed; nil for the last row of the input.
  ///   - groupColumn: the column of `--by`.
  ///   - optionsHash: a hash of everything else that affects the numbers: the mapping of the input and the rates.
  package init(
    _ models: [BacktestModel], rates: ExchangeRates = ExchangeRates(), currency: CurrencyCode,
    startsAtFirstRow: Bool = false, until: Instant? = nil, listsDevices: Bool = false, shard: Shard = .whole,
    groupColumn: String? = nil, optionsHash: UInt64 = 0
  ) {
    self.models = models
    self.rates = rates
    self.currency = currency
    self.startsAtFirstRow = startsAtFirstRow
    self.until = until
    self.listsDevices = listsDevices
    self.shard = shard
    let names = Set(models.flatMap(\.model.eventNames).filter { $0 != Device.sessionEventName }).sorted()
    self.names = NameIndex(names)
    func summary(_ model: BacktestModel) -> BacktestHeader.ModelSummary {
      BacktestHeader.ModelSummary(model, DecodeTable(model.model, currency: currency, rates))
    }
    header = BacktestHeader(
      models: models.map(summary), currency: currency.name, groupColumn: groupColumn,
      options: fnv1a("\(startsAtFirstRow)\n", after: optionsHash), names: names)
  }
}

extension BacktestRun {
  /// Why an export cannot be used.
  package enum IntakeFailure: Error, Equatable {
    case export(ExportFailure)
    case file(FileError)
    case interrupted
    /// The caller has stopped it.
    case stopped
    /// Rows of a device are not consecutive, although they should be.
    case broken(GroupedRun.Broken)
  }

  /// Adds the rows of a part of an export. Several threads parse its blocks, which are added in order.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads.
  ///   - report: receives the tally of each block in order; returns false to stop.
  package func add(
    _ blocks: ExportBlocks, _ mapping: ExportMapping, jobs: Int, isInterrupted: @escaping @Sendable () -> Bool,
    report: @escaping (ImportTally) -> Bool
  ) throws(IntakeFailure) {
    let shared = SharedInput(blocks: blocks, report: report)
    let queue = OrderedQueue<Never, IntakeFailure>()
    ThreadGroup.run(jobs) { [self] in
      let parser = ExportParser(mapping)
      var packer = packer()
      let part = PartitionedBlock()
      while let (number, block) = queue.take(shared.next) {
        if isInterrupted() { queue.fail(.interrupted) }
        let tally = unsafe parser.parse(block) { unsafe add($0, by: &packer, to: part) }
        queue.inTurn(of: number) { () throws(IntakeFailure) in
          do throws(FileError) { try append(part) } catch { throw .file(error) }
          noteLast(tally.last)
          if !shared.report(tally) { throw .stopped }
        }
      }
    }
    if let failure = queue.failure { throw failure }
  }

  /// The input that threads share; only the thread that has the queue uses it.
  private struct SharedInput: @unchecked Sendable {
    let blocks: ExportBlocks
    let report: (ImportTally) -> Bool

    func next() throws(IntakeFailure) -> ExportBlock? {
      do throws(ExportFailure) { return try blocks.next() } catch { throw .export(error) }
    }
  }

  /// Adds the steps of an event list.
  package func add(_ list: ListReader, isInterrupted: () -> Bool = { false }) throws(ListIntake.Failure) {
    /// The number of rows that are added at once.
    let most = 4096
    let block = PartitionedBlock()
    var count = 0
    var intake = ListIntake(names: plan.names, profiles: profiles, shard: plan.shard)
    let tally = try intake.read(list, isInterrupted: isInterrupted) { (row) throws(ListIntake.Failure) in
      block.append(row.key, at: row.time) {
        row.event.write(to: &$0)
        if plan.listsDevices { $0.putPlain(Array(row.device.utf8)) }
      }
      count += 1
      if count < most { return }
      count = 0
      do throws(FileError) { try append(block) } catch { throw .file(error) }
    }
    do throws(FileError) { try append(block) } catch { throw .file(error) }
    noteLast(intake.last)
    add(tally)
  }
}
