/// A rule of traffic; the raw value is its id in outputs.
package enum TrafficRule: String, CaseIterable, Sendable {
  /// An answer with status 200 whose body reports an error: the data is lost.
  case errorTakenAsDelivered = "error-taken-as-delivered"

  /// How grave a breach is.
  package enum Level: String, CaseIterable, Sendable { case error, warning, note }

  /// What a rule rests on.
  package enum Basis: String, CaseIterable, Sendable {
    /// Singular's guides for the snippet.
    case guide
    /// Singular's reference of the endpoints.
    case reference
    /// What a phone can and cannot do.
    case device
    /// A conclusion that no document states.
    case inferred
  }
}
