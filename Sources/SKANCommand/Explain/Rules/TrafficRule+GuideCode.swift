import SKANTraffic

extension TrafficRule {
  /// The line of the client code that a request which breaks the rule does not follow, or that explains it.
  var guideCode: GuideCode? {
    switch self {
    case .errorTakenAsDelivered, .failureNotRetried, .requestRefused, .refusalRepeated, .retryOvertaken,
      .duplicateRequest, .timeUnit, .timeAhead, .parameterMisplaced, .unknownParameter, .truthValueForm, .localeForm,
      .makeWithoutModel, .adRevenueIncomplete, .addressChoice, .serverAddress, .privateAddress, .sameAddress,
      .ipv6Address, .consentWithoutIDFA, .idfaWithoutConsent, .amountForm, .amountWithoutCurrency:
      nil
    case .eventBeforeSession, .installRepeated: .launchSample
    case .timeWentBack, .sessionNameMisplaced, .eventNotForwarded: .eventSample
    case .eventNotUpdated, .reportedBeforeUpdated, .metadataMissing, .metadataIncomplete, .metadataStale: .sessionSample
    case .metadataNames: .keptFine
    case .conversionError: .reason
    case .answerUnusable: .range
    case .bundleCase: .bundleIdentifier
    case .eventNameCase: .eventName
    case .plusInName, .parametersUnreadable, .parameterRepeated, .parameterMissing: .query
    case .parameterForm: .platform
    case .currentValueMissing: .register
    case .jsonBody, .methodNotTaken: .task
    case .plainHTTP: .endpoint
    case .jsonDamaged: .dictionaryEntry
    case .revenueTwice, .revenueMismatch: .revenueSample
    case .idfvMissing, .idfvDiffers: .idfv
    case .idfaZeros: .idfa
    case .keyMissing, .keyDiffers: .key
    case .lastCallBeforeFirst, .lastCallWentBack: .lastCall
    case .firstCallChanged: .firstCall
    case .fineChangedAfterP0, .valueNeverAnswered: .keptFine
    case .previousNeverCurrent: .previousFine
    case .windowTooEarly, .windowChangedLate: .laterCoarse
    case .lockOutsideWindow: .keptLock
    case .revenueOutsideWindow: .revenueOutside
    case .revenueShrank, .totalNotSum: .revenueSum
    case .keysBeyondIOS: .availability
    case .answerNotShown: .setValues
    case .requestAfterWindows: .windowOver
    }
  }
}
