import Foundation
import Synchronization

/// Ctrl-C and SIGTERM as a question: whoever waits asks, and ends with the files consistent.
package enum Interrupt {
  private static let flag = Atomic<Bool>(false)

  static var wasRequested: Bool { flag.load(ordering: .relaxed) }

  /// Takes the signals over. SIGPIPE becomes the error of a write.
  package static func install() {
    // Made now, not inside a signal.
    flag.store(false, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number, handler)
      // Without SA_RESTART, so that a read that waits for input ends too.
      var action = sigaction()
      sigaction(number, nil, &action)
      action.sa_flags &= ~SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Only sets the flag: nothing else is safe inside a signal.
  private static let handler: @convention(c) (Int32) -> Void = { _ in flag.store(true, ordering: .relaxed) }
}
