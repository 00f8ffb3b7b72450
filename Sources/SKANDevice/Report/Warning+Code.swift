/// The codes of warnings, as results and expectations have them.
package enum WarningCode: String, CaseIterable, Sendable {
  case handlerNotCalled = "handler-not-called"
  case lockLeaked = "lock-leaked"
  case blocked
  case installPoisoned = "install-poisoned"
  case appCrashed = "app-crashed"
  case droppedUnregistered = "dropped-unregistered"
  case indexMismatch = "index-mismatch"
  case oddType = "odd-type"
  case nameTooLong = "name-too-long"
  case nameNotASCII = "name-not-ascii"
  case plusInName = "plus-in-name"
  case emptyName = "empty-name"
  case emptyCurrency = "empty-currency"
  case idfvMissing = "idfv-missing"
  case currentValueMissing = "current-value-missing"
  case ignoredAfterLock = "ignored-after-lock"
  case frameworkErrorKept = "framework-error-kept"
  case notForwarded = "not-forwarded"
  case droppedWindowOver = "dropped-window-over"
  case detailsStale = "details-stale"
  case coarseCleared = "coarse-cleared"
  case revenueOutsideWindows = "revenue-outside-windows"
  case clockWentBack = "clock-went-back"
  case adRevenueMerged = "ad-revenue-merged"
  case oddCurrency = "odd-currency"
  case answererChanged = "answerer-changed"
  case modelChanged = "model-changed"
  case oldFirstCall = "old-first-call"
  case organicInstall = "organic-install"
  case windowsDiffer = "windows-differ"
  case ignoredByApple = "ignored-by-apple"
  case fineIgnored = "fine-ignored"
  case coarseIgnored = "coarse-ignored"
  case lockIgnored = "lock-ignored"

  /// A finding says that something is wrong in the app or the endpoint.
  package var level: Warning.Level {
    switch self {
    case .droppedWindowOver, .detailsStale, .coarseCleared, .revenueOutsideWindows, .clockWentBack, .adRevenueMerged,
      .oddCurrency, .answererChanged, .modelChanged, .oldFirstCall, .organicInstall, .windowsDiffer, .ignoredByApple,
      .fineIgnored, .coarseIgnored, .lockIgnored:
      .note
    default: .finding
    }
  }
}

extension Warning {
  /// What it warns of, without its details.
  package var kind: WarningCode {
    switch self {
    case .handlerNotCalled: .handlerNotCalled
    case .lockLeaked: .lockLeaked
    case .blocked: .blocked
    case .installPoisoned: .installPoisoned
    case .appCrashed: .appCrashed
    case .droppedUnregistered: .droppedUnregistered
    case .indexMismatch: .indexMismatch
    case .oddType: .oddType
    case .nameTooLong: .nameTooLong
    case .nameNotASCII: .nameNotASCII
    case .plusInName: .plusInName
    case .emptyName: .emptyName
    case .emptyCurrency: .emptyCurrency
    case .idfvMissing: .idfvMissing
    case .currentValueMissing: .currentValueMissing
    case .ignoredAfterLock: .ignoredAfterLock
    case .frameworkErrorKept: .frameworkErrorKept
    case .notForwarded: .notForwarded
    case .droppedWindowOver: .droppedWindowOver
    case .detailsStale: .detailsStale
    case .coarseCleared: .coarseCleared
    case .revenueOutsideWindows: .revenueOutsideWindows
    case .clockWentBack: .clockWentBack
    case .adRevenueMerged: .adRevenueMerged
    case .oddCurrency: .oddCurrency
    case .answererChanged: .answererChanged
    case .modelChanged: .modelChanged
    case .oldFirstCall: .oldFirstCall
    case .organicInstall: .organicInstall
    case .windowsDiffer: .windowsDiffer
    case .ignoredByApple: .ignoredByApple
    case .fineIgnored: .fineIgnored
    case .coarseIgnored: .coarseIgnored
    case .lockIgnored: .lockIgnored
    }
  }
}
