import SKANDevice

/// Which of Singular's endpoints a request asks.
package enum TrafficKind: Sendable, Equatable {
  /// The snippet's request for the next value.
  case conversionValue(EndpointAPI)
  /// A session that the app's server reports.
  case launch
  /// An event that the app's server reports.
  case event(EndpointAPI)
}
