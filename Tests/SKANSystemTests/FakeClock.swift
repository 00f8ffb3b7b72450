import Foundation

@testable import SKANSystem

/// A clock that only sleeping moves.
final class FakeClock: @unchecked Sendable {
  private let lock = NSLock()
  private var slept: [Double] = []

  var sleeps: [Double] { lock.withLock { slept } }

  var clock: LockClock {
    LockClock(
      now: { [self] in lock.withLock { slept.reduce(0, +) } },
      sleep: { [self] seconds in lock.withLock { slept.append(seconds) } })
  }
}
