import Foundation
import SKANBase
import Synchronization

/// Starts a program as a child of this process.
///
///     var start = ProgramStart("/bin/cat", arguments: ["cat"], environment: [])
///     start.streams = [.socket, .sameAs(0), .dropped]
///     let (child, ends) = try start.run()
///     try Socket.transmit(ends[0], …)
package struct ProgramStart {
  /// One of the child's descriptors.
  package enum Stream {
    /// The descriptor of this process with that number.
    case inherited
    /// A socket; this process gets the other end.
    case socket
    /// A pipe to which the child writes; this process gets the end for reading.
    case output
    /// A pipe that contains these bytes and ends after them: at most 4096, which a pipe holds without a reader.
    case content([UInt8])
    /// A copy of a descriptor of the child with a lower number.
    case sameAs(Int)
    /// Writes are discarded.
    case dropped
  }

  /// A path; if ``isOnPath``, a program name that is looked up on the `PATH`.
  package var program: String
  package var isOnPath = false
  /// The arguments, beginning with the program's name.
  package var arguments: [String]
  /// The complete environment, as `NAME=VALUE`.
  package var environment: [String]
  /// The child's descriptors from 0 on. It inherits no others.
  package var streams: [Stream] = []
  /// Whether the child has its own process group, so that Ctrl-C in the terminal does not reach it.
  package var hasOwnGroup = false
  /// Signals that the child handles by default, although this process ignores them.
  package var defaultSignals: [Int32] = []
  /// Whether the child gets SIGTERM when the thread that starts it has ended, even by SIGKILL. Linux only; it has no
  /// effect on macOS, and none on a child with ``streams``.
  package var endsWithParent = false

  package init(_ program: String, arguments: [String], environment: [String]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Serializes starts, so that no other child inherits the descriptors and keeps them open.
  private static let starting = Mutex(())

  /// Starts the program.
  ///
  /// - Returns: the child, and for each of its descriptors this process's end, which does not block; -1 if there is
  ///   none.
  package func run() throws(Errno) -> (child: ChildProcess, ends: [Int32]) {
    try Self.starting.withLock { _ throws(Errno) in
      var descriptors = Descriptors()
      defer { descriptors.closeOthers() }
      do throws(Errno) {
        if endsWithParent, streams.isEmpty, let number = try Platform.startBound(self) {
          return (ChildProcess(number: number), [])
        }
        for stream in streams { try descriptors.add(stream, above: Int32(streams.count)) }
        return (ChildProcess(number: try spawn(descriptors.others)), descriptors.own)
      } catch {
        descriptors.closeOwn()
        throw error
      }
    }
  }

  /// - Parameter ends: the descriptors that become 0, 1, 2 and so on in the child.
  private func spawn(_ ends: [Int32]) throws(Errno) -> pid_t {
    var (actions, attributes) = unsafe Platform.spawnArguments()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, end) in ends.enumerated() {
      switch streams[number] {
      case .inherited: break
      case .dropped: unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_WRONLY, 0)
      case .socket, .output, .content, .sameAs: unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
      }
    }
    var flags = hasOwnGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0
    if !defaultSignals.isEmpty {
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      for number in defaultSignals { unsafe sigaddset(&signals, number) }
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      flags |= Int32(POSIX_SPAWN_SETSIGDEF)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    let argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + variables).forEach { unsafe free($0) } }
    var number: pid_t = 0
    let code = unsafe (isOnPath ? posix_spawnp : posix_spawn)(&number, program, &actions, &attributes, argv, variables)
    guard code == 0 else { throw Errno(code) }
    return number
  }
}

/// The descriptors of a child about to be started, and this process's ends of them, both in the order of the child's
/// numbers.
private struct Descriptors {
  private(set) var others: [Int32] = []
  private(set) var own: [Int32] = []
  /// The descriptors in ``others`` that were created for the child.
  private var made: [Int32] = []

  func closeOthers() { for end in made { close(end) } }

  func closeOwn() { for end in own where end >= 0 { close(end) } }

  /// - Parameter first: the first number above those of the child's descriptors.
  mutating func add(_ stream: ProgramStart.Stream, above first: Int32) throws(Errno) {
    switch stream {
    case .inherited, .dropped: append(other: -1, own: -1)
    case .sameAs(let number): append(other: others[number], own: -1)
    case .socket:
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, Platform.streamSocket, 0, &ends) == 0 else { throw Errno(errno) }
      try adopt(other: ends[0], own: ends[1], above: first)
      Platform.suppressSignal(own[own.count - 1])
    case .output:
      let (reading, writing) = try Self.pipe()
      try adopt(other: writing, own: reading, above: first)
    case .content(let bytes):
      let (reading, writing) = try Self.pipe()
      try adopt(other: reading, own: writing, above: first)
      let end = own[own.count - 1]
      own[own.count - 1] = -1
      defer { close(end) }
      let count = unsafe bytes.withUnsafeBytes { unsafe write(end, $0.baseAddress, $0.count) }
      guard count == bytes.count else { throw Errno(count < 0 ? errno : EAGAIN) }
    }
  }

  private static func pipe() throws(Errno) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Foundation.pipe(&ends) == 0 else { throw Errno(errno) }
    return (ends[0], ends[1])
  }

  /// Moves both ends above the child's descriptor numbers. Neither is inherited by other programs.
  private mutating func adopt(other: Int32, own: Int32, above first: Int32) throws(Errno) {
    let moved = [other, own].map { fcntl($0, F_DUPFD_CLOEXEC, first) }
    let failure = moved.contains { $0 < 0 } ? Errno(errno) : nil
    close(other)
    close(own)
    if let failure {
      for end in moved where end >= 0 { close(end) }
      throw failure
    }
    _ = fcntl(moved[1], F_SETFL, fcntl(moved[1], F_GETFL) | O_NONBLOCK)
    append(other: moved[0], own: moved[1])
    made.append(moved[0])
  }

  private mutating func append(other: Int32, own: Int32) {
    others.append(other)
    self.own.append(own)
  }
}

/// A child of this process. Its starter must wait for it, or it becomes a zombie.
package struct ChildProcess: Sendable {
  /// How a child ended.
  package enum End: Sendable, Equatable {
    /// It exited with this code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)
    /// Unknown, because other code has waited for it.
    case unknown

    /// The exit code; nil if it did not exit by itself.
    package var code: Int32? { if case .code(let code) = self { code } else { nil } }
  }

  /// The process number.
  package let number: Int32

  /// How it ended; nil while it runs.
  package var end: End? { end(WNOHANG) }

  /// Waits until it has ended.
  @discardableResult
  package func wait() -> End {
    while true { if let end = end(0) { return end } }
  }

  package func send(_ signal: Int32) { POSIX.send(signal, to: number) }

  /// Kills it and waits until it has ended.
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

/// Finds programs on the `PATH`.
package enum ProgramPath {
  /// The first program of that name in the folders of the `PATH`.
  ///
  /// Only absolute folders are searched: with an empty or relative one, the current folder would decide what runs.
  package static func find(_ program: String, in path: String? = System.variable("PATH")) -> String? {
    (path ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
      .first(where: isProgram)
  }

  /// The paths at which a shell looks for a program: the name itself if it has a slash.
  static func candidates(_ program: String, in path: String? = System.variable("PATH")) -> [String] {
    if program.contains("/") || program.isEmpty { return [program] }
    return (path ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false).map {
      $0.isEmpty ? program : "\($0)/\(program)"
    }
  }

  /// Whether a file can be executed.
  package static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && isExecutable(path)
  }
}
