import SKANDevice
import SKANSystem

/// The endpoint that a user named, checked and completed to the address that is asked.
///
///     try EndpointURL("http://localhost:8080", api: .v2).address.text
///     // "http://localhost:8080/api/v2/conversion_value"
package struct EndpointURL: Equatable, Sendable {
  /// The address that requests go to and messages name.
  package let address: HTTPAddress

  /// Checks what the user gave.
  ///
  /// A path that ends in `/conversion_value` (a slash behind it or not) is taken as it is; to any other one the
  /// API's own is appended.
  ///
  /// - Parameters:
  ///   - text: an absolute http or https URL without user info, query and fragment.
  ///   - api: whose path is appended.
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

  /// The address of another endpoint of the same server.
  ///
  /// - Returns: nil when the path of this one is not the API's.
  package func sibling(_ kind: EndpointKind) -> HTTPAddress? {
    var own = Substring(address.path)
    while own.hasSuffix("/") { own = own.dropLast() }
    guard let path = EndpointKind.conversions.map(\.path).first(where: { own.hasSuffix($0) }) else { return nil }
    return HTTPAddress(
      scheme: address.scheme, host: address.host, port: address.port, path: own.dropLast(path.count) + kind.path)
  }
}

/// Where postbacks are delivered: an address that the user named.
package struct PostbackURL: Equatable, Sendable {
  /// What is asked, its query with it.
  package let text: String
  /// The same without the query: what messages and records name.
  package let address: HTTPAddress

  /// Apple's path for the copy that the app's developer gets; see `NSAdvertisingAttributionReportEndpoint`.
  package static let developerPath = "/.well-known/skadnetwork/report-attribution/"

  /// Checks what the user gave: an absolute http or https URL without user info and fragment.
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

  private init(_ address: HTTPAddress) {
    text = address.text
    self.address = address
  }

  /// Apple's path on the same server.
  package var developerCopy: PostbackURL {
    PostbackURL(
      HTTPAddress(scheme: address.scheme, host: address.host, port: address.port, path: Self.developerPath))
  }
}

/// The problem with the endpoint URL that a user gave.
///
/// A problem quotes no user info and no query: either may hold a secret.
package enum EndpointURLProblem: Error, Equatable, Sendable {
  /// Nothing with `://` behind it.
  case noScheme
  /// That scheme, which is neither http nor https.
  case unsupportedScheme(String)
  /// Nothing where the host belongs.
  case noHost
  /// That host, which is neither a name nor an address.
  case badHost(String)
  /// That port, which is not a number from 1 to 65535.
  case badPort(String)
  /// A character of the path that a URL must write as `%XX`.
  case badCharacter(Unicode.Scalar)
  /// Something before an `@`.
  case hasUserInfo
  /// A question mark.
  case hasQuery
  /// A number sign.
  case hasFragment
  /// The address; `localhost` or another name has to be used for it.
  case ipv6LiteralUnsupported(String)

  /// The problem for the user, to be put behind the option's name.
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
