import SKANBase

/// A value that several threads share, and where they wait until it is as they need it.
///
///     let count = Monitor(0)
///     count.change { $0 += 1 }                       // wakes those who wait
///     count.wait(until: { $0 > 0 }) { $0 -= 1 }
///
/// What a closure is given is not to be kept. A lock alone, of a value of its own, is a `Mutex`; this one, whose lock is of
/// pthread, the thread sanitizer sees.
@safe package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    unsafe Platform.makeCondition(condition)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Calls `body` with the value, while no other thread has it. Nobody is woken.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls `body` with the value, and wakes those who wait for it to change.
  package func change<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until the value is as `isReady` asks for, and calls `body` with it then.
  package func wait<Result, Failure: Error>(
    until isReady: (Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isReady(value) { unsafe pthread_cond_wait(condition, mutex) }
    return try body(&value)
  }

  /// Waits until the value is as `isReady` asks for, at most these seconds.
  ///
  /// - Returns: false when it still is not.
  package func wait(seconds: Double, until isReady: (Value) -> Bool) -> Bool {
    let end = SystemClock.seconds + seconds
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isReady(value) {
      let left = end - SystemClock.seconds
      if left <= 0 { return false }
      unsafe Platform.wait(for: condition, mutex, seconds: left)
    }
    return true
  }
}
