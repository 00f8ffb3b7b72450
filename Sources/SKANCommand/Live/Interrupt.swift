import Foundation
import Synchronization

/// Ctrl-C and SIGTERM as a question: whoever waits asks, and ends with the files consistent.
package enum Interrupt {
  private static let flag = Atomic<Bool>(false)

  static var wasRequested: Bool { flag.load(ordering: .relaxed) }

  /// Takes the signals over. SIGPIPE becomes the error of a write.
  package static func install() {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      // Without SA_RESTART, so that a read that waits for input ends too.
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      sigaction(number, &action, nil)
    }
  }

  /// Only sets the flag: nothing else is safe inside a signal.
  private static let handler: @convention(c) (Int32) -> Void = { _ in flag.store(true, ordering: .relaxed) }
}
