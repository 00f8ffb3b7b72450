import SKANSystem

extension HTTPServer {
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
