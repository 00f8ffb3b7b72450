import SKANBase

/// System calls on sockets. Their names differ from those of the C functions, which a member of the same name would
/// hide.
///
/// The sockets never block; the only waits are in ``PollSet`` and ``wait(for:on:seconds:)``.
package enum Socket {
  /// The result of receiving or sending.
  package enum Transfer: Equatable {
    case bytes(Int)
    /// The call would have to wait.
    case wouldBlock
    /// The peer has ended its output.
    case ended
    case failed
  }

  package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    return count == 0 ? .ended : outcome(count)
  }

  /// Sends bytes. A closed peer is a failure and not a signal.
  package static func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    unsafe outcome(send(descriptor, bytes.baseAddress, bytes.count, Platform.sendFlags))
  }

  private static func outcome(_ count: Int) -> Transfer {
    if count >= 0 { return .bytes(count) }
    // An interrupted call is repeated as soon as poll reports the socket ready, which is at once.
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed
  }

  /// Waits until a socket can be read or written, or has failed.
  ///
  /// - Parameter seconds: the longest wait, rounded up to milliseconds.
  /// - Returns: the readiness; nil after the time limit or a signal.
  package static func wait(for interest: PollSet.Interest, on descriptor: Int32, seconds: Double) -> PollSet.Readiness?
  {
    var set = PollSet()
    set.append(descriptor, interest)
    return set.wait(seconds: seconds) > 0 ? set.readiness(at: 1) : nil
  }

  /// Ends the output; the socket can still be read.
  package static func endOutput(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes closing the socket send an RST, which discards unsent bytes.
  package static func resetOnClose(_ descriptor: Int32) {
    var choice = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
  }

  package static func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  /// Turns a socket option on. Errors are ignored: without the option a socket is slower, but correct.
  static func enable(_ option: Int32, level: Int32, of descriptor: Int32) {
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Why a socket failed; code 0 if unknown.
  package static func error(of descriptor: Int32) -> Errno {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return Errno(code)
  }

  /// Makes a descriptor non-blocking and closed on `exec`.
  private static func makePrivate(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }
}

// MARK: Accepting

extension Socket {
  /// The result of accepting a connection.
  package enum Acceptance: Equatable {
    case connection(Int32, peer: String)
    /// No client is waiting.
    case noConnection
    /// The waiting client has disconnected; there may be another.
    case gone
    /// The process or the machine has no descriptor or memory left; new connections keep waiting.
    case exhausted
  }

  package static func acceptConnection(_ listener: Int32) -> Acceptance {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let (descriptor, code) = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let descriptor = unsafe accept(listener, generic, &length)
        return (descriptor, descriptor < 0 ? errno : 0)
      }
    }
    if descriptor >= 0 {
      makePrivate(descriptor)
      Platform.suppressSignal(descriptor)
      // Disables Nagle's algorithm, which would only delay an answer: it is sent in one piece.
      enable(Int32(TCP_NODELAY), level: Int32(IPPROTO_TCP), of: descriptor)
      return .connection(descriptor, peer: peerName(name(of: &address, length)?.host ?? ""))
    }
    switch code {
    case EAGAIN, EWOULDBLOCK: return .noConnection
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
    case EBADF, EINVAL, ENOTSOCK: return .noConnection
    // Includes network errors, which Linux reports here for connections that have already failed: accept(2).
    default: return .gone
    }
  }

  /// The name of a client; IPv4 addresses on an IPv6 socket are written as IPv4.
  static func peerName(_ host: String) -> String {
    host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
  }

  /// The numeric host and port of a socket's address.
  private static func name(of address: inout sockaddr_storage, _ length: socklen_t) -> SocketAddress? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST) + 16) { text in
      guard let host = text.baseAddress else { return nil }
      let port = unsafe host + Int(NI_MAXHOST)
      let failed = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe getnameinfo(generic, length, host, socklen_t(NI_MAXHOST), port, 16, NI_NUMERICHOST | NI_NUMERICSERV)
        }
      }
      guard failed == 0, let number = unsafe UInt16(String(cString: port)) else { return nil }
      return unsafe SocketAddress(host: String(cString: host), port: number)
    }
  }
}

// MARK: Listening and connecting

