import Foundation
import Synchronization

/// The POSIX calls of the tests, those of the test server with the retries and the alarm that it needs.
package enum TestSocket {
  /// A system call that failed.
  struct Failure: Error {
    var call: String
    var code: Int32
  }

  /// A listening socket on 127.0.0.1, at a port of the system's choice.
  package static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    prepare(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> String? in
        if bind(descriptor, generic, length) != 0 { return "bind" }
        if Foundation.listen(descriptor, 128) != 0 { return "listen" }
        return getsockname(descriptor, generic, &length) == 0 ? nil : "getsockname"
      }
    }
    if let failed {
      let failure = Failure(call: failed, code: errno)
      close(descriptor)
      throw failure
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Connects a socket to a port of 127.0.0.1; false, with the reason in `errno`, when that fails.
  package static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Sockets stay this process's own, never block (every wait is a `poll`) and raise no SIGPIPE.
  static func prepare(_ descriptor: Int32) {
    closeOnExec(descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    suppressSignal(descriptor)
  }

  static func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

  /// False when the alarm rang.
  static func wait(for descriptor: Int32, _ event: some BinaryInteger, alarm: Int32) -> Bool {
    var polled = [
      pollfd(fd: descriptor, events: Int16(event), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polled, 2, -1) < 0 { if errno != EINTR { return false } }
    return polled[1].revents == 0
  }

  /// False when the alarm rang.
  static func sleep(_ seconds: Double, alarm: Int32) -> Bool {
    var polled = pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Int32(seconds * 1000)) <= 0
  }

  /// False when the alarm rang or the client has gone.
  static func send(_ bytes: [UInt8], to descriptor: Int32, alarm: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard wait(for: descriptor, POLLOUT, alarm: alarm) else { return false }
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, sendFlags) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { return false }
    }
    return true
  }

  /// Makes the coming close an RST.
  static func resetOnClose(_ descriptor: Int32) {
    var choice = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
  }
}

#if canImport(Darwin)
  extension TestSocket {
    package static let streamType = SOCK_STREAM
    package static let sendFlags: Int32 = 0

    package static func suppressSignal(_ descriptor: Int32) {
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif

#if !canImport(Darwin)
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

/// An alarm that wakes every `poll` at once and for good: the reading end of a pipe whose writing end is closed.
final class Pipe: Sendable {
  let reading: Int32
  private let writing: Mutex<Int32?>

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestSocket.Failure(call: "pipe", code: errno) }
    ends.forEach(TestSocket.closeOnExec)
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  func ring() {
    writing.withLock { end in
      if let open = end { Foundation.close(open) }
      end = nil
    }
  }

  /// Only when no thread polls it any more.
  func close() {
    ring()
    Foundation.close(reading)
  }
}
