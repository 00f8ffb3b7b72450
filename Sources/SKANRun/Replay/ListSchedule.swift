import SKANDevice
import SKANSystem
import Synchronization

/// Schedules the lists of a run, by index, on several threads: which list is next, how each ended, and why the run
/// ended.
///
/// `Failure` is the reason why a run cannot continue, apart from mistakes in a list.
package final class ListSchedule<Failure: Error>: Sendable {
  private struct State {
    var outcomes: [ListOutcome?]
    var next = 0
    var failure: Failure?
    /// The first list that a failed expectation has stopped; later lists do not count.
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
  ///   - startThread: runs a closure on a new thread; false when the system has no thread left.
  ///   - run: runs the list with this index, and calls ``end(_:_:_:)`` at its end.
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
  /// - Parameter failure: the reason, when it ends the whole run.
  package func end(_ index: Int, _ outcome: ListOutcome, _ failure: Failure?) {
    state.withLock { state in
      state.outcomes[index] = outcome
      state.failure = state.failure ?? failure
      if outcome.wasStopped { state.last = min(index, state.last ?? index) }
    }
  }

  /// Ends the run; only the first failure counts.
  package func fail(_ failure: Failure) { state.withLock { $0.failure = $0.failure ?? failure } }

  /// Why the run ended early, apart from mistakes in lists.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// Whether an earlier list has ended the run, so that the rest of this list does not count.
  package func isObsolete(_ index: Int) -> Bool { state.withLock { $0.last.map { $0 < index } ?? false } }

  /// Whether a failed expectation ended the run.
  package var wasStopped: Bool { state.withLock { $0.last != nil } }

  /// The outcomes of the lists by index; nil for a list that did not run. Lists after one that ended the run are left
  /// out.
  package var outcomes: [ListOutcome?] {
    state.withLock { Array($0.outcomes.prefix($0.last.map { $0 + 1 } ?? count)) }
  }

  /// The lists that do not run because mistakes were found before the first step.
  package var refused: Set<Int> { state.withLock { $0.refused } }

  package func refuse(_ indices: Set<Int>) { state.withLock { $0.refused = indices } }

  /// The records of lists that began or cannot run, in list order.
  package var records: [ListRecord] {
    let (records, last) = state.withLock { ($0.records, $0.last ?? count) }
    return records.filter { $0.key <= last }.sorted { $0.key < $1.key }.map(\.value)
  }

  package func record(_ record: ListRecord, of index: Int) { state.withLock { $0.records[index] = record } }

  /// Adds the reasons why a list could not run to its record.
  ///
  /// - Parameter empty: the record to start from if the list has none.
  package func record(_ problems: [ListRecord.Problem], of index: Int, empty: ListRecord) {
    state.withLock { $0.records[index, default: empty].problems = problems }
  }
}
