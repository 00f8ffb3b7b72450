import Foundation

/// The sockets that this process has open.
package enum OpenSockets {
  /// Those whose own end is a port of this machine, by their descriptors: a server's listener and the connections that it
  /// accepted, though not those of its clients.
  package static func bound(to port: Int) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { Self.port(of: $0) == port }.sorted()
  }

  /// Nil for what is not a TCP socket at 127.0.0.1 or at all addresses: a question to a name server and a connection that
  /// leaves this machine may have a port of the same number.
  private static func port(of descriptor: Int32) -> Int? {
    var type: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0, type == TestSocket.streamType else {
      return nil
    }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard failed == 0, address.sin_family == sa_family_t(AF_INET),
      [0x7F00_0001, 0].contains(UInt32(bigEndian: address.sin_addr.s_addr))
    else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
