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

extension TransportFailure {
  /// A sentence for the user, without full stop.
  ///
  /// - Parameter address: what was asked; without its query, which holds the SDK key.
  package func message(address: HTTPAddress) -> String {
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
      return "redirect to \(target) refused: the query, with the SDK key, goes to no other address than "
        + address.text
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

  /// A sentence on ``noHelper(_:)`` with its reason, without full stop.
  package static func noHelperText(_ reason: String) -> String {
    "cannot start \(HelperProtocol.programName), which sends requests: \(reason)"
  }

  /// `2`, not `2.0`.
  private static func plain(_ seconds: Double) -> String {
    let text = "\(seconds)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The failure for the user, of a request to this URL; its query is left out.
  package func message(url: String) -> String {
    guard let parts = try? URLParts(url) else { return "the address cannot be used" }
    return message(address: parts.address)
  }
}
