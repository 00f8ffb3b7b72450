import SKANDevice
import SKANModel

/// Which of Singular's endpoints a request asks.
package enum TrafficKind: Sendable, Equatable {
  /// The snippet's request for the next value.
  case conversionValue(EndpointAPI)
  /// A session that the app's server reports.
  case launch
  /// An event that the app's server reports.
  case event(EndpointAPI)

  /// The endpoint of the app's server; nil for the snippet's own request.
  package var forwarded: ForwardedEndpoint? {
    switch self {
    case .conversionValue: nil
    case .launch: .launch
    case .event(.v1): .event
    case .event(.v2): .event2
    }
  }

  /// Its name in messages: the last part of the path.
  package var name: String {
    switch self {
    case .conversionValue: "conversion_value"
    case .launch: "launch"
    case .event: "evt"
    }
  }
}
