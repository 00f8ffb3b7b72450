/// A value in the app's store and the same value held by Apple; see the article "Belief and truth".
package struct Comparison: Sendable, Equatable {
  package let name: String
  /// The values as text; nil if there is none.
  package let app: String?
  package let apple: String?
  /// Why the two differ; nil if they do not.
  package let difference: Difference?
}

extension Device {
  /// The app's state and Apple's: the values that both have, and the start of the windows.
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

  /// - Parameter reason: why the values differ, unless one reason holds for the whole install.
  private func compare(_ name: String, _ app: String?, _ apple: String?, _ reason: Difference) -> Comparison {
    Comparison(name: name, app: app, apple: apple, difference: app == apple ? nil : wholeDifference ?? reason)
  }

  /// The first call in the app's store; the snippet treats 0 as absent.
  private var firstCall: Int64? { isRegistered ? kept.firstCall : nil }

  private func instant(_ seconds: Int64) -> String { Instant(microseconds: seconds * 1_000_000).description }

  /// The app stores whole seconds.
  private func instant(_ instant: Instant) -> String { self.instant(instant.wholeSeconds) }
}

/// Why a value in the app's store differs from Apple's; see the article "Belief and truth".
package enum Difference: Sendable, Equatable {
  // Differences of the whole install
  case developmentBuild
  case organic
  /// This iOS does not support the ad's version.
  case oldIOS
  case neverReached
  /// An ad of AdAttributionKit, and no call is mirrored: setting `aak-mirror`.
  case notMirrored
  // Differences of one value
  case locked(since: Instant)
  case windowsBeganApart
  case shorterWindows
  /// Possible with the setting `coarse-without`.
  case coarseLeft
  case coarseNone
  case noCoarseValue
  case fineOnlyCall
  case twoLocks
  case otherSnippet
  case highestOfTimer
  case noCoarseInVersion
  case noLockInVersion
  /// The mirror into AdAttributionKit carries no coarse value: setting `aak-mirror-coarse`.
  case coarseNotMirrored
  case notTaken
}

extension Device {
  /// Why Apple holds nothing for the install.
  var wholeDifference: Difference? {
    let install = traits.install
    if framework.isRegistered { return nil }
    if install.build == .development { return .developmentBuild }
    if !install.isAttributed { return .organic }
    if install.adVersion == nil { return .oldIOS }
    return install.isAdAttributionKit && install.settings.kitMirror == .off ? .notMirrored : .neverReached
  }

  var fineDifference: Difference {
    let isKept = keptValue != nil
    if framework.version?.hasWindows == false { return isKept ? .highestOfTimer : .otherSnippet }
    return difference(in: .p0) ?? (isKept ? .notTaken : .otherSnippet)
  }

  func coarseDifference(_ window: ConversionWindow) -> Difference {
    if framework.version?.hasWindows == false { return .noCoarseInVersion }
    let (app, apple) = (kept.coarseValue[window], framework.held[window].coarse)
    if app == nil, apple == .literalNone { return .coarseNone }
    if let app, apple == nil, CoarseValue(app) == nil { return .noCoarseValue }
    if let reason = difference(in: window) { return reason }
    if app == nil { return .coarseLeft }
    let install = traits.install
    if apple == nil, install.isAdAttributionKit, install.settings.kitMirrorCoarse == .none { return .coarseNotMirrored }
    return apple == nil && !traits.hasCoarseValueUpdate ? .fineOnlyCall : .notTaken
  }

  func lockDifference(_ window: ConversionWindow) -> Difference {
    if framework.version?.hasWindows == false { return .noLockInVersion }
    let (app, apple) = (kept.windowLock[window], framework.held[window].lockedAt)
    if app != nil, apple != nil { return .twoLocks }
    if let reason = apart { return reason }
    return apple == nil && !traits.hasCoarseValueUpdate ? .fineOnlyCall : .notTaken
  }

  /// A reason that holds for all values of a window.
  private func difference(in window: ConversionWindow) -> Difference? {
    let lock = framework.held[window].lockedAt
    // A lock known to both explains more than different starts of the windows.
    if let lock, kept.windowLock[window] != nil || apart == nil { return .locked(since: lock) }
    return apart
  }

  /// Why an update may have counted in different windows.
  private var apart: Difference? {
    if framework.clockStart(on: traits.install)?.wholeSeconds != kept.firstCall { return .windowsBeganApart }
    return traits.install.clock == .developer ? .shorterWindows : nil
  }
}

extension Difference: CustomStringConvertible {
  package var description: String {
    switch self {
    case .developmentBuild: "Apple refuses the calls of an app that is not from the App Store"
    case .organic: "no ad brought this install: Apple holds nothing"
    case .oldIOS: "this iOS does not know the ad's version: Apple holds nothing"
    case .neverReached: "Apple has not accepted any call"
    case .locked(let since): "locked at \(since): Apple keeps the values from that moment"
    case .windowsBeganApart: "their windows began at different moments"
    case .shorterWindows: "Apple's windows are short ones, of its Developer Mode"
    case .coarseLeft: "a call without a coarse value cleared the app's, and left Apple's as it was"
    case .coarseNone: "a call without a coarse value cleared the app's, and made Apple's \"none\""
    case .noCoarseValue: "this number is not a coarse value: Apple was given none"
    case .fineOnlyCall: "iOS before 16.1 has no call that could have told Apple"
    case .twoLocks: "Apple keeps the first lock, the app the last"
    case .otherSnippet: "an earlier version of the snippet gave it to Apple; this one keeps it elsewhere"
    case .highestOfTimer:
      "Apple keeps the highest value until its timer runs out, the app keeps the last value of its own window"
    case .noCoarseInVersion: "the ad's version has no coarse value"
    case .noLockInVersion: "the ad's version has no lock"
    case .notMirrored: "an ad of AdAttributionKit brought this install, and no call of SKAdNetwork is mirrored into it"
    case .coarseNotMirrored:
      "Apple's page names no coarse value in the call that Apple mirrors into AdAttributionKit (setting aak-mirror-coarse)"
    case .notTaken: "Apple did not accept an update, or counted it for another window"
    }
  }
}
