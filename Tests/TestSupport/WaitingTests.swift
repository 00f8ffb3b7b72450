import Foundation
import Testing

extension Trait where Self == WaitingTests {
  /// For suites and tests that wait: for a program, a server, a lock, a time.
  ///
  /// Swift Testing has as many threads as there are cores, and a test that waits on one of them holds up all others. These
  /// have threads of their own, so that the others go on meanwhile.
  public static var waits: Self { Self() }
}

/// See ``Testing/Trait/waits``.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  /// It is for each test of a suite.
  public let isRecursive = true

  /// Runs a test on the threads of those that wait.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared, operation: function)
  }
}

/// A few threads, on each of which one test at a time runs and may wait.
private final class WaitingThreads: TaskExecutor, @unchecked Sendable {
  static let shared = WaitingThreads(count: 4)

  private let condition = NSCondition()
  /// What is to run, under the condition.
  private var jobs: [UnownedJob] = []

  private init(count: Int) {
    for _ in 0..<count { Thread.detachNewThread { [self] in run() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    condition.withLock { [job = UnownedJob(job)] in
      jobs.append(job)
      condition.signal()
    }
  }

  private func run() {
    while true {
      let job = condition.withLock {
        while jobs.isEmpty { condition.wait() }
        return jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
