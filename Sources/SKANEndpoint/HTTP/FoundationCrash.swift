import Foundation
import Synchronization

/// Keeps a known crash of Foundation on Linux from ending the program.
///
/// When a server closes the connection in the middle of an answer's head, URLSession of Swift 6.3 stops the whole
/// process (swift-corelibs-foundation #5285: "Transfer completed, but there's no response"). For the phone that is a
/// transport error. So the thread on which it happens is put to sleep for good, and the request ends as one that brought
/// no complete answer. All sessions of a process share that thread's queue: no further request is possible in it.
enum FoundationCrash {
  private static let count = Atomic<Int>(0)
  /// The thread that must not be put to sleep: the one that waits for the answer.
  private static let waiting = Atomic<UInt>(0)

  /// How often it has happened.
  static var happened: Int { count.load(ordering: .acquiring) }

  /// Runs a request of the calling thread under watch.
  static func watching<Value>(_ body: () -> Value) -> Value {
    #if os(Linux)
      waiting.store(UInt(pthread_self()), ordering: .releasing)
      // A trap is SIGILL on x86 and SIGTRAP on ARM.
      let old = [SIGILL, SIGTRAP].map { ($0, signal($0, handler)) }
      defer { for (number, action) in old { signal(number, action) } }
    #endif
    return body()
  }

  #if os(Linux)
    private static let handler: @convention(c) (Int32) -> Void = { number in
      guard UInt(pthread_self()) != waiting.load(ordering: .acquiring) else {
        // A mistake of our own: as if nobody had watched.
        signal(number, SIG_DFL)
        raise(number)
        return
      }
      count.add(1, ordering: .acquiringAndReleasing)
      while true { pause() }
    }
  #endif
}
