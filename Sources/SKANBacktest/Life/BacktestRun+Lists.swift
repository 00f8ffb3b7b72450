import SKANDevice
import SKANRun
import SKANSystem

extension BacktestRun {
  /// Adds the steps of an event list.
  package func add(_ list: ListReader, isInterrupted: () -> Bool = { false }) throws(ListIntake.Failure) {
    /// How many rows are added at once.
    let most = 4096
    let block = PartitionedBlock()
    var count = 0
    var intake = ListIntake(names: plan.names, profiles: profiles, shard: plan.shard)
    let tally = try intake.read(list, isInterrupted: isInterrupted) {
      (key, time, event, _) throws(ListIntake.Failure) in
      block.append(key, at: time) { event.write(to: &$0) }
      count += 1
      if count < most { return }
      count = 0
      do throws(FileError) { try append(block) } catch { throw .file(error) }
    }
    do throws(FileError) { try append(block) } catch { throw .file(error) }
    add(tally)
  }
}
