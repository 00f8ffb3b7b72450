/// The version of the `conversion_value` call, as its path names it.
package enum EndpointAPI: String, CaseIterable, Sendable {
  /// For SKAdNetwork 3.
  case v1
  /// For SKAdNetwork 4.
  case v2

  /// The path that is put behind an endpoint's base URL.
  package var path: String { "/api/\(rawValue)/conversion_value" }
}
