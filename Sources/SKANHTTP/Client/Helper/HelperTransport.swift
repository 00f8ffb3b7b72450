import SKANBase
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
