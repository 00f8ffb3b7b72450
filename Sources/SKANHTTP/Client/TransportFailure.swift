/// Why a request got no complete answer.
package enum TransportFailure: Error, Equatable, Sendable {
  /// Not a valid http or https URL.
  case badURL
  /// The named header contains a line break or another character that must not be sent.
  case badHeader(String)
  /// The name has no address.
  case noSuchHost
  /// No program listens at the address. `proxy` is the `host:port` of the proxy, if it was the one that refused.
  case connectionRefused(proxy: String?)
  /// The address cannot be reached, for this reason.
  case unreachable(String)
  /// The exchange took longer than this many seconds.
  case timedOut(Double)
  /// The caller's `isInterrupted` returned true.
  case interrupted
  /// Closed before the first byte of an answer.
  case closedWithoutAnswer
  /// Reset by the peer before the first byte of an answer.
  case connectionReset
  /// Closed or reset within the answer.
  case truncated
  /// The peer uses another protocol.
  case notHTTP
  /// Invalid HTTP in a status line, header or chunk, with URLSession's text.
  case malformedHTTP(String)
  /// A compressed body that cannot be unpacked.
  case badCompression
  /// No trusted connection, with the text of the TLS library.
  case tls(String)
  /// The server redirected to this address, which must not receive the query.
  case redirectRefused(to: String)
  /// More redirects than this number.
  case tooManyRedirects(Int)
  /// The body has more bytes than this number.
  case bodyTooLarge(Int)
  /// The heads of the answer and its redirects have more bytes than this number.
  case headTooLarge(Int)
  /// Reading the answer took more memory than an answer with this limit of bytes can need.
  case tooMuchMemory(Int)
  /// URLSession's process ended by itself: the answer ended within its head, or is not HTTP.
  case crashed
  /// No process could be started to send the request, for this reason of the system.
  case noHelper(String)
  /// Another failure: URLSession's code and text, without any query.
  case other(code: Int, text: String)
}

extension TransportFailure {
  /// A sentence for the user, without a full stop.
  ///
  /// - Parameters:
  ///   - address: the address of the request, without its query, which may contain a secret.
  ///   - carriesKey: whether it is a request to an endpoint, whose query has the SDK key.
  package func message(address: HTTPAddress, carriesKey: Bool) -> String {
    let peer = address.authority
    switch self {
    case .badURL: return "not a URL that can be asked: \(address.text)"
    case .badHeader(let name): return "the header \(name.debugDescription) has a character that cannot be sent"
    case .noSuchHost: return "no such host: \(address.host)"
    case .connectionRefused(proxy: nil): return "could not connect to \(peer): connection refused"
    case .connectionRefused(proxy: .some(let proxy)):
      return "could not connect to \(peer): connection refused by the proxy \(proxy)"
    case .unreachable(let reason): return "could not connect to \(peer): \(reason)"
    case .timedOut(let seconds): return "no answer within \(Self.plain(seconds)) s from \(address.text)"
    case .interrupted: return "interrupted while waiting for \(address.text)"
    case .closedWithoutAnswer: return "the server closed the connection without an answer: \(address.text)"
    case .connectionReset: return "the server reset the connection without an answer: \(address.text)"
    case .truncated: return "the answer broke off before its end: \(address.text)"
    case .notHTTP: return "the answer is not HTTP: \(address.text)"
    case .malformedHTTP(let text): return "the answer is malformed HTTP (\(text)): \(address.text)"
    case .badCompression: return "the answer's body cannot be unpacked: \(address.text)"
    case .tls(let text): return "no secure connection to \(peer): \(text)"
    case .redirectRefused(let target):
      let what = carriesKey ? "the query, with the SDK key," : "the request"
      return "redirect to \(target) refused: \(what) goes to no other address than \(address.text)"
    case .tooManyRedirects(let limit): return "more than \(limit) redirects from \(address.text)"
    case .bodyTooLarge(let limit): return "the answer is larger than \(limit) bytes (--max-answer): \(address.text)"
    case .headTooLarge(let limit): return "the answer's head is larger than \(limit) bytes: \(address.text)"
    case .tooMuchMemory(let limit):
      return "the answer takes far more memory than one of \(limit) bytes (--max-answer) needs: \(address.text)"
    case .crashed: return "the answer broke off in its head, or is no HTTP that can be read: \(address.text)"
    case .noHelper(let reason): return Self.noHelperText(reason)
    case .other(let code, let text): return "the request to \(address.text) failed: \(text) (URLSession error \(code))"
    }
  }

  /// A sentence for ``noHelper(_:)``, without a full stop.
  package static func noHelperText(_ reason: String) -> String {
    "cannot start \(HelperProtocol.programName), which sends requests: \(reason)"
  }

  /// `2` instead of `2.0`.
  private static func plain(_ seconds: Double) -> String {
    let text = "\(seconds)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A sentence for the user about a request to a URL, whose query is omitted.
  package func message(url: String, carriesKey: Bool = false) -> String {
    guard let parts = try? URLParts(url) else { return "the address cannot be used" }
    return message(address: parts.address, carriesKey: carriesKey)
  }
}
