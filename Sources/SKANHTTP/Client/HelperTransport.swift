import Foundation
import SKANBase
import SKANDevice
import SKANSystem
import Synchronization

/// Requests that `skan-http` sends, so that no answer can hold up, crash or fill this process.
///
///     let transport = HelperTransport(places: HelperProtocol.places(besideProgramIn: "/usr/local/bin"))
///     let request = HTTPRequest.get("http://localhost:8080/api/v2/conversion_value?a=…")
///     switch transport.send(request, within: HTTPAnswerLimits(seconds: 2.5)) {
///     case .success(let exchange): print(exchange.response.status)
///     case .failure(let failure): print(failure.message(address: address))
///     }
///
/// A process serves the run's requests one after another; requests at the same time have one each. One whose answer was
/// no good end is killed, and the next request gets a fresh one. They end with this process, however that ends.
package final class HelperTransport: Sendable {
  /// Why `skan-http` cannot be started: the system's reason, or that there is none.
  package struct StartFailure: Error, Equatable { package let reason: String }

  private let findPlaces: @Sendable () -> [String]
  private let idle = Mutex<[HelperProcess]>([])

  /// Costs nothing; a process is started at the first request.
  ///
  /// - Parameter places: where `skan-http` is looked for, in this order.
  package init(places: @autoclosure @escaping @Sendable () -> [String]) { findPlaces = places }

  deinit { for process in idle.withLock({ $0 }) { process.kill() } }

  /// Starts a process now, so that the first request need not wait for it.
  ///
  /// - Throws: why it cannot be started; every request would fail for the same reason.
  package func prepare() throws(StartFailure) {
    guard idle.withLock({ $0.isEmpty }) else { return }
    let process = try start()
    idle.withLock { $0.append(process) }
  }

  /// Asks and waits, blocking the calling thread, never longer than the limits say.
  ///
  /// - Parameter isInterrupted: asked about every 50 ms, on the calling thread.
  package func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    let deadline = ContinuousClock.now + .seconds(limits.boundedSeconds)
    let process: HelperProcess
    do throws(StartFailure) {
      if let idle = idleProcess() { process = idle } else { process = try start() }
    } catch {
      return .failure(.noHelper(error.reason))
    }
    let outcome = process.send(request, within: limits, until: deadline, isInterrupted: isInterrupted)
    if outcome.leavesSessionSound {
      idle.withLock { $0.append(process) }
      return outcome
    }
    let code = process.kill()
    guard outcome == .failure(.crashed) else { return outcome }
    switch code {
    case HelperProtocol.memoryExitCode: return .failure(.tooMuchMemory(limits.bytes))
    case HelperProtocol.versionExitCode:
      let reason = "\(program ?? "it") is of another version than skan \(ProgramVersion.text); install both again"
      return .failure(.noHelper(reason))
    default: return outcome
    }
  }

  /// The first of the places with a program.
  private var program: String? { findPlaces().first(where: ProgramPath.isExecutable) }

  private func start() throws(StartFailure) -> HelperProcess {
    guard let program else {
      throw StartFailure(
        reason: "there is none at \(findPlaces().joined(separator: " or ")); install skan again")
    }
    do throws(Errno) { return try HelperProcess(program) } catch {
      throw StartFailure(reason: "\(program): \(error.reason)")
    }
  }

  private func idleProcess() -> HelperProcess? {
    while let process = idle.withLock({ $0.popLast() }) {
      if process.isAlive { return process }
      process.kill()
    }
    return nil
  }
}

extension Result<HTTPExchange, TransportFailure> {
  /// Whether the task has come to an end of its own, so that URLSession has nothing left to do.
  fileprivate var leavesSessionSound: Bool {
    switch self {
    case .success: true
    case .failure(.timedOut), .failure(.interrupted), .failure(.bodyTooLarge), .failure(.crashed), .failure(.other):
      false
    case .failure: true
    }
  }
}

/// What a client lets an answer cost.
package struct HTTPAnswerLimits: Equatable, Sendable {
  /// The most bytes of an unpacked body where nothing else is asked for.
  package static let defaultBytes = 1 << 20
  /// The most bytes that the heads of an answer may have, those of its redirects included.
  package static let headBytes = 1 << 18

  /// From the call to the last byte of the body, redirects included; fractions count, and zero or less ends the request
  /// at once.
  package var seconds: Double
  /// The most bytes of an unpacked body.
  package var bytes: Int

  /// Limits of both kinds.
  package init(seconds: Double, bytes: Int = Self.defaultBytes) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// The time that a request really has: neither clock nor session takes any number, and a NaN counts as zero.
  package var boundedSeconds: Double { seconds > 0 ? min(seconds, 1_000_000) : 0 }
}

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
