import SKANDevice

extension WarningCode: ExplainedCode {
  static var kind: CodeKind { .warning }

  var code: String { rawValue }

  var roleText: String { "\(level.rawValue) of a step" }

  var explanation: CodeExplanation {
    switch self {
    case .handlerNotCalled: WarningTexts.handlerNotCalled
    case .lockLeaked: WarningTexts.lockLeaked
    case .blocked: WarningTexts.blocked
    case .installPoisoned: WarningTexts.installPoisoned
    case .appCrashed: WarningTexts.appCrashed
    case .droppedUnregistered: WarningTexts.droppedUnregistered
    case .indexMismatch: WarningTexts.indexMismatch
    case .oddType: WarningTexts.oddType
    case .nameTooLong: WarningTexts.nameTooLong
    case .nameNotASCII: WarningTexts.nameNotASCII
    case .plusInName: WarningTexts.plusInName
    case .emptyName: WarningTexts.emptyName
    case .emptyCurrency: WarningTexts.emptyCurrency
    case .idfvMissing: WarningTexts.idfvMissing
    case .currentValueMissing: WarningTexts.currentValueMissing
    case .ignoredAfterLock: WarningTexts.ignoredAfterLock
    case .frameworkErrorKept: WarningTexts.frameworkErrorKept
    case .notForwarded: WarningTexts.notForwarded
    case .droppedWindowOver: WarningTexts.droppedWindowOver
    case .detailsStale: WarningTexts.detailsStale
    case .coarseCleared: WarningTexts.coarseCleared
    case .revenueOutsideWindows: WarningTexts.revenueOutsideWindows
    case .clockWentBack: WarningTexts.clockWentBack
    case .adRevenueMerged: WarningTexts.adRevenueMerged
    case .oddCurrency: WarningTexts.oddCurrency
    case .answererChanged: WarningTexts.answererChanged
    case .modelChanged: WarningTexts.modelChanged
    case .oldFirstCall: WarningTexts.oldFirstCall
    case .organicInstall: WarningTexts.organicInstall
    case .windowsDiffer: WarningTexts.windowsDiffer
    case .ignoredByApple: WarningTexts.ignoredByApple
    case .fineIgnored: WarningTexts.fineIgnored
    case .coarseIgnored: WarningTexts.coarseIgnored
    case .lockIgnored: WarningTexts.lockIgnored
    }
  }
}

/// The texts of findings and notes, by topic.
enum WarningTexts {}
