import Foundation
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
    let queue = BlockQueue(blocks, report: report)
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      let parser = ExportParser(mapping)
      var (packer, part) = (packer(), PartitionedBlock())
      while let (number, block) = queue.next() {
        if isInterrupted() { queue.fail(.interrupted) }
        let tally = unsafe parser.parse(block) { unsafe add($0, by: &packer, to: &part) }
        queue.commit(number, tally) { () throws(FileError) in try append(&part) }
      }
    }
    if let failure = queue.failure { throw failure }
  }
}

/// Hands blocks to threads, and what they make of them back in the order of the blocks.
private final class BlockQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private let blocks: ExportBlocks
  private let report: (ImportTally) -> Bool
  /// The number of the block that is handed out next, and of the one that is committed next.
  private var (handedOut, committed) = (0, 0)
  private(set) var failure: BacktestRun.IntakeFailure?

  init(_ blocks: ExportBlocks, report: @escaping (ImportTally) -> Bool) {
    self.blocks = blocks
    self.report = report
  }

  /// The next block and its number; nil after the last, and after a failure.
  func next() -> (Int, ExportBlock)? {
    condition.lock()
    defer { condition.unlock() }
    if failure != nil { return nil }
    do throws(ExportFailure) {
      guard let block = try blocks.next() else { return nil }
      defer { handedOut += 1 }
      return (handedOut, block)
    } catch {
      failure = .export(error)
      condition.broadcast()
      return nil
    }
  }

  func fail(_ reason: BacktestRun.IntakeFailure) {
    condition.lock()
    failure = failure ?? reason
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for the blocks before, and does `append` then; not after a failure.
  func commit(_ number: Int, _ tally: ImportTally, append: () throws(FileError) -> Void) {
    condition.lock()
    defer { condition.unlock() }
    while failure == nil, committed < number { condition.wait() }
    if failure != nil { return }
    do throws(FileError) { try append() } catch { failure = .file(error) }
    if !report(tally) { failure = failure ?? .stopped }
    committed += 1
    condition.broadcast()
  }
}
