import Dispatch
import SKANDevice
import SKANHTTP
import Synchronization

/// One request under way: what the delegate has brought so far, and the wait for its end.
final class HTTPCall: Sendable {
  /// How the wait ended.
  enum Ending {
    /// With the answer to one request; a redirect is an answer.
    case done(Result<HTTPResponse, TransportFailure>)
    case deadline
    case interrupted
  }

  private struct State {
    var body: [UInt8] = []
    var result: Result<HTTPResponse, TransportFailure>?
  }

  /// What was asked.
  let address: HTTPAddress
  private let bodyLimit: Int
  private let started = ContinuousClock.now
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  init(address: HTTPAddress, bodyLimit: Int) {
    self.address = address
    self.bodyLimit = bodyLimit
  }

  /// Since the request began.
  var seconds: Double { started.duration(to: .now) / .seconds(1) }

  /// Takes a piece of the body.
  ///
  /// - Returns: false when the limit is passed; the call has then ended.
  func receive(_ bytes: some Collection<UInt8>) -> Bool {
    let fits = state.withLock { state in
      guard state.body.count + bytes.count <= bodyLimit else { return false }
      state.body.append(contentsOf: bytes)
      return true
    }
    if !fits { end(.failure(.bodyTooLarge(bodyLimit))) }
    return fits
  }

  /// The whole answer is there.
  func finish(status: Int, headers: HTTPFields) {
    let body = state.withLock { $0.body }
    end(.success(HTTPResponse(status: status, headers: headers, body: body)))
  }

  /// The first end counts: cancelling a task makes it end a second time.
  func end(_ result: Result<HTTPResponse, TransportFailure>) {
    let isFirst = state.withLock { state in
      guard state.result == nil else { return false }
      state.result = result
      return true
    }
    if isFirst { ended.signal() }
  }

  /// Blocks the thread, in slices, so that an interrupt is seen although nothing wakes the semaphore for it.
  func wait(until deadline: ContinuousClock.Instant, isInterrupted: () -> Bool) -> Ending {
    while true {
      if isInterrupted() { return .interrupted }
      let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
      let isLast = left <= Self.slice
      let outcome = ended.wait(timeout: .now() + max(0, min(left, Self.slice)))
      if outcome == .success, let result = state.withLock({ $0.result }) { return .done(result) }
      if isLast { return .deadline }
    }
  }

  /// Seconds.
  private static let slice = 0.05
}
