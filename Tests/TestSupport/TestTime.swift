import Foundation
import TestWatchdog
import Testing

/// How long a test may take, and how long it waits. What is expected comes soon on a quiet machine; on a loaded one, or under
/// a sanitizer, it takes many times that.
public enum TestTime {
  /// The minutes of a `.timeLimit`: fewer than the process of the tests may take, so that a test that waits forever is named
  /// before the process ends itself, and more than all tests take. Swift Testing starts them at once, and the time that a
  /// test waits for a thread counts.
  public static let minutes = max(1, Int(testSecondsAllowed()) * 5 / 6 / 60)

  /// The seconds after which something that should have happened counts as missing.
  public static let patience: Double = Sanitizer.isActive ? 1_200 : 120

  /// Waits until something has happened, and gives whether it has.
  @discardableResult
  public static func wait(until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(patience)
    while try !condition() {
      if ContinuousClock.now > end { return false }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return true
  }
}

/// How many rounds a property test goes.
public enum Rounds {
  /// As many as this in the suite, and `TEST_ROUNDS` times as many where that is set.
  ///
  /// What is drawn comes from seeds, so the first of many rounds are the few.
  public static func of(_ count: Int) -> Range<Int> { 0..<count * factor }

  /// Whether it is set to 4 or more: then all of what a test can try is tried, rather than a part.
  public static var areMany: Bool { factor >= 4 }

  private static let factor = max(1, ProcessInfo.processInfo.environment["TEST_ROUNDS"].flatMap { Int($0) } ?? 1)
}

/// What the tests are built with.
public enum Sanitizer {
  /// Whether the thread or the address sanitizer is linked. It has memory and files of its own, which limits of the system
  /// concern too, and slows everything down.
  public static let isActive: Bool = {
    guard let program = dlopen(nil, RTLD_NOW) else { return false }
    return (["__tsan_init", "__asan_init"] as [String]).contains { dlsym(program, $0) != nil }
  }()
}

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
  static let shared = WaitingThreads(count: 8)

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

/// The checkout that the tests are part of.
package enum Checkout {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The fixtures' folder.
  package static let fixtures = root.appending(path: "fixtures")
}

extension String {
  /// Whether these bytes stand in it somewhere, as the C library finds them: tests look for hundreds of texts in long ones.
  package func holds(_ part: [UInt8]) -> Bool {
    Self.withText(Array(utf8)) { text in Self.withText(part) { strstr(text, $0) != nil } }
  }

  /// The bytes as a text of C, with 1 for each 0.
  private static func withText(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Bool) -> Bool {
    var bytes = bytes
    if memchr(bytes, 0, bytes.count) != nil { bytes = bytes.map { $0 == 0 ? 1 : $0 } }
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in text.baseAddress.map(body) ?? false }
    }
  }
}
