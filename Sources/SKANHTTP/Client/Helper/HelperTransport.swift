import Synchronization

/// Requests that another process of this program sends, so that no answer can hold up, crash or fill this one.
///
///     let transport = HelperTransport(program: "/proc/self/exe")
///     let request = HTTPRequest.get("http://localhost:8080/api/v2/conversion_value?a=…")
///     switch transport.send(request, within: HTTPAnswerLimits(seconds: 2.5)) {
///     case .success(let exchange): print(exchange.response.status)
///     case .failure(let failure): print(failure.message(address: address))
///     }
///
/// A process serves the run's requests one after another; requests at the same time have one each. One whose answer was
/// no good end is killed, and the next request gets a fresh one. They end with this process, however that ends.
package final class HelperTransport: Sendable {
  private let program: String
  private let idle = Mutex<[HelperProcess]>([])

  /// Costs nothing; a process is started at the first request.
  ///
  /// - Parameter program: an executable that is this program.
  package init(program: String) { self.program = program }

  deinit { for process in idle.withLock({ $0 }) { process.kill() } }

  /// Starts a process now, so that the first request need not wait for it. What goes wrong here goes wrong again then.
  package func prepare() {
    guard idle.withLock({ $0.isEmpty }), let process = try? HelperProcess(program) else { return }
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
    do throws(TransportFailure) {
      if let idle = idleProcess() { process = idle } else { process = try HelperProcess(program) }
    } catch {
      return .failure(error)
    }
    let outcome = process.send(request, within: limits, until: deadline, isInterrupted: isInterrupted)
    if outcome.leavesSessionSound {
      idle.withLock { $0.append(process) }
      return outcome
    }
    let code = process.kill()
    let isFull = outcome == .failure(.crashed) && code == RequestHelper.memoryExitCode
    return isFull ? .failure(.tooMuchMemory(limits.bytes)) : outcome
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
