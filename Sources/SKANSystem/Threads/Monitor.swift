import Foundation
import SKANBase

/// A value shared by threads, which can wait until it meets a condition.
///
///     let count = Monitor(0)
///     count.change { $0 += 1 }                       // wakes waiting threads
///     count.wait(until: { $0 > 0 }) { $0 -= 1 }
///
/// A closure must not keep the value that it is given. For locking alone there is `Mutex`. The thread sanitizer
/// understands the pthread lock of this type.
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

  /// Calls `body` with exclusive access to the value. Waiting threads are not woken.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls `body` with exclusive access to the value, then wakes waiting threads.
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

  /// Waits until the value meets a condition, then calls `body` with exclusive access to it.
  package func wait<Result, Failure: Error>(
    until isReady: (Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isReady(value) { unsafe pthread_cond_wait(condition, mutex) }
    return try body(&value)
  }

  /// Waits until the value meets a condition, at most this many seconds.
  ///
  /// - Returns: false if the time is over.
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

/// Starts threads. Foundation's `Thread` does not report that the system has none left; its body then never runs.
package enum WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// In bytes; the size of the main thread's stack.
  private static let stackSize = 8 << 20

  /// Runs `body` on a new thread.
  ///
  /// - Returns: false, without running `body`, if the system has no thread left.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    unsafe create(Unmanaged.passRetained(Body(body)))
  }

  private static func create(_ body: Unmanaged<Body>) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let failed = unsafe create(&attributes, body.toOpaque())
    unsafe pthread_attr_destroy(&attributes)
    if failed != 0 { unsafe body.release() }
    return failed == 0
  }

  private static func create(_ attributes: UnsafePointer<pthread_attr_t>, _ body: UnsafeMutableRawPointer) -> Int32 {
    let thread = UnsafeMutablePointer<Platform.ThreadHandle>.allocate(capacity: 1)
    defer { unsafe thread.deallocate() }
    return unsafe pthread_create(thread, attributes, Platform.threadEntry, body)
  }

  /// Runs the body of a new thread.
  static func run(_ body: UnsafeMutableRawPointer) {
    unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
  }
}

/// Threads that are waited for together.
package final class ThreadGroup: Sendable {
  /// Runs a closure on a new thread; false if the system has none left.
  package typealias Start = (@escaping @Sendable () -> Void) -> Bool

  private let running = Monitor(0)

  package init() {}

  /// Runs `body` on a new thread.
  ///
  /// - Returns: false, without running `body`, if the system has no thread left.
  package func start(by start: Start = { WorkerThread.start($0) }, _ body: @escaping @Sendable () -> Void) -> Bool {
    running.withLock { $0 += 1 }
    let isStarted = start { [running] in
      body()
      running.change { $0 -= 1 }
    }
    if !isStarted { running.change { $0 -= 1 } }
    return isStarted
  }

  /// Waits until all threads have ended.
  package func join() { running.wait(until: { $0 == 0 }) { _ in } }

  /// Runs `body` on several threads including this one, and returns when all have ended.
  ///
  /// - Parameters:
  ///   - count: the number of threads; fewer if the system has no more.
  ///   - start: starts a thread.
  package static func run(
    _ count: Int, start: Start = { WorkerThread.start($0) }, _ body: @escaping @Sendable () -> Void
  ) {
    let group = ThreadGroup()
    for _ in 1..<max(1, count) where !group.start(by: start, body) { break }
    body()
    group.join()
  }
}
