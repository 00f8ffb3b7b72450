#if canImport(Darwin)
  import Darwin

  extension HTTPSocket {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0

    /// A client that has gone must not end the process with SIGPIPE; here that is an option of the socket, not of each call.
    static func suppressSignal(_ descriptor: Int32) {
      enable(SO_NOSIGPIPE, level: SOL_SOCKET, of: descriptor)
    }
  }
#endif
