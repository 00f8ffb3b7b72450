import SKANDevice
import SKANRun

/// Inputs in which the rows of each device come together.
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
