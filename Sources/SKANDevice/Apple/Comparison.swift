/// One value as the app's store has it and as Apple holds it; see the article "Belief and truth".
package struct Comparison: Sendable, Equatable {
  package let name: String
  /// Nil when there is none.
  package let app: String?
  package let apple: String?
  /// Why the two differ; nil where they do not.
  package let difference: Difference?
}

extension Device {
  /// What the app believes beside what Apple holds: the values that both know, and since when the windows count.
  package var comparisons: [Comparison] {
    let began = firstCall.map(instant)
    var all = [compare("first call", began, framework.firstUpdate.map(instant), .windowsBeganApart)]
    let start = framework.clockStart(on: traits.install)
    if snippet.rules.windows == .fromFirstCall, framework.version?.hasWindows ?? false, start != framework.firstUpdate {
      all.append(compare("windows since", began, start.map(instant), .windowsBeganApart))
    }
    all.append(
      compare("fine value", keptValue.map(String.init), framework.held[.p0].fine.map { String($0) }, fineDifference))
    for window in ConversionWindow.allCases where snippet.rules.hasCoarseValues {
      let held = framework.held[window]
      let coarse = kept.coarseValue[window].map { CoarseValue($0)?.rawValue ?? $0.displayText }
      all.append(
        compare("P\(window.rawValue) coarse value", coarse, held.coarse?.rawValue, coarseDifference(window)))
      all.append(
        compare(
          "P\(window.rawValue) lock", kept.windowLock[window].map(instant), held.lockedAt.map(instant),
          lockDifference(window)))
    }
    return all.filter { $0.app != nil || $0.apple != nil }
  }

  /// - Parameter reason: where it does not hold for the whole install.
  private func compare(_ name: String, _ app: String?, _ apple: String?, _ reason: Difference) -> Comparison {
    Comparison(name: name, app: app, apple: apple, difference: app == apple ? nil : wholeDifference ?? reason)
  }

  /// A first call at 0 counts as absent to the snippet.
  private var firstCall: Int64? { isRegistered ? kept.firstCall : nil }

  private func instant(_ seconds: Int64) -> String { Instant(microseconds: seconds * 1_000_000).description }

  /// The app keeps whole seconds.
  private func instant(_ instant: Instant) -> String { self.instant(instant.wholeSeconds) }
}
