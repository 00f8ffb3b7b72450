import SKANSystem
import SKANDevice
import SKANHTTP

/// The reference endpoint over HTTP/1.1: a service behind a server.
package final class ReferenceServer {
  private let server: HTTPServer

  /// - Parameters:
  ///   - latency: seconds that each answer takes.
  ///   - now: for the `Date` header.
  package init(
    _ service: ReferenceService, host: String, port: UInt16, latency: Double = 0, limits: HTTPLimits = HTTPLimits(),
    now: @escaping () -> Instant
  ) {
    server = HTTPServer(host: host, port: port, limits: limits) { request, peer in
      var reply = service.reply(to: request, from: peer)
      reply.delay = latency
      return reply
    }
    server.beforeSending = { service.flush() }
    server.onFailure = { failure, peer in service.record(failure, from: peer) }
    server.unixTime = { Int(now().wholeSeconds) }
  }

  /// Listens; from then on clients can connect.
  package func bind() throws(BindFailure) -> SocketAddress { try server.bind() }

  /// Serves until it has to stop, or for that many requests.
  package func run(stopAfter count: Int?, until shouldStop: () -> Bool) throws(BindFailure) {
    try server.run(stopAfter: count, until: shouldStop)
  }
}
