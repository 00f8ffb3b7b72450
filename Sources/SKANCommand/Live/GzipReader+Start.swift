import Foundation
import SKANRun

extension GzipReader {
  #if canImport(Darwin)
    static let sendFlags: Int32 = 0
  #else
    static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  /// Starts the program with a socket for its input and output.
  static func start(_ program: String) throws(SourceFailure) -> (process: pid_t, socket: Int32) {
    let (own, others) = try sockets()
    defer { close(others) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO] {
      unsafe posix_spawn_file_actions_adddup2(&actions, others, descriptor)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let arguments: [String] = ["gzip", "-dc"]
    let names: [String] = ["PATH", "HOME", "LD_LIBRARY_PATH"]
    let argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let texts = names.compactMap { name in unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" } }
    let variables = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, program, &actions, nil, argv, variables)
    if code == 0 { return (process, own) }
    close(own)
    throw unsafe .unreadable("gzip cannot be started: \(String(cString: strerror(code)))")
  }

  /// Two ends of a socket that no other child gets.
  private static func sockets() throws(SourceFailure) -> (own: Int32, others: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let isMade = unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0
      for end in ends where isMade {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        unsafe setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      }
    #elseif canImport(Glibc)
      let isMade = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    #else
      let isMade = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM) | Int32(SOCK_CLOEXEC), 0, &ends) == 0
    #endif
    guard isMade else { throw unsafe .unreadable(String(cString: strerror(errno))) }
    return (ends[0], ends[1])
  }
}
