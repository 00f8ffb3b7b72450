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
///     case .failure(let failure): print(failure.message(address: address, carriesKey: true))
///     }
///
/// A process serves consecutive requests; simultaneous requests have one each. After certain failures the process is
/// killed, and the next request gets a new one. All end with this process, however it ends.
package final class HelperTransport: Sendable {
  /// Why `skan-http` cannot be used: the system's reason, that it does not exist, or that it is another program.
  package struct StartFailure: Error, Equatable { package let reason: String }

  private let findPlaces: @Sendable () -> [String]
  private let idle = Mutex<[HelperProcess]>([])

  /// Creates a transport; a process is started at the first request.
  ///
  /// - Parameter places: the paths to try for `skan-http`, in order.
  package init(places: @autoclosure @escaping @Sendable () -> [String]) { findPlaces = places }

  deinit { for process in idle.withLock({ $0 }) { process.kill() } }

  /// Starts a process now, and waits until it can take a request or `isInterrupted` returns true.
  ///
  /// - Throws: why it cannot be used; every request would fail for the same reason.
  package func prepare(isInterrupted: () -> Bool = { false }) throws(StartFailure) {
    guard idle.withLock({ $0.isEmpty }) else { return }
    var process = try start()
    try process.greet(isInterrupted)
    idle.withLock { $0.append(process) }
  }

  /// Sends a request and blocks the calling thread until the answer or the limits.
  ///
  /// - Parameter isInterrupted: called about every 50 ms, on the calling thread.
  package func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    var process: HelperProcess
    do throws(StartFailure) {
      if let idle = idleProcess() { process = idle } else { process = try start() }
      try process.greet(isInterrupted)
    } catch {
      return .failure(.noHelper(error.reason))
    }
    let deadline = ContinuousClock.now + .seconds(limits.boundedSeconds)
    let outcome = process.send(request, within: limits, until: deadline, isInterrupted: isInterrupted)
    if outcome.leavesSessionSound {
      idle.withLock { $0.append(process) }
      return outcome
    }
    let code = process.kill()
    guard outcome == .failure(.crashed) else { return outcome }
    switch code {
    // An answer can crash URLSession, which a signal ends. Nothing that an endpoint does makes the program exit.
    case nil: return outcome
    case HelperProtocol.memoryExitCode?: return .failure(.tooMuchMemory(limits.bytes))
    case let code?: return .failure(.noHelper(process.fault("it ended with code \(code) during a request").reason))
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
    case .failure(.timedOut), .failure(.interrupted), .failure(.bodyTooLarge), .failure(.crashed), .failure(.other),
      .failure(.noHelper):
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
    /// The bytes are not those of `skan-http`.
    case malformed
  }

  private let program: String
  private let child: ChildProcess
  private let socket: Int32
  /// Whether the process has answered the greeting, so that it is `skan-http` of this version.
  private var isGreeted = false

  /// Starts `skan-http`. It communicates only through the socket, which is its standard input, and the network. In its
  /// own process group, Ctrl-C in the terminal does not end it before this process.
  ///
  /// - Parameter program: its path.
  init(_ program: String) throws(Errno) {
    self.program = program
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

  /// Waits for the answer to the greeting, unless it has come. A program that gives none is killed.
  ///
  /// - Parameter isInterrupted: ends the wait without a failure; the next call waits again.
  mutating func greet(_ isInterrupted: () -> Bool) throws(HelperTransport.StartFailure) {
    if isGreeted { return }
    let seconds = HelperProtocol.startSeconds
    do throws(Ending) {
      let expected = Frame.of(HelperProtocol.answerToGreeting)
      let bytes = try read(expected.count, .now + .seconds(seconds), isInterrupted)
      guard bytes == expected else { throw .malformed }
      isGreeted = true
    } catch {
      let code = error == .interrupted ? nil : kill()
      switch error {
      case .interrupted: return
      case .deadline: throw fault("it has not begun within \(Int(seconds)) s")
      case .malformed: throw fault("it is another program")
      case .gone where code == HelperProtocol.versionExitCode:
        throw HelperTransport.StartFailure(
          reason: "\(program) is of another version than skan \(ProgramVersion.text); install both again")
      case .gone: throw fault(code.map { "it ended at once with code \($0)" } ?? "it ended at once")
      }
    }
  }

  /// The failure for a program that does not do what `skan-http` does.
  func fault(_ what: String) -> HelperTransport.StartFailure {
    HelperTransport.StartFailure(reason: "\(program) does not work: \(what); install skan again")
  }

  func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, until deadline: ContinuousClock.Instant,
    isInterrupted: () -> Bool
  ) -> Result<HTTPExchange, TransportFailure> {
    do throws(Ending) {
      try write(Frame.of(request, limits), deadline, isInterrupted)
      let head = try read(Frame.headLength, deadline, isInterrupted)
      let room = max(0, limits.bytes) + request.body.count + 4 * HTTPAnswerLimits.headBytes
      guard let length = Frame.length(head), (0...room).contains(length) else { throw .malformed }
      let content = try read(length, deadline, isInterrupted)
      guard let outcome = try? Frame.outcome(content) else { throw .malformed }
      return outcome
    } catch {
      switch error {
      case .deadline: return .failure(.timedOut(limits.seconds))
      case .interrupted: return .failure(.interrupted)
      case .gone: return .failure(.crashed)
      case .malformed: return .failure(.noHelper(fault("it returned what is no answer").reason))
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
