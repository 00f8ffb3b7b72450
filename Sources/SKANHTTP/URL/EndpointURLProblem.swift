/// What is wrong with the endpoint URL that a user gave.
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
