#if !canImport(Darwin)
  import Foundation

  extension TestSocket {
    static let streamType = Int32(SOCK_STREAM.rawValue)
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing: each call of `send` says it.
    static func suppressSignal(_ descriptor: Int32) {}
  }
#endif
