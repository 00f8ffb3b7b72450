import Foundation

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
    let thread = UnsafeMutablePointer<Thread>.allocate(capacity: 1)
    defer { unsafe thread.deallocate() }
    return unsafe pthread_create(thread, attributes, entry, body)
  }

  #if canImport(Darwin)
    private typealias Thread = pthread_t?
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { run($0) }
  #else
    private typealias Thread = pthread_t
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      unsafe $0.flatMap { unsafe run($0) }
    }
  #endif

  private static func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
    return nil
  }
}
