import Foundation
import Synchronization

/// Ctrl-C and SIGTERM as a flag that waiting code polls, so that it ends with consistent files. SIGHUP likewise, where a
/// command asks for it.
package enum Interrupt {
  private static let flag = Atomic<Bool>(false)
  private static let hangup = Atomic<Bool>(false)

  static var wasRequested: Bool { flag.load(ordering: .relaxed) }

  /// Takes the signals over. SIGPIPE becomes the error of a write.
  package static func install() {
    // Made now, not inside a signal.
    flag.store(false, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    // And so does a file that gets larger than the user's limit (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    // A trap of the Swift runtime: SIGILL on x86, SIGTRAP on ARM.
    for number in [SIGILL, SIGTRAP] { signal(number, trap) }
    for number in [SIGINT, SIGTERM] { handle(number, handler) }
  }

  /// Takes SIGHUP over, which otherwise ends the process.
  static func catchHangups() {
    hangup.store(false, ordering: .relaxed)
    handle(SIGHUP, hangupHandler)
  }

  /// Whether there was a SIGHUP since the last time.
  static func consumeHangup() -> Bool { hangup.exchange(false, ordering: .relaxed) }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    signal(number, handler)
    // Without SA_RESTART, so that a read that waits for input ends too.
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    action.sa_flags &= ~SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  /// The runtime has said where it was; what is left is our exit code. The device file is replaced as a whole or not at all.
  private static let trap: @convention(c) (Int32) -> Void = { _ in
    let message: StaticString = "skan: this is a mistake in skan itself; please report it with the command line\n"
    unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    _exit(ExitCode.internalError.rawValue)
  }

  private static let hangupHandler: @convention(c) (Int32) -> Void = { _ in hangup.store(true, ordering: .relaxed) }

  /// Only sets the flag: nothing else is safe inside a signal.
  private static let handler: @convention(c) (Int32) -> Void = { _ in flag.store(true, ordering: .relaxed) }
}
