/// What a handler gives back: a response, and how the server sends it.
package struct HTTPReply: Equatable, Sendable {
  /// A status outside 200 to 999 is sent as 500: a lower one would leave the client waiting for another response.
  package var response: HTTPResponse
  /// Seconds to wait before this is sent, at most ``HTTPLimits/delaySeconds``; other connections do not wait.
  package var delay: Double
  /// Whether the connection closes afterwards also when the client would go on.
  package var closes: Bool
  /// How it goes wrong on its way.
  package var fault: HTTPFault?
  /// Whether it is one of the replies after which a server with such a limit stops.
  package var isCounted = true
  /// What is sent instead, once it is known; delay and count are this reply's.
  package var late: HTTPLateReply?

  /// A reply that goes right, unless a fault is given.
  package init(_ response: HTTPResponse, delay: Double = 0, closes: Bool = false, fault: HTTPFault? = nil) {
    self.response = response
    self.delay = delay
    self.closes = closes
    self.fault = fault
  }

  /// A reply that is known later.
  package init(_ late: HTTPLateReply) {
    self.init(HTTPResponse(status: 500))
    self.late = late
  }
}
