import SKANDevice
import SKANSystem
import SKANRun

extension BacktestRun {
  /// Why an export cannot be used.
  package enum IntakeFailure: Error, Equatable {
    case export(ExportFailure)
    case file(FileError)
    case interrupted
    /// The caller has stopped it.
    case stopped
    /// Rows of a device should come together, and do not.
    case broken(GroupedRun.Broken)
  }

  /// Adds the rows of a part of an export: blocks are parsed by several threads, and added in their order.
  ///
  /// - Parameters:
  ///   - jobs: how many threads.
  ///   - report: gets the tally of each block in the order of the blocks, and returns false to stop.
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
          if !shared.report(tally) { throw .stopped }
        }
      }
    }
    if let failure = queue.failure { throw failure }
  }

  /// The input that threads share; a thread uses it while it has the queue.
  private struct SharedInput: @unchecked Sendable {
    let blocks: ExportBlocks
    let report: (ImportTally) -> Bool

    func next() throws(IntakeFailure) -> ExportBlock? {
      do throws(ExportFailure) { return try blocks.next() } catch { throw .export(error) }
    }
  }
}
