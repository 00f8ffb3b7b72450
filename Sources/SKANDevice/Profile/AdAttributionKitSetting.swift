/// The values of the settings about AdAttributionKit.
extension FrameworkSettings {
  package enum KitMirror: String, CaseIterable, Sendable {
    case allCalls = "all_calls"
    case multiArgument = "multi_argument"
    case off
  }

  package enum KitMirrorCoarse: String, CaseIterable, Sendable { case none, carried }

  package enum KitFineOnly: String, CaseIterable, Sendable {
    case asCoarseWithout = "as_coarse_without"
    case clears, keeps
  }

  package enum KitEmptyWindow: String, CaseIterable, Sendable {
    case notSent = "not_sent"
    case sent
  }

  package enum KitDigits: String, CaseIterable, Sendable {
    case four = "4"
    case three = "3"
    case two = "2"
  }

  package enum KitLaterFields: String, CaseIterable, Sendable { case present, absent }

  package enum KitNonWinner: String, CaseIterable, Sendable {
    case tierDigits = "tier_digits"
    case least
  }

  package enum KitDeveloperDelay: String, CaseIterable, Sendable {
    case allWindows = "all_windows"
    case firstWindow = "first_window"
  }

  package enum KitRetry: String, CaseIterable, Sendable {
    case only500 = "500"
    case every5xx = "5xx"
    case non200 = "non_200"
  }

  package enum KitRetryCount: String, CaseIterable, Sendable {
    case nineMore = "9_more"
    case nineInAll = "9_in_all"
  }

  package enum KitRetrySpacing: String, CaseIterable, Sendable {
    case oneDay = "1d"
    case oneHour = "1h"
  }

  package enum KitUUIDCase: String, CaseIterable, Sendable { case upper, lower }

  package enum KitSlash: String, CaseIterable, Sendable { case escaped, plain }

  package enum KitToSKAN: String, CaseIterable, Sendable { case off, on }

  package enum KitFineRange: String, CaseIterable, Sendable {
    case errorUnknown = "error_unknown"
    case ignored
  }

  package enum KitUntagged: String, CaseIterable, Sendable {
    case mostRecent = "most_recent"
    case eachType = "each_type"
    case all
  }

  package enum KitOverlap: String, CaseIterable, Sendable { case off, on }

  package enum KitOverlapTag: String, CaseIterable, Sendable {
    case always
    case overlapOnly = "overlap_only"
  }

  package enum KitTagErrors: String, CaseIterable, Sendable {
    case byCause = "by_cause"
    case ignored
  }

  package enum KitUnregistered: String, CaseIterable, Sendable { case dropped, kept }

  package enum KitLaterWindows: String, CaseIterable, Sendable { case dropped, kept }

  package enum KitLimit: String, CaseIterable, Sendable {
    case none
    case onePerMonth = "one_per_month"
    case onePerYear = "one_per_year"
  }

  package enum KitTrackingParameters: String, CaseIterable, Sendable {
    case kept
    case allRemoved = "all_removed"
  }

  package enum KitCopies: String, CaseIterable, Sendable { case off, on }

  package enum KitRulesForSKAN: String, CaseIterable, Sendable { case off, on }

  package enum KitRulesRange: String, CaseIterable, Sendable {
    case defaultUsed = "default_used"
    case clamped
  }

  package enum KitViewMinimum: String, CaseIterable, Sendable {
    case twoSeconds = "2s"
    case none
  }

  package enum KitViewRoom: String, CaseIterable, Sendable {
    case eachFramework = "each_framework"
    case shared
  }

  /// The settings of an install whose ad is of AdAttributionKit: where the two frameworks have a setting each, that of
  /// AdAttributionKit under SKAdNetwork's name.
  var forAdAttributionKit: FrameworkSettings {
    var all = self
    all.calls.clockStart = kitWindowStart
    all.calls.coarseWithout =
      switch kitFineOnly {
      case .asCoarseWithout: calls.coarseWithout == .keep ? .keep : .clear
      case .clears: .clear
      case .keeps: .keep
      }
    all.calls.carryOver = .no
    all.emptyWindow = kitEmptyWindow == .sent ? .sendWithoutValue : .notSent
    (all.calls.afterLock, all.calls.afterWindows) = (.noError, .noError)
    return all
  }
}
