#if !canImport(Darwin)
  import Foundation

  extension TestSocket {
    #if canImport(Glibc)
      package static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
      package static let streamType = Int32(SOCK_STREAM)
    #endif
    package static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing: each call of `send` says it.
    package static func suppressSignal(_ descriptor: Int32) {}
  }
#endif
