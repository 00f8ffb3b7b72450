import SKANDevice
import SKANSystem

/// The endpoint that a user named, checked and completed to the address that is asked.
///
///     try EndpointURL("http://localhost:8080", api: .v2).address.text
///     // "http://localhost:8080/api/v2/conversion_value"
package struct EndpointURL: Equatable, Sendable {
  /// What is asked, and what messages name.
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
