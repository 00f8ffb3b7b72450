/// The time that waiting for a lock goes by, as values, so that a test need not wait.
package struct LockClock: Sendable {
  /// Seconds since some fixed moment, never set back.
  package var now: @Sendable () -> Double
  /// Sleeps this many seconds, or until a signal comes.
  package var sleep: @Sendable (_ seconds: Double) -> Void

  /// A clock of its parts.
  package init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (_ seconds: Double) -> Void) {
    self.now = now
    self.sleep = sleep
  }
}

extension LockClock {
  /// The system's monotonic clock.
  package static let live = LockClock(now: { SystemClock.seconds }, sleep: { SystemClock.sleep($0) })
}