extension Socket {
  /// Opens a listening socket at the first usable address of a host, IPv4 before IPv6: a name such as `localhost` has
  /// both, and people type 127.0.0.1.
  package static func openListener(
    host: String, port: UInt16
  ) throws(BindFailure) -> (descriptor: Int32, address: SocketAddress) {
    guard !host.isEmpty, !host.utf8.contains(0) else { throw .unknownHost(host, reason: "it is empty or has a NUL") }
    var first: BindFailure?
    let (bound, failed) = unsafe withAddresses(of: host, String(port), AI_PASSIVE | AI_NUMERICSERV) { entry in
      do throws(BindFailure) {
        return try unsafe openListener(at: entry, host, port)
      } catch {
        first = first ?? error
        return nil
      }
    }
    if let bound { return bound }
    guard failed == 0 else { throw unsafe .unknownHost(host, reason: String(cString: gai_strerror(failed))) }
    throw first ?? .unknownHost(host, reason: "it has no address")
  }

  private static func openListener(
    at entry: addrinfo, _ host: String, _ port: UInt16
  ) throws(BindFailure) -> (descriptor: Int32, address: SocketAddress) {
    let descriptor = unsafe socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { throw failure("socket", host, port) }
    do throws(BindFailure) {
      makePrivate(descriptor)
      // Without it, the port of a server that closed its connections is unavailable for a minute.
      enable(SO_REUSEADDR, level: SOL_SOCKET, of: descriptor)
      guard unsafe bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else { throw failure("bind", host, port) }
      // The system reduces this to its own limit.
      guard listen(descriptor, 1024) == 0 else { throw failure("listen", host, port) }
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let unnamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(descriptor, $0, &length) != 0
        }
      }
      guard !unnamed, let bound = name(of: &address, length) else { throw failure("getsockname", host, port) }
      return (descriptor, bound)
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
  }

  private static func failure(_ call: String, _ host: String, _ port: UInt16) -> BindFailure {
    let error = Errno(errno)
    switch error.code {
    case EADDRINUSE: return .addressInUse(host: host, port: port)
    case EACCES, EPERM: return .noPermission(host: host, port: port)
    case EADDRNOTAVAIL: return .foreignHost(host)
    default: return .system(call: call, code: error.code, reason: error.reason)
    }
  }

  /// Why a connection could not be started.
  package enum ConnectFailure: Error {
    /// The name has no address.
    case noSuchHost
    /// A socket could not be created.
    case noSocket(Errno)
    /// The connection was refused at once.
    case refused(Errno)
  }

  /// Connects a socket to the first address of a host, IPv4 before IPv6, as in ``openListener(host:port:)``.
  ///
  /// It becomes writable once connected; otherwise ``error(of:)`` gives the reason.
  package static func openConnection(host: String, port: Int) throws(ConnectFailure) -> Int32 {
    let (outcome, _) = unsafe withAddresses(of: host, String(port), AI_NUMERICSERV) { entry in
      Result { () throws(ConnectFailure) in try unsafe openConnection(to: entry) }
    }
    guard let outcome else { throw .noSuchHost }
    return try outcome.get()
  }

  private static func openConnection(to entry: addrinfo) throws(ConnectFailure) -> Int32 {
    let descriptor = unsafe socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { throw .noSocket(Errno(errno)) }
    makePrivate(descriptor)
    Platform.suppressSignal(descriptor)
    if unsafe connect(descriptor, entry.ai_addr, entry.ai_addrlen) != 0, errno != EINPROGRESS {
      let error = Errno(errno)
      closeDescriptor(descriptor)
      throw .refused(error)
    }
    return descriptor
  }

  /// Tries the addresses of a host, IPv4 before IPv6, until `attempt` returns a value.
  ///
  /// - Returns: that value, and the error number of `getaddrinfo`, or 0.
  private static func withAddresses<Found>(
    of host: String, _ port: String, _ flags: Int32, _ attempt: (addrinfo) -> Found?
  ) -> (found: Found?, failed: Int32) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Platform.streamSocket
    unsafe hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let failed = unsafe getaddrinfo(host, port, &hints, &list)
    guard failed == 0, let first = unsafe list else { return (nil, failed) }
    defer { unsafe freeaddrinfo(first) }
    for isIPv4 in [true, false] {
      var next = unsafe list
      while let entry = unsafe next {
        if unsafe (entry.pointee.ai_family == AF_INET) == isIPv4, let found = unsafe attempt(entry.pointee) {
          return (found, 0)
        }
        unsafe next = entry.pointee.ai_next
      }
    }
    return (nil, 0)
  }
}

