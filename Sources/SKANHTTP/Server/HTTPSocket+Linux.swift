import SKANBase

#if canImport(Glibc)
  extension HTTPSocket {
    static let streamType = Int32(SOCK_STREAM.rawValue)
  }
#elseif canImport(Musl)
  extension HTTPSocket {
    static let streamType = Int32(SOCK_STREAM)
  }
#endif

#if canImport(Glibc) || canImport(Musl)
  extension HTTPSocket {
    /// A client that has gone must not end the process with SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing: each call of `send` says it.
    static func suppressSignal(_ descriptor: Int32) {}
  }
#endif
