#if canImport(Darwin)
  import Foundation

  extension TestSocket {
    package static let streamType = SOCK_STREAM
    package static let sendFlags: Int32 = 0

    package static func suppressSignal(_ descriptor: Int32) {
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
