import Foundation

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
