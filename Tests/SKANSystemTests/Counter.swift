import Foundation

/// A number that several threads change.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count: Int

  init(_ count: Int) {
    self.count = count
  }

  var value: Int { lock.withLock { count } }

  /// Takes one away; false when there is none left.
  func takeOne() -> Bool {
    lock.withLock {
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }

  func add(_ more: Int) {
    lock.withLock { count += more }
  }
}
