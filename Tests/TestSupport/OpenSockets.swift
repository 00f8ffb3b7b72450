import Foundation

/// The sockets that this process has open.
package enum OpenSockets {
  /// Those whose own end is a port of this machine, by their descriptors: a server's listener and the connections that it
  /// accepted, though not those of its clients.
  package static func bound(to port: Int) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { Self.port(of: $0) == port }.sorted()
  }

  /// Nil for what is not an IPv4 socket with a port.
  private static func port(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard failed == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
