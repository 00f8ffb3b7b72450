import Foundation
import SKANBase
import SKANDevice
import SKANSystem
import Synchronization

/// Sends requests through `skan-http`, so that no answer can block, crash or fill this process.
///
///     let transport = HelperTransport(places: HelperProtocol.places(besideProgramIn: "/usr/local/bin"))
///     let request = HTTPRequest.get("http://localhost:8080/api/v2/conversion_value?a=…")
///     switch transport.send(request, within: HTTPAnswerLimits(seconds: 2.5)) {
///     case .success(let exchange): print(exchange.response.status)
///     case .failure(let failure): print(failure.message(address: address))
///     }
///
/// A process serves consecutive requests; simultaneous requests have one each. After certain failures the process is
/// killed, and the next request gets a new one. All end with this process, however it ends.
package final class HelperTransport: Sendable {
  /// Why `skan-http` cannot be started: the system's reason, or that it does not exist.
  package struct StartFailure: Error, Equatable { package let reason: String }

  private let findPlaces: @Sendable () -> [String]
  private let idle = Mutex<[HelperProcess]>([])

  /// Creates a transport; a process is started at the first request.
  ///
  /// - Parameter places: the paths to try for `skan-http`, in order.
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

  /// Sends a request and blocks the calling thread until the answer or the limits.
  ///
  /// - Parameter isInterrupted: called about every 50 ms, on the calling thread.
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

  /// The first of the paths with an executable program.
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
  /// Whether the request ended normally, so that URLSession has no work left.
  fileprivate var leavesSessionSound: Bool {
    switch self {
    case .success: true
    case .failure(.timedOut), .failure(.interrupted), .failure(.bodyTooLarge), .failure(.crashed), .failure(.other):
      false
    case .failure: true
    }
  }
}

/// The limits of an answer.
package struct HTTPAnswerLimits: Equatable, Sendable {
  /// The default limit for the bytes of an unpacked body.
  package static let defaultBytes = 1 << 20
  /// The most bytes in the heads of an answer, including redirects.
  package static let headBytes = 1 << 18

  /// The time from the call to the last byte of the body, including redirects, in seconds with fractions; zero or less
  /// ends the request at once.
  package var seconds: Double
  /// The most bytes of an unpacked body.
  package var bytes: Int

  package init(seconds: Double, bytes: Int = Self.defaultBytes) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// The time limit within the range of clock and session; NaN counts as zero.
  package var boundedSeconds: Double { seconds > 0 ? min(seconds, 1_000_000) : 0 }
}

/// A process that sends requests, and this process's end of the socket to it.
struct HelperProcess: Sendable {
  /// Why a wait for bytes ended without them.
  private enum Ending: Error {
    case deadline
    case interrupted
    case gone
  }

  private let child: ChildProcess
  private let socket: Int32

  /// Starts `skan-http`. It communicates only through the socket, which is its standard input, and the network. In its
  /// own process group, Ctrl-C in the terminal does not end it before this process.
  ///
  /// - Parameter program: its path.
  init(_ program: String) throws(Errno) {
    var start = ProgramStart(program, arguments: [HelperProtocol.programName], environment: Self.environment)
    start.streams = [.socket, .dropped, .dropped]
    start.hasOwnGroup = true
    let (child, ends) = try start.run()
    (self.child, socket) = (child, ends[0])
    // The socket has room for the greeting; an error shows at the first request.
    _ = unsafe Frame.of(HelperProtocol.greeting).withUnsafeBytes { unsafe Socket.transmit(ends[0], $0) }
  }

  /// The environment, which URLSession may need (proxies, certificates), without the variables of `skan`, such as the
  /// key.
  private static var environment: [String] {
    System.environment.filter { !$0.hasPrefix("SKAN_") }
      // Crashes are expected, and a backtrace takes seconds.
      + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Whether the process can take a request; it may have crashed since the last one, because of a kept connection.
  var isAlive: Bool { Socket.wait(for: .input, on: socket, seconds: 0) == nil }

  /// Kills the process, which must not be used afterwards.
  ///
  /// - Returns: its exit code if it had already exited.
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

  /// Waits in slices, so that an interrupt just before a wait is noticed.
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
