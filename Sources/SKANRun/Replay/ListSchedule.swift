import SKANDevice
import SKANSystem
import Synchronization

/// The lists of a run by their indices, shared by the threads that run them: which is next, how each ended, and what ends
/// the run.
///
/// `Failure` is why a run cannot go on, apart from mistakes in a list.
package final class ListSchedule<Failure: Error>: Sendable {
  private struct State {
    var outcomes: [ListOutcome?]
    var next = 0
    var failure: Failure?
    /// The first list that a failed expectation has stopped: those after it do not count.
    var last: Int?
    var refused: Set<Int> = []
    var records: [Int: ListRecord] = [:]
  }

  private let count: Int
  private let state: Mutex<State>

  package init(count: Int) {
    self.count = count
    state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
  }

  /// Runs all lists, several at a time, and returns when all have ended.
  ///
  /// - Parameters:
  ///   - jobs: how many run at a time.
  ///   - startThread: runs something on a thread of its own; false when the system has no thread left.
  ///   - run: runs the list with this index, and ends in a call of ``end(_:_:_:)``.
  package func runAll(
    jobs: Int, startThread: ThreadGroup.Start, _ run: @escaping @Sendable (Int) -> Void
  ) {
    ThreadGroup.run(min(jobs, count), start: startThread) { [self] in while let index = nextIndex() { run(index) } }
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.last == nil, state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records how a list ended.
  ///
  /// - Parameter failure: what ended it, when that ends the run.
  package func end(_ index: Int, _ outcome: ListOutcome, _ failure: Failure?) {
    state.withLock { state in
      state.outcomes[index] = outcome
      state.failure = state.failure ?? failure
      if outcome.wasStopped { state.last = min(index, state.last ?? index) }
    }
  }

  /// Ends the run; of several failures the first counts.
  package func fail(_ failure: Failure) { state.withLock { $0.failure = $0.failure ?? failure } }

  /// The reason that the run ended, apart from the lists' own mistakes.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// Whether a list before this one has ended the run, so that the rest of this one is of no use.
  package func isObsolete(_ index: Int) -> Bool { state.withLock { $0.last.map { $0 < index } ?? false } }

  /// Whether the run ended at the first expectation that failed.
  package var wasStopped: Bool { state.withLock { $0.last != nil } }

  /// What the lists left, by their indices, nil for one that did not run; without those after a failed expectation that
  /// ends the run.
  package var outcomes: [ListOutcome?] {
    state.withLock { Array($0.outcomes.prefix($0.last.map { $0 + 1 } ?? count)) }
  }

  /// The lists whose mistakes were found before the first step; they do not run.
  package var refused: Set<Int> { state.withLock { $0.refused } }

  package func refuse(_ indices: Set<Int>) { state.withLock { $0.refused = indices } }

  /// The records of the lists that began, and of those that cannot run, in their order.
  package var records: [ListRecord] {
    let (records, last) = state.withLock { ($0.records, $0.last ?? count) }
    return records.filter { $0.key <= last }.sorted { $0.key < $1.key }.map(\.value)
  }

  package func record(_ record: ListRecord, of index: Int) { state.withLock { $0.records[index] = record } }

  /// Adds to a list's record why it could not run.
  ///
  /// - Parameter empty: the record of a list that has none.
  package func record(_ problems: [ListRecord.Problem], of index: Int, empty: ListRecord) {
    state.withLock { $0.records[index, default: empty].problems = problems }
  }
}
