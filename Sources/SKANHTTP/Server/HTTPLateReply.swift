import Synchronization

/// The response to a request that is known only when the other requests at hand were heard too; see
/// ``HTTPServer/beforeSending``.
package final class HTTPLateReply: Sendable, Equatable {
  private let reply = Mutex<HTTPReply?>(nil)

  package init() {}

  /// Says what is sent. What comes too late is not.
  package func settle(_ reply: HTTPReply) { self.reply.withLock { $0 = reply } }

  /// What is sent; a status 500 for what was not settled in time.
  package var value: HTTPReply { reply.withLock { $0 } ?? HTTPReply(HTTPResponse(status: 500), closes: true) }

  package static func == (left: HTTPLateReply, right: HTTPLateReply) -> Bool { left === right }
}
