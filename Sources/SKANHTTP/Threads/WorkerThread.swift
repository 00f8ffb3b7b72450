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
    create(Unmanaged.passRetained(Body(body)))
  }

  private static func create(_ body: Unmanaged<Body>) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    pthread_attr_setstacksize(&attributes, stackSize)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let failed = create(&attributes, body.toOpaque())
    pthread_attr_destroy(&attributes)
    if failed != 0 { body.release() }
    return failed == 0
  }

  private static func create(_ attributes: UnsafePointer<pthread_attr_t>, _ body: UnsafeMutableRawPointer) -> Int32 {
    let thread = UnsafeMutablePointer<Thread>.allocate(capacity: 1)
    defer { thread.deallocate() }
    return pthread_create(thread, attributes, entry, body)
  }

  #if canImport(Darwin)
    private typealias Thread = pthread_t?
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { run($0) }
  #else
    private typealias Thread = pthread_t
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      $0.flatMap { run($0) }
    }
  #endif

  private static func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
    return nil
  }
}
