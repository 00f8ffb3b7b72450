import SKANBase

extension LockClock {
  /// The system's monotonic clock, which a change of the wall clock does not touch.
  package static let live = LockClock(
    now: {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    },
    sleep: { seconds in
      // Bounded, since a conversion of more traps; a caller that polls only asks again.
      let bounded = min(max(seconds, 0), 3600)
      var time = timespec()
      time.tv_sec = time_t(bounded)
      time.tv_nsec = Int((bounded - bounded.rounded(.down)) * 1e9)
      unsafe nanosleep(&time, nil)
    })
}
