#if !canImport(Darwin)
  import Foundation

  extension RawClient {
    #if canImport(Glibc)
      static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
      static let streamType = Int32(SOCK_STREAM)
    #endif
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing: each call of `send` says it.
    static func suppressSignal(_ descriptor: Int32) {}
  }
#endif
