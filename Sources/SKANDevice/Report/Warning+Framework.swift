extension CallEffects {
  /// What of a call did not count with Apple.
  var warnings: [Warning] {
    var warnings: [Warning] = []
    if contains(.fineIgnored) { warnings.append(.fineIgnored) }
    if contains(.coarseIgnored) { warnings.append(.coarseIgnored) }
    if contains(.lockIgnored) { warnings.append(.lockIgnored) }
    return warnings
  }
}
