import SKANSystem

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
}
