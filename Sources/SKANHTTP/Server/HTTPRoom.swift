import SKANSystem

/// Chooses the connections to close when there is no room for another.
///
/// First go those that have had their last answer. Next is the one whose head has been incomplete longest, because a
/// normal client sends its head at once. A quarter of the room is kept for incomplete heads, so that a client that has
/// just connected has time to send one. If they take no more than that, the next is the one that has waited longest for
/// its next request, for the rest of a body, or for the client to read. A connection that waits for an answer of the
/// server, or for more of a stream, is never chosen.
struct HTTPRoom {
  /// The divisor of the room kept for incomplete heads: a fourth.
  private static let partOfHeads = 4

  /// Whether a candidate had sent its request, and its answer is sent in this turn.
  var hasAnswered = false
  /// Connections whose heads have become complete; they are closed only if no other connection is left.
  var spared: [HTTPConnection] = []
  private let limit: Int
  private var isSorted = false
  // In each list the first to close is the last element.
  private var ended: [HTTPConnection] = []
  private var heads: [HTTPConnection] = []
  private var others: [HTTPConnection] = []

  /// - Parameter limit: the largest number of connections.
  init(limit: Int) { self.limit = limit }

  /// The next connection to close; nil if there is none.
  ///
  /// - Parameter connections: all connections at the first call.
  mutating func next(of connections: [HTTPConnection]) -> HTTPConnection? {
    if !isSorted { sort(connections) }
    if let connection = ended.popLast() { return connection }
    if others.isEmpty || heads.count > limit / Self.partOfHeads, let connection = heads.popLast() { return connection }
    return others.popLast()
  }

  private mutating func sort(_ connections: [HTTPConnection]) {
    isSorted = true
    for connection in connections.sorted(by: { $0.waitNumber > $1.waitNumber }) where !connection.isSurplus {
      switch connection.wait {
      case .linger: ended.append(connection)
      case .first, .head: heads.append(connection)
      case .idle, .body, .output: others.append(connection)
      case .none, .answer, .stream: break
      }
    }
  }
}

extension HTTPServer {
  /// Closes the connection that is chosen first; false if all must stay.
  ///
  /// Received bytes are read first, so that no connection with a complete request is closed.
  func makeRoom(_ room: inout HTTPRoom) -> Bool {
    while let connection = room.next(of: connections) {
      if !connection.isOpen { continue }
      if connection.wait.isForInput {
        let wasInBody = connection.parser.isInBody
        guard receive(connection, atMost: Self.leastShare) else { return true }
        advance(connection)
        if !connection.isOpen { return true }
        if connection.parser.hasFailed {
          // Sends the failure before closing.
          _ = connection.transmit()
          drop(connection)
          return true
        }
        guard connection.wait.isForInput, !connection.hasOutput else {
          room.hasAnswered = true
          continue
        }
        if connection.parser.isInBody != wasInBody {
          room.spared.append(connection)
          continue
        }
      }
      evict(connection, .tooManyConnections(limit: limits.connections))
      return true
    }
    while !room.spared.isEmpty {
      let connection = room.spared.removeFirst()
      if !connection.isOpen { continue }
      evict(connection, .tooManyConnections(limit: limits.connections))
      return true
    }
    return false
  }

  /// Closes connections with slow clients, the largest first, until all together hold no more than the limit; false if
  /// that is not enough.
  func makeSpace(for connection: HTTPConnection) -> Bool {
    while buffered > limits.buffered {
      let slow = connections.filter { $0 !== connection && ($0.wait == .body || $0.wait == .output) }
      guard let largest = slow.max(by: { $0.accounted < $1.accounted }), largest.accounted > 0 else { return false }
      evict(largest, .tooMuchBuffered(limit: limits.buffered))
    }
    return true
  }

  /// Closes a connection to make room. A client that has sent part of a request gets the failure as an answer.
  private func evict(_ connection: HTTPConnection, _ failure: HTTPFailure) {
    switch connection.wait {
    case .head, .body:
      refuse(connection, failure)
      _ = connection.transmit()
    case .output: Socket.resetOnClose(connection.descriptor)
    case .none, .first, .idle, .answer, .stream, .linger: break
    }
    drop(connection)
  }

  /// The number of connections above the limit that are refused with an answer; further ones are closed at once.
  private static let mostSurplus = 64
  /// The number of connections accepted in one turn, so that a flood of them does not starve the others.
  private static let mostAccepted = 64
  /// The pause in seconds after the system ran out of descriptors. New connections wait in its queue.
  private static let acceptPause = 0.1
  private var isFull: Bool { connections.count - surplusCount >= limits.connections }

  func acceptAll() {
    guard let listener else { return }
    var room = HTTPRoom(limit: limits.connections)
    var isShort = false
    for _ in 0..<Self.mostAccepted where !isStopping {
      switch Socket.acceptConnection(listener) {
      case .connection(let descriptor, let peer):
        isShort = false
        while isFull, makeRoom(&room) {}
        // Those answered just now can be closed in the next turn.
        add(descriptor, peer, isSurplus: isFull && !room.hasAnswered)
      case .gone: continue
      case .noConnection: return
      case .exhausted:
        // If a closed connection frees no descriptor, another process has taken it.
        if !isShort, makeRoom(&room) {
          isShort = true
          continue
        }
        // The listener stays ready: without a pause the loop would spin.
        acceptsAgainAt = now + Self.acceptPause
        polled.set(.nothing, at: 0)
        return
      }
    }
  }

  private func add(_ descriptor: Int32, _ peer: String, isSurplus: Bool) {
    let connection = HTTPConnection(
      descriptor: descriptor, peer: peer, index: connections.count, isSurplus: isSurplus, limits: limits,
      deadline: now + limits.headSeconds)
    number(connection)
    connections.append(connection)
    polled.append(descriptor, .input)
    nextDeadline = min(nextDeadline, connection.deadline)
    guard isSurplus else {
      // A request that has already arrived is answered before its connection can be closed.
      if receive(connection, atMost: Self.leastShare) { advance(connection) }
      return
    }
    surplusCount += 1
    refuse(connection, .tooManyConnections(limit: limits.connections))
    isCollecting = false
    advance(connection)
    isCollecting = true
    // Refused connections linger; their number is limited too.
    if surplusCount > Self.mostSurplus, connections.last === connection { drop(connection) }
  }

  /// Closes a connection and removes it.
  func drop(_ connection: HTTPConnection) {
    Socket.closeDescriptor(connection.descriptor)
    if let stream = connection.stream { streamEnded?(stream.id) }
    polled.remove(at: connection.index + 1)
    connections.swapAt(connection.index, connections.count - 1)
    connections.removeLast()
    if connection.index < connections.count { connections[connection.index].index = connection.index }
    connection.isOpen = false
    if connection.isSurplus { surplusCount -= 1 }
    buffered -= connection.accounted
    // A descriptor is free again.
    if acceptsAgainAt != nil { acceptsAgainAt = now }
  }
}
