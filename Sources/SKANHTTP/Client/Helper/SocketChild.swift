import Foundation

/// A program that runs as a child, with one end of a socket for its input, and perhaps its output.
package struct SocketChild {
  package let process: pid_t
  /// This process's end.
  package let socket: Int32

  /// Why a program cannot be started: the system's reason.
  package struct Failure: Error, Equatable { package let reason: String }

  #if canImport(Darwin)
    /// For `send` on the socket: a child that is gone is an error and no signal. Darwin says it of the socket itself.
    package static let sendFlags: Int32 = 0
  #else
    /// For `send` on the socket: a child that is gone is an error and no signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: with its name first.
  ///   - environment: `NAME=VALUE`; it gets nothing else.
  ///   - usesSocketForOutput: whether what it prints comes back; otherwise it is dropped.
  ///   - hasOwnGroup: whether a Ctrl-C of the terminal does not reach it.
  package init(
    _ program: String, arguments: [String], environment: [String], usesSocketForOutput: Bool, hasOwnGroup: Bool
  ) throws(Failure) {
    let (own, others) = try Self.sockets()
    defer { close(others) }
    var start = ProgramStart(program, arguments: arguments, environment: environment)
    start.streams = [
      (STDIN_FILENO, .descriptor(others)),
      (STDOUT_FILENO, usesSocketForOutput ? .descriptor(others) : .dropped),
      (STDERR_FILENO, .dropped),
    ]
    start.hasOwnGroup = hasOwnGroup
    do throws(ProgramStart.Failure) { process = try start.start() } catch {
      close(own)
      throw Failure(reason: error.reason)
    }
    socket = own
  }

  /// Two ends of a socket that no other child gets.
  private static func sockets() throws(Failure) -> (own: Int32, others: Int32) {
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
    guard isMade else { throw unsafe Failure(reason: String(cString: strerror(errno))) }
    return (ends[0], ends[1])
  }
}
