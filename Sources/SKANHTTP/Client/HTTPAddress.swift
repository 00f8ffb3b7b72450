import SKANBase

/// The address of a request: a URL without user info, query and fragment.
///
/// The query of a `conversion_value` request contains the SDK key. Messages therefore print this type, which cannot
/// contain one, and never the URL.
package struct HTTPAddress: Equatable, Sendable {
  /// The two protocols of the transport.
  package enum Scheme: String, Sendable {
    case http
    case https

    /// The port of URLs that name none.
    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  package let scheme: Scheme
  /// The host in lower case; an IPv6 literal without brackets.
  package let host: String
  /// The port, 1 to 65535; the default port of the scheme if the URL names none.
  package let port: Int
  /// The path, which begins with a slash.
  package let path: String

  package init(scheme: Scheme, host: String, port: Int, path: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
  }

  /// Whether the host is an IPv6 address.
  package var isIPv6Literal: Bool { host.contains(":") }

  /// `host:port`, always with the port.
  package var authority: String { (isIPv6Literal ? "[\(host)]" : host) + ":\(port)" }

  /// The whole address; without the port if it is the default.
  package var text: String {
    let name = isIPv6Literal ? "[\(host)]" : host
    return "\(scheme.rawValue)://\(name)\(port == scheme.defaultPort ? "" : ":\(port)")\(path)"
  }

  /// The address as the target of a request, without a query.
  package var target: HTTPTarget {
    HTTPTarget(origin: String(text.dropLast(path.utf8.count)), path: path)
  }

  /// Whether a request to this address, with its query, may follow a redirect to `target`.
  ///
  /// Only to the same host and port, or from http to https if both use their default ports: another server must not
  /// receive the SDK key.
  package func allowsRedirect(to target: HTTPAddress) -> Bool {
    guard host == target.host else { return false }
    if scheme == target.scheme { return port == target.port }
    return scheme == .http && target.scheme == .https && port == scheme.defaultPort
      && target.port == target.scheme.defaultPort
  }
}

/// A parsed URL: the address, and whether the URL has parts that an address cannot have.
///
/// It does not use Foundation's `URL`, which repairs invalid URLs by encoding characters and delays the start of the
/// command line.
package struct URLParts {
  package let address: HTTPAddress
  package let hasUserInfo: Bool
  package let hasQuery: Bool
  package let hasFragment: Bool

  package init(_ text: String) throws(EndpointURLProblem) {
    // Searched first, because later problems must never quote a user name or a query. Searched as bytes, because a mark
    // followed by a combining character is another Character.
    let at = UInt8(ascii: "@")
    var rest = Substring(text)
    hasFragment = rest.cut(from: "#")
    hasQuery = rest.cut(from: "?")
    guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: ":")), rest[mark...].utf8.starts(with: "://".utf8) else {
      throw .noScheme
    }
    guard let scheme = HTTPAddress.Scheme(rawValue: rest[..<mark].lowercased()) else {
      throw rest[..<mark].utf8.contains(at) ? .hasUserInfo : .unsupportedScheme(String(rest[..<mark]))
    }
    rest = rest[rest.utf8.index(mark, offsetBy: 3)...]
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    let path = slash == rest.endIndex ? "/" : String(rest[slash...])
    var authority = rest[..<slash]
    let last = authority.utf8.lastIndex(of: at)
    hasUserInfo = last != nil
    if let last { authority = authority[authority.utf8.index(after: last)...] }
    let (host, port): (String, Int)
    do {
      (host, port) = try Self.hostAndPort(authority, scheme: scheme)
    } catch {
      // A password with an unencoded '/', '?' or '#' was split above, and the problem would quote a part of it.
      throw text.utf8.contains(at) ? .hasUserInfo : error
    }
    if let stray = path.unicodeScalars.first(where: { !$0.isAllowedInPath }) { throw .badCharacter(stray) }
    address = HTTPAddress(scheme: scheme, host: host, port: port, path: path)
  }

  private static func hostAndPort(
    _ authority: Substring, scheme: HTTPAddress.Scheme
  ) throws(EndpointURLProblem) -> (String, Int) {
    var host = authority
    var port = scheme.defaultPort
    // The search for the port must skip the colons of an IPv6 literal.
    let searched = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[searched...].lastIndex(of: ":") {
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
        (1...65535).contains(number)
      else { throw .badPort(String(digits)) }
      port = number
      host = authority[..<colon]
    }
    guard !host.isEmpty else { throw .noHost }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.utf8.filter({ $0 == UInt8(ascii: ":") }).count >= 2, host.unicodeScalars.allSatisfy(\.isInIPv6)
      else { throw .badHost(String(host)) }
    } else if !host.unicodeScalars.allSatisfy(\.isInHostName) {
      throw .badHost(String(host))
    }
    return (host.lowercased(), port)
  }
}

extension Substring {
  /// Removes everything from the first `mark` on; returns whether there was one.
  fileprivate mutating func cut(from mark: Unicode.Scalar) -> Bool {
    guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return false }
    self = self[..<index]
    return true
  }
}

extension Unicode.Scalar {
  private var isLetterOrDigit: Bool { isASCII && UInt8(ascii: self).isASCIILetterOrDigit }

  fileprivate var isInHostName: Bool { isLetterOrDigit || self == "-" || self == "." || self == "_" }

  fileprivate var isInIPv6: Bool {
    switch self {
    case "a"..."f", "A"..."F", "0"..."9", ":", ".": true
    default: false
    }
  }

  fileprivate var isAllowedInPath: Bool { isLetterOrDigit || "-._~!$&'()*+,;=:@%/".unicodeScalars.contains(self) }
}
