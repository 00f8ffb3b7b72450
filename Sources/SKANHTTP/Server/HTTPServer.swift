import SKANSystem

/// A small HTTP/1.1 server on one thread with one `poll` loop and no locks; the handler's state needs no protection.
///
///     let server = HTTPServer(host: "127.0.0.1", port: 0) { request, peer in
///       HTTPReply(request.path == "/healthz" ? .text(200, "well") : .text(404, "There is no \(request.path)."))
///     }
///     let address = try server.bind()
///     try server.run { wasInterrupted() }
///
/// Invalid requests never reach the handler: they are answered with one sentence (``HTTPFailure``), and the connection
/// closes. Before closing, the server waits up to ``HTTPLimits/lingerSeconds`` for the client to close: closing with
/// unread bytes resets the connection, which may lose the answer (RFC 9112, section 9.6).
@safe package final class HTTPServer {
  /// Answers a request.
  ///
  /// - Parameter peer: the client's numeric address without its port; an IPv4 address has its usual form even on an
  ///   IPv6 socket.
  package typealias Handler = (_ request: HTTPRequest, _ peer: String) -> HTTPReply

  let host: String
  let port: UInt16
  let limits: HTTPLimits
  let handler: Handler
  /// Called for each request that the server itself answers, with the client's address. Initially nil.
  package var onFailure: ((HTTPFailure, _ peer: String) -> Void)?
  /// Called once in a turn, before the ready answers are sent: for recording them, and for settling late replies. While
  /// one is not known, it is called at least every 50 ms. Initially nil.
  package var beforeSending: (() -> Void)?
  /// Returns the next bytes of a stream (``HTTPReply/stream``) once the earlier ones are sent, at most ten times a second;
  /// empty for none yet. Initially nil.
  package var nextOfStream: ((_ stream: Int) -> [UInt8])?
  /// Called when a stream's connection is closed. Initially nil.
  package var streamEnded: ((_ stream: Int) -> Void)?
  /// Returns seconds since 1970 for the `Date` header, which is omitted if this is nil, the initial value.
  package var unixTime: (() -> Int)?

  private(set) var listener: Int32?
  private(set) var address: SocketAddress?
  /// The listener, or an entry without socket, followed by the connections in order.
  var polled = PollSet()
  var connections: [HTTPConnection] = []
  var surplusCount = 0
  /// The number of bytes that all connections hold.
  var buffered = 0
  /// The time of this turn of the loop.
  var now = 0.0
  /// The number of waits that have begun.
  var waits = 0
  /// No deadline is before this time.
  var nextDeadline = Double.infinity
  /// The time at which accepting resumes after the system ran out of descriptors.
  var acceptsAgainAt: Double?
  var served = 0
  var mostServed = Int.max
  var isStopping = false
  /// Whether connections with answers are collected instead of sent at once.
  var isCollecting = false
  var collected: [HTTPConnection] = []
  /// The number of bytes to read from each connection in this turn.
  var share = 0
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
  private var lastDate: (unixTime: Int, text: String) = (-1, "")

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - host: a numeric address, or a name, whose first usable address is taken, IPv4 before IPv6.
  ///   - port: 0 lets the system choose one.
  ///   - limits: the limits for clients.
  ///   - handler: answers a request. While it runs, all connections wait.
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

  /// Begins to listen, and returns the address with the chosen port. Clients can connect from then on;
  /// ``run(stopAfter:until:)`` answers them. Further calls change nothing.
  @discardableResult
  package func bind() throws(BindFailure) -> SocketAddress {
    if let address { return address }
    let bound = try Socket.openListener(host: host, port: port)
    listener = bound.descriptor
    address = bound.address
    polled.replace(bound.descriptor, at: 0)
    return bound.address
  }

  /// The value of the `Date` header.
  func date() -> String? {
    guard let unixTime = unixTime?() else { return nil }
    if unixTime != lastDate.unixTime { lastDate = (unixTime, HTTPDate.text(unixTime: unixTime)) }
    return lastDate.text
  }
}

