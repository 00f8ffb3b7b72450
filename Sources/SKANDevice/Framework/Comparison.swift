/// One value as the app's store has it and as Apple holds it; see the article "Apple's framework".
package struct Comparison: Sendable, Equatable {
  package let name: String
  /// Nil when there is none.
  package let app: String?
  package let apple: String?
  /// Why the two differ; nil where they do not.
  package let difference: String?
}

extension Device {
  /// What the app believes beside what Apple holds: the values that both know, and since when the windows count.
  package var comparisons: [Comparison] {
    let held = framework.held
    let hasWindows = framework.version?.hasWindows ?? true
    var all = [
      compare(
        "first call", kept.firstCall.map(instant), framework.firstUpdate.map { instant($0.wholeSeconds) },
        "their windows began at different moments"),
      compare(
        "fine value", (snippet.isSKAN4 ? kept.fineValue?.int64 : kept.skan3Value).map(String.init),
        held[.p0].fine.map { String($0) },
        hasWindows ? lockReason(.p0) : "Apple's value only goes upwards, and is final when its timer runs out"),
    ]
    guard snippet.isSKAN4 else { return all }
    for window in ConversionWindow.allCases {
      let name = "P\(window.rawValue)"
      let app = kept.coarseValue[window].map { CoarseValue($0)?.rawValue ?? $0.shown }
      all.append(
        compare(
          "\(name) coarse value", app, held[window].coarse?.rawValue,
          hasWindows ? lockReason(window) : "the ad's version knows no coarse value"))
      all.append(
        compare(
          "\(name) lock", kept.windowLock[window].map(instant),
          held[window].lockedAt.map { instant($0.wholeSeconds) },
          hasWindows ? "Apple keeps the first lock, the app the last" : "the ad's version knows no lock"))
    }
    return all.filter { $0.app != nil || $0.apple != nil }
  }

  private func compare(_ name: String, _ app: String?, _ apple: String?, _ reason: String) -> Comparison {
    let difference: String? =
      app == apple
      ? nil
      : !traits.install.isAttributed
        ? "no ad brought this install: Apple holds nothing"
        : traits.install.build == .development
          ? "Apple refuses the calls of an app that is not from the App Store" : reason
    return Comparison(name: name, app: app, apple: apple, difference: difference)
  }

  private func lockReason(_ window: ConversionWindow) -> String {
    framework.held[window].lockedAt.map { "locked at \($0): Apple keeps the values of that moment" }
      ?? "an update that Apple did not take"
  }

  private func instant(_ seconds: Int64) -> String { Instant(microseconds: seconds * 1_000_000).description }
}
