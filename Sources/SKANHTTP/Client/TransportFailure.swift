/// Why a request brought no complete answer.
package enum TransportFailure: Error, Equatable, Sendable {
  /// Not an http or https URL that can be asked.
  case badURL
  /// The named header holds a line break or another character that must not be sent.
  case badHeader(String)
  /// The name has no address.
  case noSuchHost
  /// No program listens there. `proxy` is the `host:port` of the proxy when it was the one that refused.
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
  /// The heads of the answer and its redirects have more bytes than this many.
  case headTooLarge(Int)
  /// Reading the answer took more memory than an answer of at most this many bytes can need.
  case tooMuchMemory(Int)
  /// URLSession's process ended by itself: the answer broke off in its head, or is not HTTP.
  case crashed
  /// No process could be started to ask; the system's reason.
  case noHelper(String)
  /// Another failure: URLSession's code and text, without any query.
  case other(code: Int, text: String)
}