/// The address of a server.
package struct SocketAddress: Equatable, Sendable {
  /// A numeric address, IPv6 without brackets.
  package var host: String
  /// Never 0.
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The address with its port: `127.0.0.1:8787` or `[::1]:8787`.
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// The authority for clients on this machine; for a server that listens on all addresses it is the loopback address.
  package var localAuthority: String {
    switch host {
    case "0.0.0.0": "127.0.0.1:\(port)"
    case "::": "[::1]:\(port)"
    default: authority
    }
  }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }
}

/// Why a server cannot listen.
package enum BindFailure: Error, Equatable, Sendable {
  /// Another program already listens there.
  case addressInUse(host: String, port: UInt16)
  /// No right to a port below 1024, or a sandbox.
  case noPermission(host: String, port: UInt16)
  /// Neither an address nor a name that has one. The reason is the system's own text.
  case unknownHost(String, reason: String)
  /// The address belongs to another machine.
  case foreignHost(String)
  /// Another system call failed; the number is `errno`, the reason the system's own text.
  case system(call: String, code: Int32, reason: String)
}

/// A set of sockets to wait for with one `poll(2)`.
///
/// It uses `poll` instead of `epoll` or `kqueue`: it is the same on Linux and macOS, and for a thousand connections it
/// costs little compared with answering them.
package struct PollSet {
  /// The event to wait for on a socket.
  package enum Interest {
    case input
    case output
    /// Whichever comes first.
    case inputOrOutput
    /// Nothing; a hang-up is not reported either.
    case nothing
  }

  /// The result of `poll` for a socket.
  package struct Readiness {
    /// Whether there are bytes, the end or an error to read.
    package let canRead: Bool
    package let canWrite: Bool
    /// Whether the connection is unusable.
    package let hasFailed: Bool

    fileprivate init(_ entry: pollfd) {
      let events = Int32(entry.revents)
      let hasHungUp = events & POLLHUP != 0
      let awaitsInput = Int32(entry.events) & POLLIN != 0
      // When waiting for input, a hang-up may come with unread bytes, and on macOS instead of POLLIN.
      canRead = awaitsInput && (hasHungUp || events & POLLIN != 0)
      canWrite = events & POLLOUT != 0
      hasFailed = events & (POLLERR | POLLNVAL) != 0 || hasHungUp && !awaitsInput
    }
  }

  /// The first entry is the listener's; poll ignores it while there is none.
  private var entries = [pollfd(fd: -1, events: 0, revents: 0)]

  package init() {}

  package var count: Int { entries.count }

  /// Appends a socket.
  package mutating func append(_ descriptor: Int32, _ interest: Interest) {
    entries.append(pollfd(fd: descriptor, events: 0, revents: 0))
    set(interest, at: entries.count - 1)
  }

  /// Replaces a socket by another one, which is watched for input; by none if it is negative.
  package mutating func replace(_ descriptor: Int32, at index: Int) {
    entries[index] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  package mutating func set(_ interest: Interest, at index: Int) {
    // poll ignores negative numbers; the complement preserves the descriptor.
    let descriptor = entries[index].fd < 0 ? ~entries[index].fd : entries[index].fd
    entries[index].fd = interest == .nothing ? ~descriptor : descriptor
    switch interest {
    case .input: entries[index].events = Int16(POLLIN)
    case .output: entries[index].events = Int16(POLLOUT)
    case .inputOrOutput: entries[index].events = Int16(POLLIN) | Int16(POLLOUT)
    case .nothing: entries[index].events = 0
    }
  }

  /// Removes a socket; the last one takes its index.
  package mutating func remove(at index: Int) {
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
  }

  /// The readiness of a socket; nil if nothing happened.
  package func readiness(at index: Int) -> Readiness? {
    entries[index].revents == 0 ? nil : Readiness(entries[index])
  }

  /// Waits until a socket is ready, a signal arrives or the time is over. Returns the number of ready sockets.
  package mutating func wait(seconds: Double) -> Int {
    let milliseconds = Int32(max(0, min(seconds * 1000, 60_000)).rounded(.up))
    let ready = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    // After a failure the events are stale.
    if ready < 0 {
      // Out of memory, the call would fail again at once: a pause saves processor time.
      if errno != EINTR { SystemClock.sleep(0.01) }
      return 0
    }
    return Int(ready)
  }
}