/// The limits for a client, and for all together. Sizes are in bytes, times in seconds.
package struct HTTPLimits: Equatable, Sendable {
  /// The longest request line with its line end; a longer one gets 414.
  package var requestLine = 16 * 1024
  /// The longest request line and header lines together; longer ones get 431.
  package var head = 32 * 1024
  /// The most header lines; more get 431.
  package var fields = 100
  /// The longest request body; a longer one gets 413 before it is read. The framing of chunks, beyond 16 bytes per
  /// chunk, is limited by ``head``, and the trailer lines by ``fields``; more gets 431.
  package var body = 1024 * 1024
  /// The most connections at a time. A further one replaces another (``HTTPRoom``), or gets 503 if none can be closed.
  package var connections = 1000
  /// The most bytes held for all connections together: requests not yet answered and answers not yet sent. Beyond it,
  /// the largest connections whose clients do not send or read are closed; if there are none, requests get 503.
  package var buffered = 64 * 1024 * 1024
  /// From a request's first byte, or from the connection if none arrives, to the end of its header lines.
  package var headSeconds = 10.0
  /// From the end of the header lines to the end of the body.
  package var bodySeconds = 30.0
  /// From an answer to the next request on the same connection.
  package var idleSeconds = 60.0
  /// For each 64 KiB of an answer; a client that reads more slowly is dropped.
  package var writeSeconds = 10.0
  /// The time for which a closed connection is still read, so that the answer is not lost (see ``HTTPServer``).
  package var lingerSeconds = 1.0
  /// The time for which a stopped server finishes answers in progress.
  package var stopSeconds = 5.0
  /// The longest delay of an answer; longer ones are shortened.
  package var delaySeconds = 600.0

  /// The default limits, for testing apps: generous for testers and harmless for the machine.
  package init() {}
}

extension HTTPServer {
  /// The longest time in seconds until a request to stop is noticed.
  private static let longestWait = 0.05

  /// Answers clients on the calling thread until it must stop, then finishes the answers in progress for at most
  /// ``HTTPLimits/stopSeconds``, and closes everything. It can be bound and run again.
  ///
  /// - Parameters:
  ///   - count: the number of counted answers after which it stops; nil for no limit.
  ///   - shouldStop: called after each event and at least every 50 ms.
  /// - Returns: the number of counted answers.
  /// - Throws: if it was not bound and cannot listen.
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

  /// One turn of the loop: waits for events and handles them.
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

  /// Handles ready sockets from the last to the first, so that a connection that ends is replaced by one already
  /// handled, and accepted connections come in the next turn.
  private func handleReady(_ ready: Int) {
    isCollecting = true
    share = share(ofReady: ready)
    var left = ready
    var index = polled.count - 1
    while index >= 0, left > 0 {
      if let readiness = polled.readiness(at: index) {
        left -= 1
        if index == 0 {
          // Connections that end with these answers leave room.
          send()
          isCollecting = true
          acceptAll()
        } else {
          handle(connections[index - 1], readiness)
        }
      }
      // Other connections may have been closed to make room for this one.
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

  /// Sends the answers of the collected connections.
  private func send() {
    isCollecting = false
    beforeSending?()
    // Clients have their whole time to read, however long the handlers took.
    now = SystemClock.seconds
    for connection in collected where connection.isOpen { advance(connection) }
    collected.removeAll(keepingCapacity: true)
  }

  private func finish() {
    isStopping = true
    now = SystemClock.seconds
    polled.replace(-1, at: 0)
    acceptsAgainAt = nil
    if let listener { Socket.closeDescriptor(listener) }
    (listener, address) = (nil, nil)
    for connection in connections.reversed() { stop(connection) }
    let end = now + limits.stopSeconds
    while !connections.isEmpty, now < end { turn() }
    for connection in connections.reversed() { drop(connection) }
    nextDeadline = .infinity
  }

  /// The bytes of an answer that a client must read within ``HTTPLimits/writeSeconds``, so that very slow readers are
  /// dropped.
  private static let readAtLeast = 64 * 1024
  /// The bytes that are read ahead while an answer is delayed: only reading shows that a client has disconnected.
  private static let readAhead = 16 * 1024

  func wait(
    _ connection: HTTPConnection, _ wait: HTTPConnection.Wait, _ interest: PollSet.Interest, until deadline: Double
  ) {
    // The head of a first request has been awaited since the connection.
    if connection.wait != .first || wait != .head { number(connection) }
    connection.wait = wait
    connection.deadline = deadline
    nextDeadline = min(nextDeadline, deadline)
    polled.set(interest, at: connection.index + 1)
    account(connection)
  }

  /// Records that a connection's wait begins now.
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

  /// Waits for input. The deadline is set when the wait begins and not extended by received bytes, so that single bytes
  /// do not keep a connection open.
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

  /// Updates the count of bytes that a connection holds.
  func account(_ connection: HTTPConnection) {
    let held = connection.held
    buffered += held - connection.accounted
    connection.accounted = held
  }

  /// Handles a deadline that has passed.
  func expire(_ connection: HTTPConnection) {
    switch connection.wait {
    case .answer where connection.delayed.map { $0.due <= now } ?? (connection.goneAt > now): advance(connection)
    case .stream: advance(connection)
    case .head:
      refuse(connection, .slowHead(seconds: limits.headSeconds))
      advance(connection)
    case .body:
      refuse(connection, .slowBody(seconds: limits.bodySeconds))
      advance(connection)
    case .output:
      // Otherwise the system would keep unread bytes for many minutes.
      Socket.resetOnClose(connection.descriptor)
      drop(connection)
    case .none, .first, .idle, .answer, .linger: drop(connection)
    }
  }
}

extension BindFailure {
  /// The failure for the user, without a full stop.
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
