import SKANSystem

/// A small HTTP/1.1 server on one thread: one `poll` loop, no locks, no other thread, and what the handler keeps is its
/// own.
///
///     let server = HTTPServer(host: "127.0.0.1", port: 0) { request, peer in
///       HTTPReply(request.path == "/healthz" ? .text(200, "well") : .text(404, "There is no \(request.path)."))
///     }
///     let address = try server.bind()
///     try server.run { wasInterrupted() }
///
/// Requests that are not HTTP never reach the handler: they get an answer with one sentence (``HTTPFailure``), and the
/// connection closes. Closing waits for the client's own close for ``HTTPLimits/lingerSeconds``, since a system that closes
/// with unread bytes resets the connection, and the answer may be lost on its way (RFC 9112, section 9.6).
@safe package final class HTTPServer {
  /// Answers a request.
  ///
  /// - Parameter peer: The client's numeric address without its port; an IPv4 address in its own form, also on an IPv6
  ///   socket.
  package typealias Handler = (_ request: HTTPRequest, _ peer: String) -> HTTPReply

  let host: String
  let port: UInt16
  let limits: HTTPLimits
  let handler: Handler
  /// Called for each request that the server answers on its own, with the client's address. nil at first.
  package var onFailure: ((HTTPFailure, _ peer: String) -> Void)?
  /// Called before answers are sent, once for all that are ready: for what must be on record by then, and to
  /// settle late replies. nil at first.
  package var beforeSending: (() -> Void)?
  /// Seconds since 1970 for the `Date` header, which is left out while this is nil, as it is at first.
  package var unixTime: (() -> Int)?

  private(set) var listener: Int32?
  private(set) var address: SocketAddress?
  /// The listener is first, also while there is none; then the connections in their order.
  var polled = PollSet()
  var connections: [HTTPConnection] = []
  var surplusCount = 0
  /// The bytes that all connections keep.
  var buffered = 0
  /// The time of this turn of the loop.
  var now = 0.0
  /// How many waits have begun.
  var waits = 0
  /// Before this no deadline is over.
  var nextDeadline = Double.infinity
  /// When accepting goes on after the system ran out of descriptors.
  var acceptsAgainAt: Double?
  var served = 0
  var mostServed = Int.max
  var isStopping = false
  /// While answers are made, those with one to send are collected.
  var isCollecting = false
  var collected: [HTTPConnection] = []
  /// How many bytes are read of each connection in this turn.
  var share = 0
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  private var lastDate: (unixTime: Int, text: String) = (-1, "")

  /// A server that listens nowhere yet.
  ///
  /// - Parameters:
  ///   - host: A numeric address or a name; of a name's addresses the first that can be had, IPv4 before IPv6.
  ///   - port: 0 lets the system choose one.
  ///   - limits: What clients may ask of it.
  ///   - handler: Answers a request. While it runs, all connections wait.
  package init(host: String, port: UInt16, limits: HTTPLimits = HTTPLimits(), handler: @escaping Handler) {
    self.host = host
    self.port = port
    self.limits = limits
    self.handler = handler
  }

  deinit {
    for connection in connections { Socket.closeDescriptor(connection.descriptor) }
    if let listener { Socket.closeDescriptor(listener) }
    unsafe scratch.deallocate()
  }

  /// Listens, and gives the address with the port that was chosen. From then on clients can connect; they are answered
  /// once ``run(stopAfter:until:)`` runs. A second call changes nothing.
  @discardableResult
  package func bind() throws(BindFailure) -> SocketAddress {
    if let address { return address }
    let bound = try Socket.openListener(host: host, port: port)
    listener = bound.descriptor
    address = bound.address
    polled.replace(bound.descriptor, at: 0)
    return bound.address
  }

  func closeListener() {
    if let listener { Socket.closeDescriptor(listener) }
    listener = nil
    address = nil
  }

  /// For the `Date` header.
  func date() -> String? {
    guard let unixTime = unixTime?() else { return nil }
    if unixTime != lastDate.unixTime { lastDate = (unixTime, HTTPDate.text(unixTime: unixTime)) }
    return lastDate.text
  }
}

/// How much one client, and all of them together, may ask of a server. Sizes are in bytes, times in seconds.
package struct HTTPLimits: Equatable, Sendable {
  /// The longest request line with its line end; a longer one gets 414.
  package var requestLine = 16 * 1024
  /// The longest request line and header lines together; longer ones get 431.
  package var head = 32 * 1024
  /// The most header lines; more get 431.
  package var fields = 100
  /// The longest request body; a longer one gets 413 before it is read. What surrounds the chunks of one, beyond 16 bytes
  /// a chunk, may be as long as ``head``, and there are at most ``fields`` trailer lines; more gets 431.
  package var body = 1024 * 1024
  /// The most connections at a time. For a further one the connection goes that can best be spared (``HTTPRoom``); it
  /// gets 503 where none can.
  package var connections = 1000
  /// The most bytes held for all connections together: what is read and not yet answered, answered and not yet sent.
  /// Beyond it those that hold most of it go whose clients do not send or read, and where there are none requests get 503.
  package var buffered = 64 * 1024 * 1024
  /// From a request's first byte, or from the connect when none comes, to the end of its header lines.
  package var headSeconds = 10.0
  /// From the end of the header lines to the end of the body.
  package var bodySeconds = 30.0
  /// From an answer to the next request on the same connection.
  package var idleSeconds = 60.0
  /// For each 64 KiB of an answer: a client that reads slower is dropped.
  package var writeSeconds = 10.0
  /// How long a closed connection is still read, so that the answer is not lost (see ``HTTPServer``).
  package var lingerSeconds = 1.0
  /// How long a stopped server goes on with the answers that are under way.
  package var stopSeconds = 5.0
  /// The longest delay of an answer; a longer one is shortened to it.
  package var delaySeconds = 600.0

  /// The limits of a server for people who test apps: generous for them, and harmless for the machine.
  package init() {}
}

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

extension BindFailure {
  /// The failure for the user, without full stop.
  package var message: String {
    switch self {
    case .addressInUse(let host, let port): "\(host):\(port) is in use already; --port 0 picks a free port"
    case .noPermission(let host, let port): "no permission to listen on \(host):\(port)"
    case .unknownHost(let host, let reason): "--host \(host) cannot be used: \(reason)"
    case .foreignHost(let host): "--host \(host) is not an address of this machine"
    case .system(let call, _, let reason): "cannot listen: \(call): \(reason)"
    }
  }
}
