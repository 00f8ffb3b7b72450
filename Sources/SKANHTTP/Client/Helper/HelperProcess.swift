import Foundation
import SKANDevice
import SKANSystem

/// A process that sends requests, and our end of the socket that leads to it.
struct HelperProcess: Sendable {
  /// How a wait for bytes ended.
  private enum Ending: Error {
    case deadline
    case interrupted
    case gone
  }

  private let child: ChildProcess
  private let socket: Int32

  /// Starts `skan-http`. The socket is its standard input, and it has no other way to the outside but the network. In a
  /// group of its own no Ctrl-C of the terminal ends it before this process knows of it.
  ///
  /// - Parameter program: its path.
  init(_ program: String) throws(Errno) {
    var start = ProgramStart(program, arguments: [HelperProtocol.programName], environment: Self.environment)
    start.streams = [.socket, .dropped, .dropped]
    start.hasOwnGroup = true
    let (child, ends) = try start.run()
    (self.child, socket) = (child, ends[0])
    // The socket has room for it; a process that is gone shows itself at the first request.
    _ = unsafe Frame.of(HelperProtocol.greeting).withUnsafeBytes { unsafe Socket.transmit(ends[0], $0) }
  }

  /// What may matter to URLSession (proxies, certificates), and nothing of ours: no key.
  private static var environment: [String] {
    System.environment.filter { !$0.hasPrefix("SKAN_") }
      // A crash is expected here, and a backtrace takes seconds.
      + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Whether it is there for a request: it may have crashed since the last one, over a connection that is kept.
  var isAlive: Bool { Socket.wait(for: .input, on: socket, seconds: 0) == nil }

  /// Ends it, whatever it is at. Not to be used any more.
  ///
  /// - Returns: its exit code when it had ended by itself.
  @discardableResult
  func kill() -> Int32? {
    Socket.closeDescriptor(socket)
    return child.kill().code
  }

  func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, until deadline: ContinuousClock.Instant,
    isInterrupted: () -> Bool
  ) -> Result<HTTPExchange, TransportFailure> {
    do throws(Ending) {
      try write(Frame.of(request, limits), deadline, isInterrupted)
      let head = try read(Frame.headLength, deadline, isInterrupted)
      let room = max(0, limits.bytes) + request.body.count + 4 * HTTPAnswerLimits.headBytes
      guard let length = Frame.length(head), (0...room).contains(length) else { throw .gone }
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
      try wait(for: .output, deadline, isInterrupted)
      switch unsafe rest.withUnsafeBytes({ unsafe Socket.transmit(socket, $0) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: break
      case .ended, .failed: throw .gone
      }
    }
  }

  private func read(
    _ length: Int, _ deadline: ContinuousClock.Instant, _ isInterrupted: () -> Bool
  ) throws(Ending) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      try wait(for: .input, deadline, isInterrupted)
      let transfer = unsafe bytes.withUnsafeMutableBytes {
        unsafe Socket.receive(socket, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      switch transfer {
      case .bytes(let count): filled += count
      case .wouldBlock: break
      case .ended, .failed: throw .gone
      }
    }
    return bytes
  }

  /// Waits in slices, so that an interrupt that came just before a wait is seen, too.
  private func wait(
    for interest: PollSet.Interest, _ deadline: ContinuousClock.Instant, _ isInterrupted: () -> Bool
  ) throws(Ending) {
    while true {
      if isInterrupted() { throw .interrupted }
      let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
      if left <= 0 { throw .deadline }
      if Socket.wait(for: interest, on: socket, seconds: min(left, 0.05)) != nil { return }
    }
  }
}
