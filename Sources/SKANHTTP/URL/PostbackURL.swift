import SKANSystem

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
