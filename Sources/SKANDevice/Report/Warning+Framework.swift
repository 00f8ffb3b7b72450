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

extension CallFate {
  /// The warning about the fate of a call; nil where Apple and the app have the same values.
  var warning: Warning? {
    switch self {
    case .taken, .registered, .alreadyRegistered: nil
    case .organic: .organicInstall
    case .refused(let code): .frameworkErrorKept(code)
    case .locked(let window, let since): .ignoredAfterLock(window, since: since)
    case .unknownVersion, .tooLate, .windowsOver, .final, .notHigher, .fineOnly: .ignoredByApple(self)
    }
  }

  /// Whether that is a finding.
  var isFinding: Bool { warning?.level == .finding }
}
