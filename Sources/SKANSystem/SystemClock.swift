import SKANBase

/// The system's clocks.
package enum SystemClock {
  /// Seconds on a monotonic clock, which changes of the wall clock do not affect. Its origin is arbitrary.
  package static var seconds: Double {
    let time = time(of: CLOCK_MONOTONIC)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The wall clock: microseconds since 1970.
  package static var microsecondsSince1970: Int64 {
    let time = time(of: CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Sleeps for a number of seconds, or until a signal arrives.
  package static func sleep(_ seconds: Double) {
    // Limited, because converting a larger number traps. Callers sleep again if necessary.
    var time = interval(min(max(seconds, 0), 3600))
    unsafe nanosleep(&time, nil)
  }

  /// A non-negative number of seconds as a `timespec`.
  static func interval(_ seconds: Double) -> timespec {
    timespec(
      tv_sec: time_t(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
  }

  /// Sleeps for a number of seconds, in slices, until `isInterrupted` returns true.
  package static func sleep(_ seconds: Double, unless isInterrupted: () -> Bool) {
    let end = self.seconds + seconds
    while !isInterrupted() {
      let left = end - self.seconds
      if left <= 0 { return }
      sleep(min(0.05, left))
    }
  }

  private static func time(of clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
  }
}
