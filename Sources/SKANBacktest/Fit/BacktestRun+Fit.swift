import Foundation
import SKANStorage

extension BacktestRun {
  /// What a fit needs of all devices, instead of running them.
  ///
  /// - Parameters:
  ///   - events: the named events; the plan's model asks for them.
  ///   - jobs: how many threads; the fit does not depend on it.
  ///   - isInterrupted: asked now and then; the result is of no use then.
  package func fitInput(
    events: [String], jobs: Int, isInterrupted: @Sendable () -> Bool = { false }
  ) throws(FileError) -> FitInput {
    let shared = SharedFitInput(FitInput(eventCount: events.count), buckets: partitions.buckets)
    withoutActuallyEscaping(isInterrupted) { isInterrupted in
      DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
        var collector = FitCollector(plan, events: events)
        while let bucket = shared.next(), !isInterrupted() {
          do throws(FileError) {
            try partitions.read(bucket).forEachDevice { key, records in collector.add(key, records) }
          } catch {
            shared.fail(error)
          }
        }
        shared.add(collector.result)
      }
    }
    return try shared.result()
  }
}

/// What the threads share.
private final class SharedFitInput: @unchecked Sendable {
  private let lock = NSLock()
  private var input: FitInput
  private var buckets: Range<Int>
  private var failure: FileError?

  init(_ input: FitInput, buckets: Range<Int>) {
    self.input = input
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

  func add(_ part: FitInput) {
    lock.lock()
    input.add(part)
    lock.unlock()
  }

  func result() throws(FileError) -> FitInput {
    if let failure { throw failure }
    return input
  }
}
