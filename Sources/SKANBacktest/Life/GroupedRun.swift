import SKANDevice
import SKANRun
import SKANSystem

/// A backtest of input in which all rows of a device are consecutive. Only one device is in memory at a time, and eight
/// bytes for each earlier one, to detect a device that occurs again.
package struct GroupedRun {
  /// Why a row cannot be added.
  package struct Broken: Error, Equatable {
    package enum Reason: Sendable {
      /// The device occurred before another one, so its rows are not consecutive.
      case cameBack
      /// The device has more than the most rows.
      case tooManyRows
    }

    package let reason: Reason
    /// The line number, from 1.
    package let line: Int
  }

  private let worker: BacktestWorker
  private let plan: BacktestPlan
  private let groups: GroupTable
  private let mostRows: Int
  private var current: DeviceKey?
  private var rows: [(time: Instant, event: PackedEvent)] = []
  /// The lower halves of the keys of completed devices.
  private var over: Set<UInt64> = []
  private var input = InputTally()

  package init(_ run: BacktestRun) {
    plan = run.plan
    groups = run.groups
    mostRows = run.partitions.mostRecords
    worker = BacktestWorker(run.plan, run.profiles)
  }

  package mutating func add(_ row: borrowing ExportedRow, by packer: inout EventPacker) throws(Broken) {
    guard unsafe packer.includes(row) else { return }
    let (key, time) = unsafe (DeviceKey(row.device), row.time)
    try add(key, time, unsafe packer.pack(row), line: unsafe row.line)
  }

  mutating func add(_ key: DeviceKey, _ time: Instant, _ event: PackedEvent, line: Int) throws(Broken) {
    if key != current {
      finishDevice()
      if over.contains(key.low) { throw Broken(reason: .cameBack, line: line) }
      current = key
    }
    if rows.count == mostRows { throw Broken(reason: .tooManyRows, line: line) }
    rows.append((time, event))
  }

  /// Adds counts of the input.
  package mutating func add(_ tally: InputTally) { input += tally }

  /// Completes the last device, and returns the summary of all devices.
  package mutating func summary() -> BacktestSummary {
    finishDevice()
    var summary = BacktestSummary(plan.header)
    worker.add(to: &summary, names: groups.names)
    summary.input += input
    return summary
  }

  private mutating func finishDevice() {
    guard let key = current else { return }
    over.insert(key.low)
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time }
    if !isSorted {
      rows = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
    worker.run(key, rows)
    rows.removeAll(keepingCapacity: true)
    current = nil
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
    let tally = try intake.read(list, isInterrupted: isInterrupted) {
      (key, time, event, line) throws(ListIntake.Failure) in
      do throws(Broken) { try self.add(key, time, event, line: line) } catch { throw .broken(error) }
    }
    add(tally)
  }
}
