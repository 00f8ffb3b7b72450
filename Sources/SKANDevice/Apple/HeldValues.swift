/// What Apple holds of one window of an install. Versions up to 3 have one window only, the first.
package struct HeldValues: Sendable, Equatable {
  /// When a call locked the window, and no call after it counts.
  @OptionalInstant package internal(set) var lockedAt: Instant?
  /// The last fine value; nil when none was given, as by `registerAppForAdNetworkAttribution`.
  package internal(set) var fine: UInt8?
  package internal(set) var coarse: HeldCoarse?
  /// Whether a call counted in this window.
  package internal(set) var isUpdated = false
  /// Whether no such call could have given a coarse value and a lock.
  package internal(set) var isFineOnly = false

  package init() {}
}

/// A coarse value as Apple may hold it.
package enum HeldCoarse: String, CaseIterable, Sendable {
  case low, medium, high
  /// No value of Apple's, but seen in postbacks (setting `coarse-without`).
  case literalNone = "none"

  init(_ value: CoarseValue) {
    switch value {
    case .low: self = .low
    case .medium: self = .medium
    case .high: self = .high
    }
  }
}
