import SKANSystem

extension HTTPServer {
  /// Bytes of an answer that a client must read within ``HTTPLimits/writeSeconds``, so that one that reads a byte a second is
  /// dropped.
  private static let readAtLeast = 64 * 1024
  /// Bytes that are read ahead while an answer is delayed: only reading shows that a client has gone.
  private static let readAhead = 16 * 1024

  func wait(
    _ connection: HTTPConnection, _ wait: HTTPConnection.Wait, _ interest: PollSet.Interest, until deadline: Double
  ) {
    // The head of a first request has been awaited since the connect.
    if connection.wait != .first || wait != .head { number(connection) }
    connection.wait = wait
    connection.deadline = deadline
    nextDeadline = min(nextDeadline, deadline)
    polled.set(interest, at: connection.index + 1)
    account(connection)
  }

  /// Says that a connection's wait begins now.
  func number(_ connection: HTTPConnection) {
    waits += 1
    connection.waitNumber = waits
  }

  func awaitAnswer(_ connection: HTTPConnection, _ due: Double) {
    let reads = !connection.inputEnded && connection.parser.buffered < Self.readAhead
    wait(connection, .answer, reads ? .input : .nothing, until: min(due, connection.goneAt))
  }

  func awaitOutput(_ connection: HTTPConnection) {
    guard connection.wait != .output || connection.sent - connection.sentAtDeadline >= Self.readAtLeast else {
      return account(connection)
    }
    connection.sentAtDeadline = connection.sent
    wait(connection, .output, .output, until: now + limits.writeSeconds)
  }

  /// A deadline is set when the wait begins, and not moved by what comes: single bytes do not keep a connection.
  func awaitInput(_ connection: HTTPConnection) {
    let parser = connection.parser
    let next: HTTPConnection.Wait =
      !parser.isIdle ? parser.isInBody ? .body : .head : connection.wait == .first ? .first : .idle
    guard connection.wait != next else { return account(connection) }
    let seconds =
      switch next {
      case .body: limits.bodySeconds
      case .idle: limits.idleSeconds
      default: limits.headSeconds
      }
    wait(connection, next, .input, until: now + seconds)
  }

  /// Counts what a connection keeps.
  func account(_ connection: HTTPConnection) {
    let held = connection.held
    buffered += held - connection.accounted
    connection.accounted = held
  }

  /// A deadline is over.
  func expire(_ connection: HTTPConnection) {
    switch connection.wait {
    case .answer where (connection.delayed?.due ?? now) <= now: advance(connection)
    case .head:
      refuse(connection, .slowHead(seconds: limits.headSeconds))
      advance(connection)
    case .body:
      refuse(connection, .slowBody(seconds: limits.bodySeconds))
      advance(connection)
    case .output:
      // The system would otherwise keep what was not read for many minutes.
      Socket.resetOnClose(connection.descriptor)
      drop(connection)
    case .none, .first, .idle, .answer, .linger: drop(connection)
    }
  }
}
