import SKANDevice

/// An address to which the app's server reports; see the article "Endpoints".
package enum ForwardedEndpoint: String, CaseIterable, Sendable {
  /// A session, V1; there is no V2 of it.
  case launch = "/api/v1/launch"
  /// An event, V1.
  case event = "/api/v1/evt"
  /// An event, V2, which knows the phone by `sdid`; for accounts made since 2026-07-15.
  case event2 = "/api/v2/evt"

  /// The path of its URL.
  package var path: String { rawValue }

  /// Whether it takes events, of either version.
  package var takesEvents: Bool { self != .launch }

  /// The host that serves all three.
  package static let host = "s2s.singular.net"
}
