/// Where a request goes: a URL without user info, query and fragment.
///
/// The query of a `conversion_value` request holds the SDK key. What a message prints is therefore this type, which
/// cannot hold one, and never the URL.
package struct HTTPAddress: Equatable, Sendable {
  /// The two protocols that the transport speaks.
  package enum Scheme: String, Sendable {
    case http
    case https

    /// The port that a URL of this scheme does not have to name.
    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// http or https.
  package let scheme: Scheme
  /// In lower case; an IPv6 literal without its brackets.
  package let host: String
  /// 1 to 65535; the scheme's own when the URL named none.
  package let port: Int
  /// Begins with a slash.
  package let path: String

  /// An address of parts that are known to be well formed.
  package init(scheme: Scheme, host: String, port: Int, path: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
  }

  /// Whether the host is an IPv6 address and no name.
  package var isIPv6Literal: Bool { host.contains(":") }

  /// `host:port`, the port always there: what is connected to.
  package var authority: String { (isIPv6Literal ? "[\(host)]" : host) + ":\(port)" }

  /// The whole address; the port only when it is not the scheme's own.
  package var text: String {
    let name = isIPv6Literal ? "[\(host)]" : host
    return "\(scheme.rawValue)://\(name)\(port == scheme.defaultPort ? "" : ":\(port)")\(path)"
  }

  /// The address as a request has it, without a query.
  package var target: HTTPTarget {
    HTTPTarget(origin: String(text.dropLast(path.utf8.count)), path: path)
  }

  /// Whether a request to this address may follow the server's pointer to `target`, its query with it.
  ///
  /// Only to the very same host and port, or up from http to https where both are at their default ports: another
  /// server must not see the SDK key.
  package func allowsRedirect(to target: HTTPAddress) -> Bool {
    guard host == target.host else { return false }
    if scheme == target.scheme { return port == target.port }
    return scheme == .http && target.scheme == .https && port == scheme.defaultPort
      && target.port == target.scheme.defaultPort
  }
}
