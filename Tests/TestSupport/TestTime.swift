import Foundation
import TestWatchdog

/// How long a test may take, and how long it waits. What is expected comes soon on a quiet machine; on a loaded one, or under
/// a sanitizer, it takes many times that.
public enum TestTime {
  /// The minutes of a `.timeLimit`: fewer than the process of the tests may take, so that a test that waits for ever is named
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
