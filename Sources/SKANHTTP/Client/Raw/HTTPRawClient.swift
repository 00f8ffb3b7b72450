import SKANBase
import SKANSystem

/// Sends several raw requests at the same time, each over its own connection; plain HTTP only.
package enum HTTPRawClient {
  /// Blocks until each has its answer, or has failed.
  ///
  /// - Parameters:
  ///   - seconds: how long all of it may take.
  ///   - isInterrupted: asked about every 50 ms.
  /// - Returns: in the order of the requests.
  package static func send(
    _ requests: [HTTPRawRequest], to address: HTTPAddress, within seconds: Double, isInterrupted: () -> Bool
  ) -> [Result<HTTPRawAnswer, TransportFailure>] {
    let start = SystemClock.seconds
    var calls = requests.map { HTTPRawCall($0) }
    for index in calls.indices { calls[index].connect(to: address) }
    var failure = TransportFailure.timedOut(seconds)
    while calls.contains(where: { $0.result == nil }) {
      let now = SystemClock.seconds - start
      if now >= seconds { break }
      if isInterrupted() {
        failure = .interrupted
        break
      }
      var set = PollSet()
      let open = calls.indices.filter { calls[$0].result == nil }
      for index in open { set.append(calls[index].descriptor, calls[index].interest(at: now)) }
      _ = set.wait(seconds: 0.02)
      let time = SystemClock.seconds - start
      for (position, index) in open.enumerated() {
        if let readiness = set.readiness(at: position + 1) { calls[index].proceed(readiness, at: time) }
      }
    }
    return calls.map { call in
      call.close()
      return call.result ?? .failure(failure)
    }
  }
}
