import SKANDevice

extension HeldCoarse {
  /// Its place in a count by coarse values: 0 for none, then low, medium and high.
  package var index: Int {
    switch self {
    case .literalNone: 0
    case .low: 1
    case .medium: 2
    case .high: 3
    }
  }
}
