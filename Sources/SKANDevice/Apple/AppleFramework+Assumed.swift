extension AppleFramework {
  /// What Apple holds if it received just what an app's store says: for a phone of which only the store is known.
  ///
  /// What the app keeps does not say when each window was last updated: a lock is taken at its moment, other values at the
  /// last call where that lies in their window, else at the window's beginning.
  package static func assumed(from kept: KeptState, of snippet: SnippetVersion, on install: InstallTraits)
    -> AppleFramework
  {
    var framework = AppleFramework()
    for (call, moment) in kept.assumedCalls(snippet) { _ = framework.apply(call, at: moment, on: install) }
    return framework
  }
}

extension KeptState {
  /// The calls that leave this store, in the order of their moments.
  fileprivate func assumedCalls(_ snippet: SnippetVersion) -> [(call: FrameworkCall, at: Instant)] {
    guard let firstCall, firstCall != 0 else { return [] }
    let fine = fineValue?.int64 ?? 0
    var calls: [(call: FrameworkCall, seconds: Int64)] = [
      (snippet.rules.registrationCall, firstCall)
    ]
    if !snippet.rules.hasCoarseValues {
      if let skan3Value { calls.append((.updateConversionValue(skan3Value), lastCall ?? firstCall)) }
    } else {
      for window in ConversionWindow.allCases where isUpdated(window) {
        calls.append(
          (
            .updatePostbackCoarse(
              fine: fine, coarse: coarseValue[window].flatMap { CoarseValue($0) }, lock: windowLock[window] != nil),
            windowLock[window] ?? moment(in: window, from: firstCall)
          ))
      }
    }
    return calls.sorted { $0.seconds < $1.seconds }.compactMap { call, seconds in
      Instant(unixSeconds: Double(seconds)).map { (call, $0) }
    }
  }

  private func isUpdated(_ window: ConversionWindow) -> Bool {
    let hasFine = window == .p0 && (fineValue?.int64 ?? 0) != 0
    return hasFine || coarseValue[window] != nil || windowLock[window] != nil
  }

  private func moment(in window: ConversionWindow, from firstCall: Int64) -> Int64 {
    if let lastCall, ConversionWindow.at(secondsSinceFirstCall: lastCall - firstCall) == window { return lastCall }
    return switch window {
    case .p0: firstCall
    case .p1: firstCall + ConversionWindow.p0.end
    case .p2: firstCall + ConversionWindow.p1.end
    }
  }
}
