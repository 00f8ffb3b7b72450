#if canImport(Darwin)
  import Foundation

  extension TestSocket {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0

    static func suppressSignal(_ descriptor: Int32) {
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
