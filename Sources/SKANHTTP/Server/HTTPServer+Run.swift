import SKANSystem

extension HTTPServer {
  /// How long a request to stop may go unseen.
  private static let longestWait = 0.05

  /// Answers clients on the calling thread until it has to stop; then it finishes the answers that are under way, for at
  /// most ``HTTPLimits/stopSeconds``, and closes everything. It can be bound and run
  /// again.
  ///
  /// - Parameters:
  ///   - count: The number of counted answers to stop after; nil for no such end.
  ///   - shouldStop: Asked after each event and at least every 50 ms.
  /// - Returns: How many answers counted.
  /// - Throws: When it had to ``bind()`` first and could not.
  @discardableResult
  package func run(
    stopAfter count: Int? = nil, until shouldStop: () -> Bool = { false }
  ) throws(BindFailure) -> Int {
    try bind()
    served = 0
    mostServed = max(0, count ?? .max)
    isStopping = mostServed == 0
    while !isStopping, !shouldStop() { turn() }
    finish()
    return served
  }

  /// One turn of the loop: waits until something can be done, and does it.
  func turn() {
    let ready = polled.wait(seconds: min(Self.longestWait, nextDeadline - SystemClock.seconds))
    now = SystemClock.seconds
    if ready > 0 { handleReady(ready) }
    if now >= nextDeadline { expire() }
    if let time = acceptsAgainAt, now >= time, listener != nil {
      acceptsAgainAt = nil
      polled.set(.input, at: 0)
    }
  }

  /// From the last to the first, so that a connection that ends is replaced by one that had its turn, and those that the
  /// listener adds have none yet.
  private func handleReady(_ ready: Int) {
    isCollecting = true
    share = share(ofReady: ready)
    var left = ready
    var index = polled.count - 1
    while index >= 0, left > 0 {
      if let readiness = polled.readiness(at: index) {
        left -= 1
        if index == 0 {
          // Whose answer goes out now may end, which leaves room.
          send()
          isCollecting = true
          acceptAll()
        } else {
          handle(connections[index - 1], readiness)
        }
      }
      // Others may have made room for this one.
      index = min(index, polled.count) - 1
    }
    send()
  }

  private func expire() {
    isCollecting = true
    for connection in connections.reversed() where connection.isOpen && connection.deadline <= now {
      expire(connection)
    }
    send()
    nextDeadline = connections.reduce(.infinity) { min($0, $1.deadline) }
  }

  /// Sends what the connections have collected.
  private func send() {
    isCollecting = false
    beforeSending?()
    for connection in collected where connection.isOpen { advance(connection) }
    collected.removeAll(keepingCapacity: true)
  }

  private func finish() {
    isStopping = true
    now = SystemClock.seconds
    stopListening()
    for connection in connections.reversed() { stop(connection) }
    let end = now + limits.stopSeconds
    while !connections.isEmpty, now < end { turn() }
    for connection in connections.reversed() { drop(connection) }
    nextDeadline = .infinity
  }
}
