import SKANBase
import SKANSystem

/// A client's connection: the received bytes, the bytes to send, and a deadline.
///
/// A class, because the server's loop changes two of its parts in one call, which an array of structs does not allow.
final class HTTPConnection {
  /// The event that a connection waits for.
  enum Wait: Equatable {
    /// Nothing: the connection is being handled.
    case none
    /// The first request.
    case first
    /// Another request.
    case idle
    /// The rest of a request's head.
    case head
    /// The rest of a request's body.
    case body
    /// The time of a delayed answer.
    case answer
    /// The next bytes of a stream.
    case stream
    /// The client to read.
    case output
    /// The client to read the last bytes and close.
    case linger

    /// Whether the connection waits for the client to send.
    var isForInput: Bool {
      switch self {
      case .first, .idle, .head, .body: true
      case .none, .answer, .stream, .output, .linger: false
      }
    }
  }

  let descriptor: Int32
  let peer: String
  /// Whether the connection exceeds the limit and is only refused.
  let isSurplus: Bool
  /// The index in ``HTTPServer/connections``.
  var index: Int
  /// Whether the server has not closed the connection.
  var isOpen = true
  var parser: HTTPRequestParser
  var output = ByteText()
  /// The number of bytes of ``output`` that were sent.
  var sent = 0
  /// The value of ``sent`` when ``deadline`` was set.
  var sentAtDeadline = 0
  /// An answer whose reply is not known yet. No later request is answered before it.
  var late: HTTPAnswer?
  /// An answer to be sent later. No later request is answered before it.
  var delayed: (answer: HTTPAnswer, due: Double)?
  /// The stream that the connection sends (``HTTPReply/stream``), and when it may be asked for more bytes.
  var stream: (id: Int, due: Double)?
  /// Whether the last answer is known; later bytes are not read as requests.
  var isEnding = false
  /// Whether the client has ended its output. It may still be reading.
  var inputEnded = false
  /// The time at which a client that has ended its output is considered gone.
  var goneAt = Double.infinity
  /// Whether the client closes too and all its bytes were read, so that closing at once loses nothing.
  var closesAtOnce = false
  var wait = Wait.first
  var deadline: Double
  /// The value of ``HTTPServer/waits`` when the wait began: of two connections the one with the lower number has waited
  /// longer.
  var waitNumber = 0
  /// The part of ``HTTPServer/buffered`` for this connection.
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

  /// The number of bytes in memory. An answer is kept until its last byte is sent.
  var held: Int {
    parser.buffered + (hasOutput ? output.capacity : 0) + (delayed?.answer.reply.response.body.count ?? 0)
  }

  /// Sends as much as possible.
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
  /// The seconds between two parts of a stream.
  static let streamPause = 0.1
  /// The seconds between two looks at a late reply that is not known yet.
  private static let latePause = 0.02
  /// The number of bytes of answers after which no further request is read until they are sent.
  private static let outputMark = 64 * 1024

  /// Processes a connection until it has to wait.
  func advance(_ connection: HTTPConnection) {
    while true {
      let mustGo =
        connection.isEnding || connection.delayed != nil || connection.stream != nil
        || connection.output.count - connection.sent >= Self.outputMark
      if mustGo, !transmit(connection) { return }
      if connection.isEnding { return end(connection) }
      if let stream = connection.stream {
        guard now >= stream.due else { return wait(connection, .stream, .input, until: stream.due) }
        connection.stream = (stream.id, now + Self.streamPause)
        connection.output.append(nextOfStream?(stream.id) ?? [])
        continue
      }
      if let delayed = connection.delayed {
        guard now >= delayed.due else { return awaitAnswer(connection, delayed.due) }
        connection.delayed = nil
        write(delayed.answer, to: connection)
        continue
      }
      if let late = connection.late {
        if isCollecting { return collect(connection) }
        guard let settled = late.settled else { return awaitAnswer(connection, now + Self.latePause) }
        connection.late = nil
        send(settled, to: connection)
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
        // Half a request and the end of the input: no client waits for an answer.
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
    // Collected requests share one later call; a request that is handled alone needs its own.
    if !isCollecting { beforeSending?() }
  }

  /// Writes an answer, or waits until it is due.
  private func send(_ answer: HTTPAnswer, to connection: HTTPConnection) {
    // False for NaN.
    guard answer.reply.delay > 0 else { return write(answer, to: connection) }
    connection.delayed = (answer, now + min(answer.reply.delay, limits.delaySeconds))
  }

  /// Defers a connection until all ready connections have been read.
  private func collect(_ connection: HTTPConnection) {
    collected.append(connection)
    account(connection)
  }

  /// Answers with a failure; later bytes are not read as requests.
  func refuse(_ connection: HTTPConnection, _ failure: HTTPFailure) {
    connection.wait = .none
    onFailure?(failure, connection.peer)
    write(HTTPAnswer(reply: failure.reply), to: connection)
  }

  private func write(_ answer: HTTPAnswer, to connection: HTTPConnection) {
    var answer = answer
    if isStopping { answer.persistence.keepsAlive = false }
    answer.write(to: &connection.output, date: date())
    if let stream = answer.reply.stream {
      connection.stream = (stream, now)
      connection.isEnding = answer.isHead
    } else {
      connection.isEnding = answer.isLast
    }
  }

  /// Whether everything was sent. If not, the connection is collected, waits for the client to read, or was dropped.
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

  /// The number of bytes read from a connection in any case: most requests are smaller.
  static let leastShare = 1024

  /// The number of bytes to read from a connection in this turn, so that one with many requests gets no larger share of
  /// the server.
  func share(ofReady count: Int) -> Int { unsafe max(Self.leastShare, scratch.count / max(1, count)) }

  /// Handles an event on a connection.
  func handle(_ connection: HTTPConnection, _ readiness: PollSet.Readiness) {
    if readiness.hasFailed { return drop(connection) }
    if connection.wait == .linger { return discard(connection) }
    // The client of a stream has nothing more to say; reading shows that it is gone.
    if connection.stream != nil, readiness.canRead {
      discard(connection)
      if !connection.isOpen { return }
    } else if readiness.canRead, !receive(connection, atMost: share) {
      return
    }
    if readiness.canRead || readiness.canWrite { advance(connection) }
  }

  /// Reads once, so that others have their turn; the rest is read in the next turn. False if the connection was
  /// dropped.
  func receive(_ connection: HTTPConnection, atMost count: Int) -> Bool {
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
    switch unsafe Socket.receive(connection.descriptor, into: room) {
    case .bytes(let count):
      unsafe connection.parser.feed(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      connection.closesAtOnce = false
    case .ended:
      connection.inputEnded = true
      // The client may be waiting for a delayed answer or may have disconnected; both look the same.
      connection.goneAt = now + limits.writeSeconds
    case .wouldBlock: break
    case .failed:
      drop(connection)
      return false
    }
    return true
  }

  /// Reads and discards until the client has closed too.
  private func discard(_ connection: HTTPConnection) {
    switch unsafe Socket.receive(connection.descriptor, into: scratch) {
    case .bytes, .wouldBlock: break
    case .ended, .failed: drop(connection)
    }
  }

  /// Closes a connection at once if nothing is in progress; otherwise it ends with its answer.
  func stop(_ connection: HTTPConnection) {
    if connection.stream != nil { return drop(connection) }
    if connection.hasOutput || connection.delayed != nil || connection.late != nil || connection.wait == .linger {
      return
    }
    drop(connection)
  }
}
