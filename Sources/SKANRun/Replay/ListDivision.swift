import SKANSystem
import Synchronization

/// One list, run by several threads, each of which reads all of it and runs the steps of some of its phones.
///
/// What comes of it is what one thread would give, byte for byte: where that is not certain, nothing comes of it.
package struct ListDivision: Sendable {
  /// What one thread found.
  package struct Part<Failure: Error>: Sendable {
    private let outcome: ListOutcome
    private let records: StepRecords?
    private let isIndependent: Bool
    fileprivate let failure: Failure?

    /// - Parameters:
    ///   - isIndependent: whether each of its steps was for a phone that the list had declared.
    ///   - failure: why the thread could not go on, apart from mistakes in the list.
    package init(_ outcome: ListOutcome, _ records: StepRecords?, isIndependent: Bool, _ failure: Failure?) {
      self.outcome = outcome
      self.records = records
      self.isIndependent = isIndependent
      self.failure = failure
    }

    fileprivate var isCertain: Bool { isIndependent && !outcome.isWrong }

    fileprivate func add(to whole: inout Whole<Failure>) {
      whole.counts += outcome.counts
      if let records { whole.records.merge(records) }
      if let summary = outcome.summary {
        if whole.summary == nil { whole.summary = summary } else { whole.summary? += summary }
      }
    }
  }

  /// What the threads found together.
  package struct Whole<Failure: Error>: Sendable {
    package var counts = ReplayCounts()
    package var records: StepRecords
    /// Without groups of failures, which ``records`` have in the order of the list.
    package var summary: ListSummary?
    package var failure: Failure?
  }

  /// Bytes of a list below which it is not worth the threads.
  private static let leastSize = 1 << 18
  /// Bytes of its beginning that show how its steps are divided.
  private static let sampleSize = 1 << 16

  private let jobs: Int

  /// - Parameter open: the list from its beginning.
  /// - Returns: nil where one thread is to run the list: it goes on with one phone, cannot be read twice, is short, or is
  ///   mostly about a few phones.
  package init?(
    _ plan: ListPlan, isRegular: Bool, size: Int?, open: () throws(SourceFailure) -> ByteSource
  ) {
    guard plan.jobs > 1, !plan.continuesPhone, isRegular, size ?? 0 >= Self.leastSize,
      let beginning = try? open().beginning(Self.sampleSize), PhonePartition.divides(beginning, into: plan.jobs)
    else { return nil }
    jobs = plan.jobs
  }

  /// Runs the list.
  ///
  /// - Parameters:
  ///   - records: without a step; those of the steps are added.
  ///   - startThread: runs something on a thread of its own; false when the system has no thread left.
  ///   - body: runs the steps of some phones. Of one of the threads, the first, the bytes that were read count.
  /// - Returns: nil when the list has mistakes, or its phones are not independent: then one thread is to run it again.
  package func run<Failure>(
    into records: StepRecords, startThread: ThreadGroup.Start,
    _ body: @escaping @Sendable (PhonePartition, _ isFirst: Bool) -> Part<Failure>
  ) -> Whole<Failure>? {
    let parts = Parts<Failure>(count: jobs)
    ThreadGroup.run(jobs, start: startThread) {
      while let number = parts.next() { parts.add(body(PhonePartition(number, of: parts.count), number == 0)) }
    }
    let found = parts.all
    var whole = Whole(records: records, failure: found.lazy.compactMap(\.failure).first)
    for part in found { part.add(to: &whole) }
    // Each has counted the list.
    whole.counts.lists = 1
    let isWhole =
      found.allSatisfy(\.isCertain) && whole.counts.steps + whole.counts.skipped > 0
      // With too many texts those that are told apart depend on the order of the steps.
      && whole.summary?.errors.others ?? 0 == 0
    return whole.failure != nil || isWhole ? whole : nil
  }

  /// The parts by the threads that take them.
  private final class Parts<Failure: Error>: Sendable {
    let count: Int
    private let state = Mutex<(next: Int, parts: [Part<Failure>])>((0, []))

    init(count: Int) { self.count = count }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    func add(_ part: Part<Failure>) { state.withLock { $0.parts.append(part) } }

    var all: [Part<Failure>] { state.withLock { $0.parts } }
  }
}
