import Foundation

/// How a program is started as a child of this process.
package struct ProgramStart {
  /// What one of the child's streams is.
  package enum Stream {
    /// A descriptor of this process.
    case descriptor(Int32)
    /// Writes lead nowhere.
    case dropped
  }

  /// The system's number and reason of a start that failed.
  package struct Failure: Error {
    package let number: Int32
    package let reason: String
  }

  /// A path, or with ``isOnPath`` the name of a program on the `PATH`.
  package var program: String
  package var isOnPath = false
  /// With the program's name first.
  package var arguments: [String]
  /// `NAME=VALUE`; the child gets nothing else.
  package var environment: [String]
  /// The streams that are not this process's own.
  package var streams: [(descriptor: Int32, stream: Stream)] = []
  /// Whether a Ctrl-C of the terminal does not reach it.
  package var hasOwnGroup = false
  /// Signals that this process ignores and the child does not.
  package var defaultSignals: [Int32] = []

  package init(_ program: String, arguments: [String], environment: [String]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Starts the program.
  package func start() throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, stream) in streams {
      switch stream {
      case .descriptor(let own): unsafe posix_spawn_file_actions_adddup2(&actions, own, descriptor)
      case .dropped: unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
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
    guard code == 0 else { throw unsafe Failure(number: code, reason: String(cString: strerror(code))) }
    return number
  }
}
