extension HTTPServer {
  /// Answers are sent once so much is ready, and no further request is read before they have gone.
  private static let outputMark = 64 * 1024

  /// Goes on with a connection until it has to wait for something.
  func advance(_ connection: HTTPConnection) {
    while true {
      let mustGo =
        connection.ending != nil || connection.delayed != nil
        || connection.output.count - connection.sent >= Self.outputMark
      if mustGo, !transmit(connection) { return }
      if let ending = connection.ending { return end(connection, ending) }
      if let delayed = connection.delayed {
        guard now >= delayed.due else { return awaitAnswer(connection, delayed.due) }
        connection.delayed = nil
        write(delayed.answer, to: connection)
        continue
      }
      if isStopping {
        connection.ending = .close
        continue
      }
      switch connection.parser.next() {
      case .request(let request): serve(connection, request)
      case .failure(let failure): refuse(connection, failure)
      case .needMore:
        if connection.parser.takeExpectation() { connection.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        guard transmit(connection) else { return }
        // Half a request and no more to come: there is nobody to tell.
        if connection.inputEnded { return drop(connection) }
        guard connection.parser.isIdle || buffered <= limits.buffered else {
          refuse(connection, .tooMuchBuffered(limit: limits.buffered))
          continue
        }
        return awaitInput(connection)
      }
    }
  }

  private func serve(_ connection: HTTPConnection, _ request: HTTPServerRequest) {
    guard buffered <= limits.buffered else {
      return refuse(connection, .tooMuchBuffered(limit: limits.buffered))
    }
    connection.wait = .none
    var request = request
    request.peer = connection.peer
    let response = handler(request)
    if response.isCounted { served += 1 }
    if served >= mostServed { isStopping = true }
    let answer = HTTPAnswer(
      response: response, isHead: request.method == "HEAD", minorVersion: request.minorVersion,
      keepsAlive: request.keepsAlive)
    connection.closesAtOnce = !request.keepsAlive && connection.parser.isIdle
    // No comparison with NaN is true.
    guard response.after > 0 else { return write(answer, to: connection) }
    connection.delayed = (answer, now + min(response.after, limits.delaySeconds))
  }

  /// Answers on the server's own; nothing more is read as a request.
  func refuse(_ connection: HTTPConnection, _ failure: HTTPFailure) {
    connection.wait = .none
    onFailure?(failure, connection.peer)
    write(HTTPAnswer(response: failure.response), to: connection)
  }

  private func write(_ answer: HTTPAnswer, to connection: HTTPConnection) {
    var answer = answer
    if isStopping { answer.keepsAlive = false }
    answer.write(to: &connection.output, date: date())
    connection.ending = answer.ending
  }

  /// Whether all has gone; if not, the connection waits for its turn to send or for the client to read, or is dropped.
  private func transmit(_ connection: HTTPConnection) -> Bool {
    guard connection.hasOutput else { return true }
    if isCollecting {
      collected.append(connection)
      account(connection)
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

  private func end(_ connection: HTTPConnection, _ ending: HTTPConnection.Ending) {
    if ending == .reset { HTTPSocket.resetOnClose(connection.descriptor) }
    if ending == .reset || connection.inputEnded || connection.closesAtOnce { return drop(connection) }
    HTTPSocket.endOutput(connection.descriptor)
    connection.parser = HTTPRequestParser(limits: limits)
    wait(connection, .linger, .input, until: now + limits.lingerSeconds)
  }
}
