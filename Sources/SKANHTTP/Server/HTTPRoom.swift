import SKANSystem

/// The connections that can be spared when there is no room for another, in the order in which they have to go.
///
/// First those that have had their last answer. Then the one whose head has been unfinished longest: a good client sends
/// its head in one piece. Heads that are on their way keep a quarter of the room, so that a client that has only just
/// connected has time to send one; within it, whichever of the others has waited longest goes: for its next request, for
/// the rest of a body, or to read its answer. Who waits for an answer of ours does not go at all.
struct HTTPRoom {
  /// Heads that are on their way keep this part of the room: a fourth.
  private static let partOfHeads = 4

  /// Whether one of them had sent its request by then, and has an answer that goes out in this turn.
  var hasAnswered = false
  /// The ones whose heads have come whole by then; they go when no other connection is left.
  var spared: [HTTPConnection] = []
  private let limit: Int
  private var isSorted = false
  // Of each kind the first to go is the last.
  private var ended: [HTTPConnection] = []
  private var heads: [HTTPConnection] = []
  private var others: [HTTPConnection] = []

  /// - Parameter limit: The most connections.
  init(limit: Int) { self.limit = limit }

  /// The next to go; nil when none can be spared.
  ///
  /// - Parameter connections: All that there are at the first call.
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
      case .none, .answer: break
      }
    }
  }
}

extension HTTPServer {
  /// Closes the connection that can best be spared; false when every connection must stay.
  ///
  /// Bytes that have arrived are read first, so that no connection with a whole request is closed.
  func makeRoom(_ room: inout HTTPRoom) -> Bool {
    while let connection = room.next(of: connections) {
      if !connection.isOpen { continue }
      if connection.wait.isForInput {
        let wasInBody = connection.parser.isInBody
        guard receive(connection, atMost: Self.leastShare) else { return true }
        advance(connection)
        if !connection.isOpen { return true }
        if connection.parser.hasFailed {
          // What it sent is no request, and the answer says so.
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

  /// Closes connections whose clients take their time, those that hold most first, until all together hold no more than
  /// they may; false when that does not help.
  func makeSpace(for connection: HTTPConnection) -> Bool {
    while buffered > limits.buffered {
      let slow = connections.filter { $0 !== connection && ($0.wait == .body || $0.wait == .output) }
      guard let largest = slow.max(by: { $0.accounted < $1.accounted }), largest.accounted > 0 else { return false }
      evict(largest, .tooMuchBuffered(limit: limits.buffered))
    }
    return true
  }

  /// Closes a connection whose place another gets. Who has sent a part of a request is told why.
  private func evict(_ connection: HTTPConnection, _ failure: HTTPFailure) {
    switch connection.wait {
    case .head, .body:
      refuse(connection, failure)
      _ = connection.transmit()
    case .output: Socket.resetOnClose(connection.descriptor)
    case .none, .first, .idle, .answer, .linger: break
    }
    drop(connection)
  }

  /// Connections above the limit that are refused and then closed with care; further ones are closed at once.
  private static let mostSurplus = 64
  /// Connections accepted in one turn, so that a flood of them does not starve those that are connected.
  private static let mostAccepted = 64
  /// Seconds without accepting after the system ran out of descriptors. New connections wait in its queue.
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
        // Those that were answered just now can go at the next turn.
        add(descriptor, peer, isSurplus: isFull && !room.hasAnswered)
      case .gone: continue
      case .noConnection: return
      case .exhausted:
        // Where a closed connection leaves no descriptor, another process has taken it.
        if !isShort, makeRoom(&room) {
          isShort = true
          continue
        }
        // The listener stays ready: without a pause the loop would turn without rest.
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
      // A request that has come already is answered before anything else can take its place.
      if receive(connection, atMost: Self.leastShare) { advance(connection) }
      return
    }
    surplusCount += 1
    refuse(connection, .tooManyConnections(limit: limits.connections))
    isCollecting = false
    advance(connection)
    isCollecting = true
    // Dealt with carefully it would linger; there must be an end to that too.
    if surplusCount > Self.mostSurplus, connections.last === connection { drop(connection) }
  }

  func stopListening() {
    polled.replace(-1, at: 0)
    acceptsAgainAt = nil
    closeListener()
  }

  /// Closes a connection and forgets it.
  func drop(_ connection: HTTPConnection) {
    Socket.closeDescriptor(connection.descriptor)
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
