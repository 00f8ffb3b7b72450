/// Why a request brought no complete answer.
package enum TransportFailure: Error, Equatable, Sendable {
  /// Not an http or https URL that can be asked.
  case badURL
  /// The named header holds a line break or another character that must not be sent.
  case badHeader(String)
  /// The name has no address.
  case noSuchHost
  /// Nobody listens there. `proxy` is the `host:port` of the proxy when it was the one that refused.
  case connectionRefused(proxy: String?)
  /// The address cannot be reached at all, for the reason given.
  case unreachable(String)
  /// The whole exchange took longer than these seconds.
  case timedOut(Double)
  /// The caller's `isInterrupted` said so.
  case interrupted
  /// Closed before the first byte of an answer.
  case closedWithoutAnswer
  /// Reset by the other side before the first byte of an answer.
  case connectionReset
  /// Closed or reset within the answer.
  case truncated
  /// The other side speaks another protocol.
  case notHTTP
  /// HTTP with a status line, header or chunk that cannot be read; what URLSession says about it.
  case malformedHTTP(String)
  /// A compressed body that cannot be unpacked.
  case badCompression
  /// No trusted connection; what the TLS library says about it.
  case tls(String)
  /// The server pointed at an address that must not see the query; that address.
  case redirectRefused(to: String)
  /// More redirects than this many.
  case tooManyRedirects(Int)
  /// The body has more bytes than this many.
  case bodyTooLarge(Int)
  /// An earlier answer has stopped URLSession for the rest of the process (see ``FoundationCrash``).
  case sessionLost
  /// None of the above: URLSession's code and its words, without any query.
  case other(code: Int, text: String)
}
