import SKANBase
import Synchronization

/// Turns Ctrl-C and SIGTERM into a flag that waiting code polls, so that it ends with consistent files; also SIGHUP, if
/// a command requests it.
package enum Interrupt {
  private static let flag = Atomic<Bool>(false)
  private static let hangup = Atomic<Bool>(false)
  /// A bit for each signal that another process has sent since the last call: bit 2 for SIGINT.
  private static let sent = Atomic<Int>(0)

  package static var wasRequested: Bool { flag.load(ordering: .relaxed) }

  /// Installs the signal handlers. SIGPIPE becomes an error of the write.
  package static func install() {
    // Initialized now, not inside a signal handler.
    flag.store(false, ordering: .relaxed)
    sent.store(0, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    // SIGXFSZ, sent when a file exceeds the user's limit (ulimit -f), becomes an error of the write too.
    signal(SIGXFSZ, SIG_IGN)
    // A trap of the Swift runtime: SIGILL on x86, SIGTRAP on ARM.
    for number in [SIGILL, SIGTRAP] { signal(number, trap) }
    for number in endings {
      // SA_SIGINFO tells who sent the signal.
      unsafe handle(number, unsafeBitCast(handler, to: (@convention(c) (Int32) -> Void).self), SA_SIGINFO)
    }
  }

  /// Handles SIGHUP, which otherwise ends the process.
  package static func catchHangups() {
    hangup.store(false, ordering: .relaxed)
    handle(SIGHUP, hangupHandler)
  }

  /// Whether there was a SIGHUP since the last call.
  package static func consumeHangup() -> Bool { hangup.exchange(false, ordering: .relaxed) }

  /// The signals that this process ignores or handles, but a program that it starts must not.
  package static let taken = [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP]

  /// The signals that ask to stop.
  private static let endings = [SIGINT, SIGTERM]

  /// The ``endings`` that another process has sent to this one since the last call. Ctrl-C is not included: the
  /// terminal sends it to every foreground process.
  package static func consumeSent() -> [Int32] {
    let bits = sent.exchange(0, ordering: .relaxed)
    return endings.filter { bits & 1 << Int($0) != 0 }
  }

  private static func handle(
    _ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void, _ flags: Int32 = 0
  ) {
    signal(number, handler)
    // Without SA_RESTART, so that a read that waits for input ends too.
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    action.sa_flags = action.sa_flags & ~SA_RESTART | flags
    unsafe sigaction(number, &action, nil)
  }

  /// The runtime has reported the location; this adds a message and exit status 70. The device file is never half
  /// written.
  private static let trap: @convention(c) (Int32) -> Void = { _ in
    let message: StaticString = "skan: this is a mistake in skan itself; please report it with the command line\n"
    unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    _exit(EX_SOFTWARE)
  }

  private static let hangupHandler: @convention(c) (Int32) -> Void = { _ in hangup.store(true, ordering: .relaxed) }

  /// Only sets flags: nothing else is safe inside a signal handler.
  private static let handler:
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = { number, info, _ in
      flag.store(true, ordering: .relaxed)
      let isOfTerminal = unsafe number == SIGINT && info.map { unsafe Platform.isOfTerminal($0.pointee) } ?? false
      if !isOfTerminal { sent.bitwiseOr(1 << Int(number), ordering: .relaxed) }
    }
}
