/// The codes of warnings, as used in results and expectations.
package enum WarningCode: UInt8, CaseIterable, Sendable {
  // Findings: a problem in the app or the endpoint
  case handlerNotCalled, lockLeaked, blocked, installPoisoned, appCrashed, droppedUnregistered, indexMismatch, oddType,
    nameTooLong, nameNotASCII, plusInName, emptyName, emptyCurrency, idfvMissing, currentValueMissing, ignoredAfterLock,
    frameworkErrorKept, notForwarded, coarseNotMirrored, directCoarseCleared, statusNot200, unknownAnswerKey,
    statusNotOK, answerNotJSON, contentTypeNotJSON, revenueAgain, productionImpression, trackingParameters,
    openParameterGiven,
    countryOfInstall, impressionUnused, infoPlist, requestFlawed, overlaps, staleRequest, completedOutOfOrder,
    storedInLaterWindow, killed
  // Notes
  case impressionLost, droppedWindowOver, detailsStale, coarseCleared, revenueOutsideWindows, clockWentBack,
    adRevenueMerged,
    oddCurrency, answererChanged, modelChanged, oldFirstCall, oddProfile, organicInstall, windowsDiffer,
    ignoredByApple, fineIgnored, coarseIgnored, lockIgnored, waits

  package init?(name: String) {
    guard let code = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = code
  }

  package var name: String { Self.rows[Int(rawValue)].name }

  /// The level; a finding is a problem in the app or the endpoint. A single warning may have a lower one,
  /// ``Warning/level``.
  package var level: Warning.Level { Self.rows[Int(rawValue)].level }

  /// Indexed by raw value, because each step needs levels.
  private static let rows = allCases.map(\.row)

  /// The description of a code.
  private struct Row: Sendable {
    let name: String
    let level: Warning.Level

    init(_ name: String, _ level: Warning.Level) { (self.name, self.level) = (name, level) }
  }

  private var row: Row {
    switch self {
    case .handlerNotCalled: Row("handler-not-called", .finding)
    case .lockLeaked: Row("lock-leaked", .finding)
    case .blocked: Row("blocked", .finding)
    case .installPoisoned: Row("install-poisoned", .finding)
    case .appCrashed: Row("app-crashed", .finding)
    case .droppedUnregistered: Row("dropped-unregistered", .finding)
    case .indexMismatch: Row("index-mismatch", .finding)
    case .oddType: Row("odd-type", .finding)
    case .nameTooLong: Row("name-too-long", .finding)
    case .nameNotASCII: Row("name-not-ascii", .finding)
    case .plusInName: Row("plus-in-name", .finding)
    case .emptyName: Row("empty-name", .finding)
    case .emptyCurrency: Row("empty-currency", .finding)
    case .idfvMissing: Row("idfv-missing", .finding)
    case .currentValueMissing: Row("current-value-missing", .finding)
    case .ignoredAfterLock: Row("ignored-after-lock", .finding)
    case .frameworkErrorKept: Row("framework-error-kept", .finding)
    case .notForwarded: Row("not-forwarded", .finding)
    case .coarseNotMirrored: Row("coarse-not-mirrored", .finding)
    case .directCoarseCleared: Row("direct-coarse-cleared", .finding)
    case .statusNot200: Row("status-not-200", .finding)
    case .unknownAnswerKey: Row("unknown-answer-key", .finding)
    case .statusNotOK: Row("status-not-ok", .finding)
    case .answerNotJSON: Row("answer-not-json", .finding)
    case .contentTypeNotJSON: Row("content-type-not-json", .finding)
    case .revenueAgain: Row("revenue-again", .finding)
    case .productionImpression: Row("production-impression", .finding)
    case .trackingParameters: Row("tracking-parameters", .finding)
    case .openParameterGiven: Row("open-parameter-given", .finding)
    case .countryOfInstall: Row("country-of-install", .finding)
    case .impressionUnused: Row("impression-unused", .finding)
    case .infoPlist: Row("info-plist", .finding)
    case .requestFlawed: Row("request-flawed", .finding)
    case .overlaps: Row("overlaps", .finding)
    case .staleRequest: Row("stale-request", .finding)
    case .completedOutOfOrder: Row("completed-out-of-order", .finding)
    case .storedInLaterWindow: Row("stored-in-later-window", .finding)
    case .killed: Row("killed", .finding)
    case .impressionLost: Row("impression-lost", .note)
    case .droppedWindowOver: Row("dropped-window-over", .note)
    case .detailsStale: Row("details-stale", .note)
    case .coarseCleared: Row("coarse-cleared", .note)
    case .revenueOutsideWindows: Row("revenue-outside-windows", .note)
    case .clockWentBack: Row("clock-went-back", .note)
    case .adRevenueMerged: Row("ad-revenue-merged", .note)
    case .oddCurrency: Row("odd-currency", .note)
    case .answererChanged: Row("answerer-changed", .note)
    case .modelChanged: Row("model-changed", .note)
    case .oldFirstCall: Row("old-first-call", .note)
    case .oddProfile: Row("odd-profile", .note)
    case .organicInstall: Row("organic-install", .note)
    case .windowsDiffer: Row("windows-differ", .note)
    case .ignoredByApple: Row("ignored-by-apple", .note)
    case .fineIgnored: Row("fine-ignored", .note)
    case .coarseIgnored: Row("coarse-ignored", .note)
    case .lockIgnored: Row("lock-ignored", .note)
    case .waits: Row("waits", .note)
    }
  }
}
