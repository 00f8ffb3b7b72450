import SKANDevice
import SKANRun
import SKANSystem

/// A backtest of input in which all rows of a device are consecutive. Only one device is in memory at a time, and eight
/// bytes for each earlier one, to detect a device that occurs again.
///
/// Which windows have ended depends on the last row, unless the plan says until when the input goes. Until it is known,
/// devices that may be too young are set aside in the run's partitions.
package struct GroupedRun {
  /// Why a row cannot be added.
  package struct Broken: Error, Equatable {
    package enum Reason: Sendable, Equatable {
      /// The device occurred before another one, so its rows are not consecutive.
      case cameBack
      /// The device has more than the most rows.
      case tooManyRows
      /// Devices cannot be set aside.
      case file(FileError)
      /// The caller has stopped it.
      case stopped
    }

    package let reason: Reason
    /// The line number, from 1.
    package let line: Int
  }

  /// The number of bytes of rows of devices that are listed at once.
  private static let pieceSize = 1 << 16

  private let run: BacktestRun
  private let worker: BacktestWorker
  /// Receives pieces of the rows of devices; returns false to stop.
  private let list: ([UInt8]) -> Bool
  private let aside = PartitionedBlock()
  private var current: DeviceKey?
  private var identifier: [UInt8] = []
  private var rows: [(time: Instant, event: PackedEvent)] = []
  /// The lower halves of the keys of completed devices.
  private var over: Set<UInt64> = []
  /// The time of the last row so far.
  private var last = Instant(microseconds: .min)

  /// - Parameter list: receives pieces of the rows of devices, if the plan lists them; returns false to stop.
  package init(_ run: BacktestRun, list: @escaping ([UInt8]) -> Bool = { _ in true }) {
    self.run = run
    self.list = list
    // Without an end, only devices that have ended all windows run before the last row.
    worker = BacktestWorker(run, until: run.plan.until ?? Instant(microseconds: .max))
  }

  package mutating func add(_ row: borrowing ExportedRow, by packer: inout EventPacker) throws(Broken) {
    let time = unsafe row.time
    last = max(last, time)
    guard unsafe packer.includes(row) else { return }
    let (key, line) = unsafe (DeviceKey(row.device), row.line)
    if key != current {
      try begin(key, line: line)
      if run.plan.listsDevices { identifier = unsafe Array(row.device) }
    }
    try add(time, unsafe packer.pack(row), line: line)
  }

  mutating func add(_ row: ListIntake.Row) throws(Broken) {
    last = max(last, row.time)
    if row.key != current {
      try begin(row.key, line: row.line)
      if run.plan.listsDevices { identifier = Array(row.device.utf8) }
    }
    try add(row.time, row.event, line: row.line)
  }

  private mutating func begin(_ key: DeviceKey, line: Int) throws(Broken) {
    do throws(EventPartitions.ReadFailure) { try finishDevice() } catch {
      switch error {
      case .file(let error): throw Broken(reason: .file(error), line: line)
      case .stopped, .tooManyRecords: throw Broken(reason: .stopped, line: line)
      }
    }
    if over.contains(key.low) { throw Broken(reason: .cameBack, line: line) }
    current = key
  }

  private mutating func add(_ time: Instant, _ event: PackedEvent, line: Int) throws(Broken) {
    if rows.count == run.partitions.mostRecords { throw Broken(reason: .tooManyRows, line: line) }
    rows.append((time, event))
  }

  /// Adds counts of the input.
  package mutating func add(_ tally: InputTally) { run.add(tally) }

  /// Completes the last device, and returns the summary of all devices.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads that run the devices that were set aside.
  ///   - isInterrupted: asked regularly; the summary is meaningless after an interruption.
  package mutating func summary(
    jobs: Int, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(EventPartitions.ReadFailure) -> BacktestSummary {
    try finishDevice()
    try deliver(atLeast: 1)
    if last > Instant(microseconds: .min) { run.noteLast(last) }
    var summary = try run.summary(jobs: jobs, isInterrupted: isInterrupted, list: list)
    worker.add(to: &summary, names: run.groups.names)
    return summary
  }

  private mutating func finishDevice() throws(EventPartitions.ReadFailure) {
    guard let key = current else { return }
    over.insert(key.low)
    current = nil
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time }
    if !isSorted {
      rows = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
    if mayBeYoung {
      try setAside(key)
    } else {
      worker.run(key, identifier, rows)
      try deliver(atLeast: Self.pieceSize)
    }
    rows.removeAll(keepingCapacity: true)
  }

  /// Whether the device may not have ended its windows by the last row, which is not known yet. It begins at most two of
  /// the longest gaps after its first row.
  private var mayBeYoung: Bool {
    guard run.plan.until == nil, let first = rows.first?.time else { return false }
    return last.since(first) < TimeSpan(seconds: ConversionWindow.p2.end + 2 * 3600)
  }

  private func setAside(_ key: DeviceKey) throws(EventPartitions.ReadFailure) {
    for (time, event) in rows {
      aside.append(key, at: time) {
        event.write(to: &$0)
        $0.putPlain(identifier)
      }
    }
    do throws(FileError) { try run.append(aside) } catch { throw .file(error) }
  }

  /// Lists the rows of devices since the last time, if they have this size in bytes.
  private func deliver(atLeast size: Int) throws(EventPartitions.ReadFailure) {
    if worker.rowBytes >= size, !list(worker.takeRows()) { throw .stopped }
  }
}

/// Input in which the rows of each device are consecutive.
extension GroupedRun {
  /// Adds the rows of a part of an export.
  package mutating func add(
    _ blocks: ExportBlocks, _ mapping: ExportMapping, by run: BacktestRun, isInterrupted: () -> Bool,
    report: (ImportTally) -> Bool
  ) throws(BacktestRun.IntakeFailure) {
    let parser = ExportParser(mapping)
    var packer = run.packer()
    while true {
      let block: ExportBlock?
      do throws(ExportFailure) { block = try blocks.next() } catch { throw .export(error) }
      guard let block else { return }
      if isInterrupted() { throw .interrupted }
      let tally: ImportTally
      do throws(Broken) {
        tally = unsafe try parser.parse(block) { (row) throws(Broken) in try unsafe add(row, by: &packer) }
      } catch {
        throw .broken(error)
      }
      if !report(tally) { throw .stopped }
    }
  }

  /// Adds the steps of an event list.
  package mutating func add(
    _ list: ListReader, by run: BacktestRun, isInterrupted: () -> Bool = { false }
  ) throws(ListIntake.Failure) {
    var intake = ListIntake(names: run.plan.names, profiles: run.profiles, shard: run.plan.shard)
    let tally = try intake.read(list, isInterrupted: isInterrupted) { (row) throws(ListIntake.Failure) in
      do throws(Broken) { try self.add(row) } catch { throw .broken(error) }
    }
    if let time = intake.last { last = max(last, time) }
    add(tally)
  }
}
