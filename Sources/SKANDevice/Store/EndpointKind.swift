/// A request that Singular's endpoints accept: the snippet's own, or a report of the app's server; see the article
/// "Endpoints".
package enum EndpointKind: Sendable, Hashable, CaseIterable {
  /// The snippet's request for the next value.
  case conversionValue(EndpointAPI)
  /// A session reported by the app's server; it has only one version.
  case launch
  /// An event reported by the app's server. V2 identifies the phone by `sdid`; it is for accounts created since
  /// 2026-07-15.
  case event(EndpointAPI)

  /// The reports of the app's server.
  package static let reports: [EndpointKind] = [.launch, .event(.v1), .event(.v2)]

  /// The snippet's requests.
  package static let conversions: [EndpointKind] = [.conversionValue(.v1), .conversionValue(.v2)]

  package static let allCases = reports + conversions

  /// The host of Singular's test endpoint, which accepts only `conversion_value` of V1.
  package static let testHost = "skadnetwork-testing.singular.net"

  private static let paths = allCases.map { (kind: $0, path: $0.path) }

  /// The kind for a path, which may have a prefix added by a proxy; nil for any other path.
  package init?(path: String) {
    guard let kind = Self.paths.first(where: { path.hasSuffix($0.path) })?.kind else { return nil }
    self = kind
  }

  /// The path, the same at Singular and at `skan serve`.
  package var path: String { "/api/\(api.rawValue)/\(name)" }

  /// The last part of the path, which names the kind in messages.
  package var name: String {
    switch self {
    case .conversionValue: "conversion_value"
    case .launch: "launch"
    case .event: "evt"
    }
  }

  package var api: EndpointAPI {
    switch self {
    case .conversionValue(let api), .event(let api): api
    case .launch: .v1
    }
  }

  /// Whether the app's server sends it.
  package var isReport: Bool { if case .conversionValue = self { false } else { true } }

  /// Whether it is an event of the app's server, of either version.
  package var isEvent: Bool { if case .event = self { true } else { false } }

  /// Singular's host.
  package var host: String { isReport ? "s2s.singular.net" : "sdk-api-v1.singular.net" }

  /// Singular's address.
  package var address: String { "https://\(host)\(path)" }

  /// The methods that Singular documents.
  package var methods: [String] {
    switch self {
    case .conversionValue: ["GET"]
    case .event(.v2): ["POST"]
    case .launch, .event(.v1): ["GET", "POST"]
    }
  }
}

/// The version of a call, as its path names it.
public enum EndpointAPI: String, CaseIterable, Sendable {
  /// `conversion_value` for SKAdNetwork 3.
  case v1
  /// `conversion_value` for SKAdNetwork 4.
  case v2
}

/// The answer to a request: a response of any status, or none.
package enum EndpointAnswer: Sendable, Equatable {
  /// The HTTP status is only shown; the snippet ignores it.
  case response(status: Int, body: [UInt8])
  /// The transport's error, as the completion handler receives it.
  case failure(String)
}
