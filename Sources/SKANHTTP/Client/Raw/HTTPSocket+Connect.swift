import SKANBase

extension HTTPSocket {
  /// A socket that connects to the first of a host's addresses, IPv4 before IPv6, as ``openListener(host:port:)`` chooses.
  ///
  /// It becomes writable when it is connected; ``failure(of:)`` says why it is not.
  static func openConnection(host: String, port: Int) throws(TransportFailure) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = streamType
    unsafe hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let first = unsafe list else {
      throw .noSuchHost
    }
    defer { unsafe freeaddrinfo(first) }
    var chosen = unsafe first
    var next = unsafe list
    while let entry = unsafe next {
      if unsafe entry.pointee.ai_family == AF_INET {
        unsafe chosen = entry
        break
      }
      unsafe next = entry.pointee.ai_next
    }
    let entry = unsafe chosen.pointee
    let descriptor = unsafe socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { throw .unreachable(reason(of: errno)) }
    makePrivate(descriptor)
    suppressSignal(descriptor)
    if unsafe connect(descriptor, entry.ai_addr, entry.ai_addrlen) != 0, errno != EINPROGRESS {
      let code = errno
      closeDescriptor(descriptor)
      throw failure(code)
    }
    return descriptor
  }

  /// Why a socket failed.
  static func failure(of descriptor: Int32) -> TransportFailure {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return failure(code)
  }

  private static func failure(_ code: Int32) -> TransportFailure {
    switch code {
    case ECONNREFUSED: .connectionRefused(proxy: nil)
    case ECONNRESET, EPIPE, 0: .connectionReset
    default: .unreachable(reason(of: code))
    }
  }

  private static func reason(of code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
