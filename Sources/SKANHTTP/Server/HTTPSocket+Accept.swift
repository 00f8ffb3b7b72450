import SKANBase

extension HTTPSocket {
  /// What became of an `accept`.
  enum Acceptance: Equatable {
    case connection(Int32, peer: String)
    /// No client is waiting.
    case noConnection
    /// The client that was waiting has gone; the next may be there.
    case gone
    /// The process or the machine has no descriptor or memory left; new connections go on waiting.
    case exhausted
  }

  static func acceptConnection(_ listener: Int32) -> Acceptance {
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
      suppressSignal(descriptor)
      // An answer leaves in one piece; holding it back for a fuller packet (Nagle) only adds a delay.
      enable(Int32(TCP_NODELAY), level: Int32(IPPROTO_TCP), of: descriptor)
      return .connection(descriptor, peer: peerName(name(of: &address, length)?.host ?? ""))
    }
    switch code {
    case EAGAIN, EWOULDBLOCK: return .noConnection
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
    case EBADF, EINVAL, ENOTSOCK: return .noConnection
    // Among others the network's own errors, which Linux reports here for a connection that has died already: accept(2).
    default: return .gone
    }
  }

  /// An IPv4 client has the same name on an IPv6 socket as on its own.
  static func peerName(_ host: String) -> String {
    host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
  }

  /// Numeric host and port of a socket's address.
  static func name(of address: inout sockaddr_storage, _ length: socklen_t) -> HTTPServerAddress? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST) + 16) { text in
      guard let host = text.baseAddress else { return nil }
      let port = unsafe host + Int(NI_MAXHOST)
      let failed = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe getnameinfo(generic, length, host, socklen_t(NI_MAXHOST), port, 16, NI_NUMERICHOST | NI_NUMERICSERV)
        }
      }
      guard failed == 0, let number = unsafe UInt16(String(cString: port)) else { return nil }
      return unsafe HTTPServerAddress(host: String(cString: host), port: number)
    }
  }
}
