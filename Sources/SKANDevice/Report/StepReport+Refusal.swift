extension StepReport {
  /// Says why an endpoint refused the request of a phone without a fine value: only one that was updated from SKAN 3 has
  /// none, and it gets none as long as requests without it are refused.
  package mutating func explainRefusal(of device: Device) {
    guard device.snippet.rules.valueEntry == .fineValue, device.kept.fineValue == nil else { return }
    switch explanation {
    case .refused(let reason) where reason.contains(StoreEntry.fineValue.name):
      explanation = .refusedWithoutCurrentValue(reason)
    case .withoutHandler(.refused(let reason)) where reason.contains(StoreEntry.fineValue.name):
      explanation = .withoutHandler(.refusedWithoutCurrentValue(reason))
    default: return
    }
    found.append(.currentValueMissing)
  }
}
