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
