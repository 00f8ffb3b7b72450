import SKANBase

/// A child of this process. Whoever starts one waits for it, lest a zombie is left.
package struct ChildProcess: Sendable {
  /// How a child ended.
  package enum End: Sendable, Equatable {
    /// By itself, with this exit code.
    case code(Int32)
    /// By this signal.
    case signal(Int32)
    /// Nothing is known of it: another has waited for it.
    case unknown

    /// The exit code of one that ended by itself.
    package var code: Int32? { if case .code(let code) = self { code } else { nil } }
  }

  /// The system's number of it.
  package let number: Int32

  /// How it ended; nil while it runs.
  package var end: End? { end(WNOHANG) }

  /// Waits until it has ended.
  @discardableResult
  package func wait() -> End {
    while true { if let end = end(0) { return end } }
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) { POSIX.send(signal, to: number) }

  /// Ends it, whatever it does, and waits until it has ended.
  @discardableResult
  package func kill() -> End {
    send(SIGKILL)
    return wait()
  }

  private func end(_ flags: Int32) -> End? {
    var status: Int32 = 0
    let found = unsafe waitpid(number, &status, flags)
    if found == 0 || found < 0 && errno == EINTR { return nil }
    if found < 0 { return .unknown }
    let signal = status & 0x7F
    return signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
  }
}

/// Where a program lies.
package enum ProgramPath {
  /// The first one of that name in the folders of the `PATH`.
  ///
  /// Absolute folders only: an empty or relative one would run whatever lies where the command happens to be called.
  package static func find(_ program: String, in path: String? = System.variable("PATH")) -> String? {
    (path ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
      .first(where: isProgram)
  }

  /// Whether a file can be started.
  package static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && isExecutable(path)
  }
}
