import SKANDevice
import SKANHTTP
import SKANModel

/// Who answers a request; see the article "Endpoints".
package enum Endpoint: Sendable, Equatable {
  /// The test endpoint in process: no network. The default.
  case embedded
  /// Singular's test endpoint.
  case testing
  /// Singular's own. Never chosen unless it is named.
  case production
  /// The address that the user named, completed for each version of the API.
  case custom(v1: EndpointURL, v2: EndpointURL)

  /// The beginning of every address of Singular's test endpoint.
  static let testOrigin = "https://\(EndpointKind.testHost)/"
  private static let testAddress = "https://\(EndpointKind.testHost)\(EndpointKind.conversionValue(.v1).path)"

  /// The address without its query, for the API version that the snippet calls.
  package func address(for snippet: SnippetVersion) -> String {
    switch self {
    case .embedded, .testing: Self.testAddress
    case .production: Self.productionAddress(for: snippet)
    case .custom(let v1, let v2): (snippet.rules.api == .v1 ? v1 : v2).address.text
    }
  }

  /// The same address, to be sent to.
  package func target(for snippet: SnippetVersion) -> HTTPTarget {
    guard case .custom(let v1, let v2) = self else { return HTTPTarget(address(for: snippet)) }
    return (snippet.rules.api == .v1 ? v1 : v2).address.target
  }

  /// The address, without its query, of an endpoint for the app's server; nil where there is none: beside the test
  /// endpoint, and beside an address whose path is not the API's.
  ///
  /// - Parameter kind: a report.
  package func forwardAddress(of kind: EndpointKind) -> String? {
    switch self {
    case .embedded, .production: kind.address
    case .testing: nil
    case .custom(let v1, _): v1.sibling(kind)?.text
    }
  }

  /// Where a request would go on a phone whose answer is given in the step.
  package static func productionAddress(for snippet: SnippetVersion) -> String {
    snippet.rules.api == .v1 ? productionAddresses.v1 : productionAddresses.v2
  }

  private static let productionAddresses = (
    v1: EndpointKind.conversionValue(.v1).address, v2: EndpointKind.conversionValue(.v2).address
  )

  /// As results name it: an address as the user named it, without the path that each version of the API has.
  func name(for snippet: SnippetVersion) -> String {
    switch self {
    case .embedded: return "embedded"
    case .testing: return "testing"
    case .production: return "production"
    case .custom:
      let address = address(for: snippet)
      let path = EndpointKind.conversions.map(\.path).first { address.hasSuffix($0) }
      return path.map { String(address.dropLast($0.count)) } ?? address
    }
  }

  /// Whether a request leaves this machine's process.
  package var isRemote: Bool { self != .embedded }

  /// Whether a request may carry the phone's own time, for an endpoint that keeps to it: never to Singular's.
  package var takesDeviceTime: Bool {
    guard case .custom(let v1, _) = self else { return false }
    return v1.address.host != "singular.net" && !v1.address.host.hasSuffix(".singular.net")
  }

  /// Whether the SDK key, when there is one, is sent: to production and to an address that the user named.
  package var takesSDKKey: Bool {
    switch self {
    case .production, .custom: true
    case .embedded, .testing: false
    }
  }
}
