import SKANDevice
import SKANSystem

/// An endpoint named by the user, checked and completed to the address of requests.
///
///     try EndpointURL("http://localhost:8080", api: .v2).address.text
///     // "http://localhost:8080/api/v2/conversion_value"
package struct EndpointURL: Equatable, Sendable {
  /// The address that requests go to and messages name.
  package let address: HTTPAddress

  /// Checks the user's URL.
  ///
  /// A path that ends in `/conversion_value`, with or without a slash, is used unchanged; to any other path the API's
  /// path is appended.
  ///
  /// - Parameters:
  ///   - text: an absolute http or https URL without user info, query and fragment.
  ///   - api: the API whose path is appended.
  ///   - takesIPv6Literals: whether the platform can connect to `http://[::1]/`.
  package init(
    _ text: String, api: EndpointAPI, takesIPv6Literals: Bool = URLSessionLimits.takesIPv6Literals
  ) throws(EndpointURLProblem) {
    let parts = try URLParts(text)
    if parts.hasUserInfo { throw .hasUserInfo }
    if parts.hasQuery { throw .hasQuery }
    if parts.hasFragment { throw .hasFragment }
    let given = parts.address
    if given.isIPv6Literal, !takesIPv6Literals { throw .ipv6LiteralUnsupported(given.host) }
    let kind = EndpointKind.conversionValue(api)
    var path = Substring(given.path)
    while path.hasSuffix("/") { path = path.dropLast() }
    address = HTTPAddress(
      scheme: given.scheme, host: given.host, port: given.port,
      path: path.hasSuffix("/\(kind.name)") ? given.path : path + kind.path)
  }

  /// The address of another endpoint on the same server.
  ///
  /// - Returns: nil if this path does not end in the API's path.
  package func sibling(_ kind: EndpointKind) -> HTTPAddress? {
    var own = Substring(address.path)
    while own.hasSuffix("/") { own = own.dropLast() }
    guard let path = EndpointKind.conversions.map(\.path).first(where: { own.hasSuffix($0) }) else { return nil }
    return HTTPAddress(
      scheme: address.scheme, host: address.host, port: address.port, path: own.dropLast(path.count) + kind.path)
  }
}

/// The address for delivering postbacks, named by the user.
package struct PostbackURL: Equatable, Sendable {
  /// The URL of requests, including its query.
  package let text: String
  /// The URL without its query, for messages and records.
  package let address: HTTPAddress

  /// Apple's path for the developer's copy of a postback; see `NSAdvertisingAttributionReportEndpoint`.
  package static let developerPath = "/.well-known/skadnetwork/report-attribution/"

  /// Apple's path for the developer's copy of a postback of AdAttributionKit; see `AttributionCopyEndpoint`.
  package static let adAttributionKitPath = "/.well-known/appattribution/report-attribution/"

  /// Checks the user's URL: absolute, http or https, without user info and fragment.
  package init(
    _ text: String, takesIPv6Literals: Bool = URLSessionLimits.takesIPv6Literals
  ) throws(EndpointURLProblem) {
    let parts = try URLParts(text)
    if parts.hasUserInfo { throw .hasUserInfo }
    if parts.hasFragment { throw .hasFragment }
    if parts.address.isIPv6Literal, !takesIPv6Literals { throw .ipv6LiteralUnsupported(parts.address.host) }
    self.text = text
    address = parts.address
  }

  private init(_ address: HTTPAddress, query: Substring? = nil) {
    text = address.text + (query.map { "?\($0)" } ?? "")
    self.address = address
  }

  /// The URL of another path on the same server, with the same query.
  package func sibling(path: String) -> PostbackURL {
    let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    return PostbackURL(
      HTTPAddress(scheme: address.scheme, host: address.host, port: address.port, path: path), query: query)
  }

  /// The URL for the developer's copy: Apple's path on the same server.
  package var developerCopy: PostbackURL { server(path: Self.developerPath) }

  /// The URL of a path on the same server, without a query.
  package func server(path: String) -> PostbackURL {
    PostbackURL(HTTPAddress(scheme: address.scheme, host: address.host, port: address.port, path: path))
  }
}

/// A problem with an endpoint URL of the user.
///
/// It never quotes user info or a query, which may contain a secret.
package enum EndpointURLProblem: Error, Equatable, Sendable {
  /// There is no `://`.
  case noScheme
  /// The scheme is neither http nor https.
  case unsupportedScheme(String)
  /// There is no host.
  case noHost
  /// The host is neither a name nor an address.
  case badHost(String)
  /// The port is not a number from 1 to 65535.
  case badPort(String)
  /// A character in the path must be written as `%XX`.
  case badCharacter(Unicode.Scalar)
  /// There is user info before an `@`.
  case hasUserInfo
  /// There is a query.
  case hasQuery
  /// There is a fragment.
  case hasFragment
  /// The platform cannot connect to this address; a name such as `localhost` must be used.
  case ipv6LiteralUnsupported(String)

  /// The problem for the user, to follow the option's name.
  package var message: String {
    switch self {
    case .noScheme: "it must begin with http:// or https://"
    case .unsupportedScheme(let scheme): "its scheme must be http or https, not '\(scheme)'"
    case .noHost: "it names no host"
    case .badHost(let host):
      "'\(host)' is not a host name (letters, digits, '-', '.'; other scripts in their xn-- form)"
    case .badPort(let port): "its port must be a number from 1 to 65535, not '\(port)'"
    case .badCharacter(let scalar):
      "its path has a character that must be percent-encoded: \(scalar.debugDescription)"
    case .hasUserInfo: "it must not hold a user name or password"
    case .hasQuery: "it must have no query (nothing from '?' on): the query is made by this tool"
    case .hasFragment: "it must have no fragment (nothing from '#' on)"
    case .ipv6LiteralUnsupported(let host):
      "the IPv6 address '\(host)' cannot be reached from Swift on Linux: use a host name, as in http://localhost/"
    }
  }
}
