import SKANDevice

/// How many requests there are of each kind.
package struct TrafficCounts: Sendable, Equatable {
  /// Sessions that the app's server reported.
  package var launches = 0
  /// Events that it reported, of either version.
  package var events = 0
  /// The snippet's own requests.
  package var conversionValues = 0
  /// Their devices, and how many requests name none.
  package var devices = 0

  /// Nothing yet.
  package init() {}

  /// All of them.
  package var total: Int { launches + events + conversionValues }

  /// Counts a request.
  package mutating func add(_ kind: EndpointKind) {
    switch kind {
    case .launch: launches += 1
    case .event: events += 1
    case .conversionValue: conversionValues += 1
    }
  }
}
