import Foundation

extension HelperProcess {
  #if canImport(Darwin)
    /// Darwin says it of the socket itself.
    static let sendFlags: Int32 = 0
  #else
    static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  /// Starts the program as a sender of requests. The socket is its standard input; it has no other way to the outside
  /// but the network.
  static func start(_ program: String) throws(TransportFailure) -> (number: pid_t, socket: Int32) {
    let (own, others) = try sockets()
    defer { close(others) }
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
    unsafe posix_spawn_file_actions_adddup2(&actions, others, STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    // In a group of its own no Ctrl-C of the terminal ends it before this process knows of it.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let arguments: [String] = ["skan", RequestHelper.command]
    let argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + variables).forEach { unsafe free($0) } }
    var number: pid_t = 0
    let code = unsafe posix_spawn(&number, program, &actions, &attributes, argv, variables)
    if code == 0 { return (number, own) }
    close(own)
    throw unsafe .noHelper(String(cString: strerror(code)))
  }

  /// What may matter to URLSession (proxies, certificates), and nothing of ours: no key.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SKAN_") }.map { "\($0.key)=\($0.value)" }
      // A crash is expected here, and a backtrace takes seconds.
      + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Two ends of a socket that no other child gets.
  private static func sockets() throws(TransportFailure) -> (own: Int32, others: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let isMade = unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0
      for end in ends where isMade {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        unsafe setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      }
    #else
      let isMade = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    #endif
    guard isMade else { throw unsafe .noHelper(String(cString: strerror(errno))) }
    return (ends[0], ends[1])
  }
}
