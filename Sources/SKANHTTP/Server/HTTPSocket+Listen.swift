import SKANBase

extension HTTPSocket {
  /// A listening socket at the first of a host's addresses that can be had, IPv4 before IPv6: a name such as `localhost`
  /// has both, and 127.0.0.1 is what people type.
  static func openListener(
    host: String, port: UInt16
  ) throws(HTTPBindFailure) -> (descriptor: Int32, address: HTTPServerAddress) {
    guard !host.isEmpty, !host.utf8.contains(0) else { throw .unknownHost(host, reason: "it is empty or has a NUL") }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = streamType
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failed = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard failed == 0 else { throw unsafe .unknownHost(host, reason: String(cString: gai_strerror(failed))) }
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    var entries: [addrinfo] = unsafe []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe entries.append(entry.pointee)
      unsafe next = entry.pointee.ai_next
    }
    let ordered =
      unsafe entries.filter { unsafe $0.ai_family == AF_INET } + entries.filter { unsafe $0.ai_family != AF_INET }
    var first: HTTPBindFailure?
    for index in unsafe ordered.indices {
      do throws(HTTPBindFailure) {
        return try unsafe openListener(at: ordered[index], host, port)
      } catch {
        first = first ?? error
      }
    }
    throw first ?? .unknownHost(host, reason: "it has no address")
  }

  private static func openListener(
    at entry: addrinfo, _ host: String, _ port: UInt16
  ) throws(HTTPBindFailure) -> (descriptor: Int32, address: HTTPServerAddress) {
    let descriptor = unsafe socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { throw failure("socket", host, port) }
    do throws(HTTPBindFailure) {
      makePrivate(descriptor)
      // Without it a port cannot be had again for a minute after a server that closed its connections itself.
      enable(SO_REUSEADDR, level: SOL_SOCKET, of: descriptor)
      guard unsafe bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else { throw failure("bind", host, port) }
      // The system cuts the length of the queue to its own.
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

  /// Sockets stay this process's own and never block.
  static func makePrivate(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  private static func failure(_ call: String, _ host: String, _ port: UInt16) -> HTTPBindFailure {
    let code = errno
    switch code {
    case EADDRINUSE: return .addressInUse(host: host, port: port)
    case EACCES, EPERM: return .noPermission(host: host, port: port)
    case EADDRNOTAVAIL: return .foreignHost(host)
    default:
      return unsafe .system(call: call, code: code, reason: strerror(code).map { unsafe String(cString: $0) } ?? "")
    }
  }
}
