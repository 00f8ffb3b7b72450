/// When a postback that was not accepted is passed on again: Singular's ladder for partner postbacks (its article "Partner
/// Postbacks"), whose last step is repeated for ever here, so that none is lost.
package struct ForwardRetries: Sendable {
  private static let minutes = [1.0, 5, 15, 30, 60]

  /// How often the postback was not accepted.
  package private(set) var failures = 0

  package init() {}

  /// Counts an attempt that failed.
  ///
  /// - Returns: the seconds until the next.
  package mutating func fail() -> Double {
    let minutes = Self.minutes[min(failures, Self.minutes.count - 1)]
    failures += 1
    return minutes * 60
  }
}
