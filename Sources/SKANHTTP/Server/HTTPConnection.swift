import SKANBase
import SKANSystem

/// One client's connection: what has come, what has still to go, and until when it may wait.
///
/// A class, since the server's loop changes two of its parts in one call, which an array of structs does not allow.
final class HTTPConnection {
  /// The event that a connection waits for, and its deadline.
  enum Wait: Equatable {
    /// For nothing: it is being dealt with.
    case none
    /// For the first request.
    case first
    /// For another request.
    case idle
    /// For the rest of a request's head.
    case head
    /// For the rest of a request's body.
    case body
    /// For the time of a delayed answer.
    case answer
    /// For the client to read.
    case output
    /// For the client to read our last bytes and close.
    case linger

    /// Whether it is the client's turn to send.
    var isForInput: Bool {
      switch self {
      case .first, .idle, .head, .body: true
      case .none, .answer, .output, .linger: false
      }
    }
  }

  let descriptor: Int32
  let peer: String
  /// Whether it is one too many, and is only refused.
  let isSurplus: Bool
  /// Its index in ``HTTPServer/connections``.
  var index: Int
  /// Whether the server has not closed it.
  var isOpen = true
  var parser: HTTPRequestParser
  var output = ByteText()
  /// How much of ``output`` has gone.
  var sent = 0
  /// How much of it had gone when ``deadline`` was set.
  var sentAtDeadline = 0
  /// A reply that is not known yet, and how it goes out. Nothing that came later is answered before it.
  var late: HTTPAnswer?
  /// An answer whose time has not come. Nothing that came later is answered before it.
  var delayed: (answer: HTTPAnswer, due: Double)?
  /// Set as soon as the last answer is known; what comes after is not read as a request.
  var isEnding = false
  /// Whether the client has sent its last byte. It may still be reading.
  var inputEnded = false
  /// When a client that has sent its last byte is taken to be gone.
  var goneAt = Double.infinity
  /// Whether the client closes too, and nothing of it is unread, so that closing at once loses nothing.
  var closesAtOnce = false
  var wait = Wait.first
  var deadline: Double
  /// When its wait began, in ``HTTPServer/waits``: of two connections the one with the lower number has waited longer.
  var waitNumber = 0
  /// Its part in ``HTTPServer/buffered``.
  var accounted = 0

  init(descriptor: Int32, peer: String, index: Int, isSurplus: Bool, limits: HTTPLimits, deadline: Double) {
    self.descriptor = descriptor
    self.peer = peer
    self.index = index
    self.isSurplus = isSurplus
    self.parser = HTTPRequestParser(limits: limits)
    self.deadline = deadline
  }

  var hasOutput: Bool { sent < output.count }

  /// The bytes that it keeps. An answer is kept whole until its last byte has gone.
  var held: Int {
    parser.buffered + (hasOutput ? output.capacity : 0) + (delayed?.answer.reply.response.body.count ?? 0)
  }

  /// Sends as much as goes.
  func transmit() -> Socket.Transfer {
    while hasOutput {
      let outcome = unsafe Socket.transmit(descriptor, UnsafeRawBufferPointer(rebasing: output.written[sent...]))
      guard case .bytes(let count) = outcome, count > 0 else { return outcome }
      sent += count
    }
    if output.capacity <= 8192 { output.removeAll() } else { output = ByteText() }
    let count = sent
    sent = 0
    return .bytes(count)
  }
}

extension HTTPServer {
  /// Bytes of answers that are sent together; no further request is read before they have gone.
  private static let outputMark = 64 * 1024

  /// Goes on with a connection until it has to wait for something.
  func advance(_ connection: HTTPConnection) {
    while true {
      let mustGo =
        connection.isEnding || connection.delayed != nil
        || connection.output.count - connection.sent >= Self.outputMark
      if mustGo, !transmit(connection) { return }
      if connection.isEnding { return end(connection) }
      if let delayed = connection.delayed {
        guard now >= delayed.due else { return awaitAnswer(connection, delayed.due) }
        connection.delayed = nil
        write(delayed.answer, to: connection)
        continue
      }
      if let late = connection.late {
        if isCollecting { return collect(connection) }
        connection.late = nil
        send(late.settled, to: connection)
        continue
      }
      if isStopping {
        connection.isEnding = true
        continue
      }
      switch connection.parser.next() {
      case .request(let request, let persistence): serve(connection, request, persistence)
      case .failure(let failure): refuse(connection, failure)
      case .needMore:
        if connection.parser.consumeExpectation() { connection.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        guard transmit(connection) else { return }
        // Half a request and no more to come: no client is left to answer.
        if connection.inputEnded { return drop(connection) }
        guard connection.parser.isIdle || buffered <= limits.buffered else {
          refuse(connection, .tooMuchBuffered(limit: limits.buffered))
          continue
        }
        return awaitInput(connection)
      }
    }
  }

  private func serve(_ connection: HTTPConnection, _ request: HTTPRequest, _ persistence: HTTPPersistence) {
    guard makeSpace(for: connection) else {
      return refuse(connection, .tooMuchBuffered(limit: limits.buffered))
    }
    connection.wait = .none
    let reply = handler(request, connection.peer)
    if reply.isCounted { served += 1 }
    if served >= mostServed { isStopping = true }
    let answer = HTTPAnswer(reply: reply, isHead: request.method == "HEAD", persistence: persistence)
    connection.closesAtOnce = !persistence.keepsAlive && connection.parser.isIdle
    guard reply.late != nil else { return send(answer, to: connection) }
    connection.late = answer
    // Among those that are collected it waits for the last; alone it is the last.
    if !isCollecting { beforeSending?() }
  }

  /// Writes an answer, or begins to wait for its time.
  private func send(_ answer: HTTPAnswer, to connection: HTTPConnection) {
    // No comparison with NaN is true.
    guard answer.reply.delay > 0 else { return write(answer, to: connection) }
    connection.delayed = (answer, now + min(answer.reply.delay, limits.delaySeconds))
  }

  /// Goes on with a connection when all that are ready were heard.
  private func collect(_ connection: HTTPConnection) {
    collected.append(connection)
    account(connection)
  }

  /// Answers on the server's own; nothing more is read as a request.
  func refuse(_ connection: HTTPConnection, _ failure: HTTPFailure) {
    connection.wait = .none
    onFailure?(failure, connection.peer)
    write(HTTPAnswer(reply: failure.reply), to: connection)
  }

  private func write(_ answer: HTTPAnswer, to connection: HTTPConnection) {
    var answer = answer
    if isStopping { answer.persistence.keepsAlive = false }
    answer.write(to: &connection.output, date: date())
    connection.isEnding = answer.isLast
  }

  /// Whether all has gone; if not, the connection waits for its turn to send or for the client to read, or is dropped.
  private func transmit(_ connection: HTTPConnection) -> Bool {
    guard connection.hasOutput else { return true }
    if isCollecting {
      collect(connection)
      return false
    }
    switch connection.transmit() {
    case .bytes:
      connection.wait = .none
      return true
    case .wouldBlock: awaitOutput(connection)
    case .ended, .failed: drop(connection)
    }
    return false
  }

  private func end(_ connection: HTTPConnection) {
    if connection.inputEnded || connection.closesAtOnce { return drop(connection) }
    Socket.endOutput(connection.descriptor)
    connection.parser = HTTPRequestParser(limits: limits)
    wait(connection, .linger, .input, until: now + limits.lingerSeconds)
  }

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
