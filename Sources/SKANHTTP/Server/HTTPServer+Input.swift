import SKANSystem

extension HTTPServer {
  /// Bytes that are read of a connection in any case: most requests are smaller.
  static let leastShare = 1024

  /// What of a connection is read in this turn: one that sends many requests at once has as much of the server as others.
  func share(ofReady count: Int) -> Int { unsafe max(Self.leastShare, scratch.count / max(1, count)) }

  /// Something has happened on a connection.
  func handle(_ connection: HTTPConnection, _ readiness: PollSet.Readiness) {
    if readiness.hasFailed { return drop(connection) }
    if connection.wait == .linger { return discard(connection) }
    if readiness.canRead, !receive(connection, atMost: share) { return }
    if readiness.canRead || readiness.canWrite { advance(connection) }
  }

  /// Reads once: what is left is there at the next turn, and others had theirs. False when the connection was dropped.
  func receive(_ connection: HTTPConnection, atMost count: Int) -> Bool {
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
    switch unsafe Socket.receive(connection.descriptor, into: room) {
    case .bytes(let count):
      unsafe connection.parser.feed(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      connection.closesAtOnce = false
    case .ended:
      connection.inputEnded = true
      // It may be waiting for a delayed answer, or have given up: the same bytes say both.
      connection.goneAt = now + limits.writeSeconds
    case .wouldBlock: break
    case .failed:
      drop(connection)
      return false
    }
    return true
  }

  /// Reads and forgets, until the client has closed as well.
  private func discard(_ connection: HTTPConnection) {
    switch unsafe Socket.receive(connection.descriptor, into: scratch) {
    case .bytes, .wouldBlock: break
    case .ended, .failed: drop(connection)
    }
  }

  /// Lets a connection end: at once when it has nothing under way, else with its answer.
  func stop(_ connection: HTTPConnection) {
    if connection.hasOutput || connection.delayed != nil || connection.wait == .linger { return }
    drop(connection)
  }
}
