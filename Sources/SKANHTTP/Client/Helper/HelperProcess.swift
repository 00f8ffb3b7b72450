import Foundation
import SKANDevice

/// A process that sends requests, and our end of the socket that leads to it.
struct HelperProcess: Sendable {
  /// How a wait for bytes ended.
  private enum Ending: Error {
    case deadline
    case interrupted
    case gone
  }

  private let number: pid_t
  private let socket: Int32

  /// Starts `skan-http`. The socket is its standard input, and it has no other way to the outside but the network. In a
  /// group of its own no Ctrl-C of the terminal ends it before this process knows of it.
  ///
  /// - Parameter program: its path.
  init(_ program: String) throws(SocketChild.Failure) {
    let child = try SocketChild(
      program, arguments: [HelperProtocol.programName], environment: Self.environment, usesSocketForOutput: false,
      hasOwnGroup: true)
    (number, socket) = (child.process, child.socket)
    // The socket has room for it; a process that is gone shows itself at the first request.
    let greeting = Frame.of(HelperProtocol.greeting)
    _ = unsafe greeting.withUnsafeBytes {
      unsafe Foundation.send(socket, $0.baseAddress, $0.count, SocketChild.sendFlags)
    }
  }

  /// What may matter to URLSession (proxies, certificates), and nothing of ours: no key.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SKAN_") }.map { "\($0.key)=\($0.value)" }
      // A crash is expected here, and a backtrace takes seconds.
      + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Whether it is there for a request: it may have crashed since the last one, over a connection that is kept.
  var isAlive: Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) == 0
  }

  /// Ends it, whatever it is at. Not to be used any more.
  ///
  /// - Returns: its exit code when it had ended by itself.
  @discardableResult
  func kill() -> Int32? {
    close(socket)
    Foundation.kill(number, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, until deadline: ContinuousClock.Instant,
    isInterrupted: () -> Bool
  ) -> Result<HTTPExchange, TransportFailure> {
    do throws(Ending) {
      try write(Frame.of(request, limits), deadline, isInterrupted)
      var reader = FrameReader(try read(Frame.headLength, deadline, isInterrupted))
      let room = max(0, limits.bytes) + request.body.count + 4 * HTTPAnswerLimits.headBytes
      guard let length = try? reader.number(), (0...room).contains(length) else { throw .gone }
      guard let outcome = try? Frame.outcome(try read(length, deadline, isInterrupted)) else { throw .gone }
      return outcome
    } catch {
      switch error {
      case .deadline: return .failure(.timedOut(limits.seconds))
      case .interrupted: return .failure(.interrupted)
      case .gone: return .failure(.crashed)
      }
    }
  }

  private func write(
    _ bytes: [UInt8], _ deadline: ContinuousClock.Instant, _ isInterrupted: () -> Bool
  ) throws(Ending) {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      try wait(for: POLLOUT, deadline, isInterrupted)
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(socket, $0.baseAddress, $0.count, SocketChild.sendFlags)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        throw .gone
      }
    }
  }

  private func read(
    _ length: Int, _ deadline: ContinuousClock.Instant, _ isInterrupted: () -> Bool
  ) throws(Ending) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      try wait(for: POLLIN, deadline, isInterrupted)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress.map { unsafe $0 + filled }, length - filled, 0)
      }
      if count > 0 {
        filled += count
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        throw .gone
      }
    }
    return bytes
  }

  /// Waits in slices, so that an interrupt that came just before a wait is seen, too.
  private func wait(
    for event: some BinaryInteger, _ deadline: ContinuousClock.Instant, _ isInterrupted: () -> Bool
  ) throws(Ending) {
    while true {
      if isInterrupted() { throw .interrupted }
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      if left <= 0 { throw .deadline }
      var polled = pollfd(fd: socket, events: Int16(event), revents: 0)
      if unsafe poll(&polled, 1, Int32(min(left.rounded(.up), 50))) > 0 { return }
    }
  }
}
