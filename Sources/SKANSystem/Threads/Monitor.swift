import Foundation
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

/// Starts threads. Foundation's `Thread` reports nothing when the system has none left, and its body never runs.
package enum WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Bytes; the main thread's size.
  private static let stackSize = 8 << 20

  /// Runs `body` on a thread of its own.
  ///
  /// - Returns: false when the system has no thread left; `body` does not run then.
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

  /// Runs the body of a thread that has begun.
  static func run(_ body: UnsafeMutableRawPointer) {
    unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
  }
}

/// Threads that are started together and waited for.
package final class ThreadGroup: Sendable {
  /// Runs something on a thread of its own; false when the system has no thread left.
  package typealias Start = (@escaping @Sendable () -> Void) -> Bool

  private let running = Monitor(0)

  package init() {}

  /// Runs `body` on a thread of its own.
  ///
  /// - Returns: false when the system has no thread left; `body` does not run then.
  package func start(by start: Start = { WorkerThread.start($0) }, _ body: @escaping @Sendable () -> Void) -> Bool {
    running.withLock { $0 += 1 }
    let isStarted = start { [running] in
      body()
      running.change { $0 -= 1 }
    }
    if !isStarted { running.change { $0 -= 1 } }
    return isStarted
  }

  /// Returns when all have ended.
  package func join() { running.wait(until: { $0 == 0 }) { _ in } }

  /// Runs something on several threads at a time, this one among them, and returns when all have ended.
  ///
  /// - Parameters:
  ///   - count: of the threads; where the system gives fewer, there are fewer.
  ///   - start: how a thread is started.
  package static func run(
    _ count: Int, start: Start = { WorkerThread.start($0) }, _ body: @escaping @Sendable () -> Void
  ) {
    let group = ThreadGroup()
    for _ in 1..<max(1, count) where !group.start(by: start, body) { break }
    body()
    group.join()
  }
}
