import Foundation
import Synchronization

/// Keeps a known crash of Foundation on Linux from looking like one of ours.
///
/// When a server closes the connection in the middle of an answer's head, URLSession of Swift 6.3 stops the whole
/// process (swift-corelibs-foundation #5285: "Transfer completed, but there's no response"). For the phone that is a
/// transport error that changes nothing, so the program ends as it does after one: in our words, with the same code,
/// the device file as it was.
enum FoundationCrash {
  /// The words, as a C string that is never freed: a signal handler can neither allocate nor wait.
  private static let words = Atomic<UInt>(0)

  /// Runs a request to an address; other crashes meanwhile are told the same way.
  static func telling<Value>(_ url: String, _ body: () -> Value) -> Value {
    #if os(Linux)
      let address = url.prefix { $0 != "?" }
      let text = strdup(
        "skan: no complete answer from \(address): the connection was closed in the middle of the answer's head\n")
      words.store(UInt(bitPattern: text), ordering: .releasing)
      // A trap is SIGILL on x86 and SIGTRAP on ARM.
      let old = [SIGILL, SIGTRAP].map { ($0, signal($0, handler)) }
      defer { for (number, action) in old { signal(number, action) } }
    #endif
    return body()
  }

  private static let handler: @convention(c) (Int32) -> Void = { _ in
    if let text = UnsafePointer<CChar>(bitPattern: words.load(ordering: .acquiring)) {
      _ = write(STDERR_FILENO, text, strlen(text))
    }
    _exit(ExitCode.unavailable.rawValue)
  }
}
