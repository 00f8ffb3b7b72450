extension TrafficRule {
  /// How grave a breach is.
  package var level: Level {
    switch self {
    case .errorTakenAsDelivered, .failureNotRetried, .requestRefused, .duplicateRequest, .answerUnusable,
      .eventBeforeSession, .timeWentBack, .timeUnit, .timeAhead, .bundleCase, .eventNameCase, .parameterMissing,
      .parameterForm,
      .currentValueMissing,
      .parametersUnreadable, .jsonBody, .methodNotTaken, .plainHTTP, .jsonDamaged, .truthValueForm,
      .amountWithoutCurrency, .amountForm, .revenueTwice, .idfvMissing, .idfaZeros, .idfaWithoutConsent, .keyMissing,
      .keyDiffers, .addressChoice, .privateAddress, .metadataMissing, .metadataNames, .lastCallBeforeFirst,
      .firstCallChanged, .fineChangedAfterP0, .valueNeverAnswered, .previousNeverCurrent, .windowTooEarly,
      .windowChangedLate, .lockOutsideWindow, .revenueOutsideWindow, .keysBeyondIOS:
      .error
    case .refusalRepeated, .retryOvertaken, .conversionError, .installRepeated, .sessionNameMisplaced, .plusInName,
      .eventNotUpdated, .eventNotForwarded, .reportedBeforeUpdated, .idfvDiffers, .parameterRepeated, .localeForm,
      .makeWithoutModel,
      .adRevenueIncomplete, .revenueMismatch, .serverAddress, .sameAddress, .metadataIncomplete, .metadataStale,
      .lastCallWentBack, .revenueShrank, .totalNotSum, .answerNotShown, .requestAfterWindows:
      .warning
    case .unknownParameter, .parameterMisplaced, .consentWithoutIDFA, .ipv6Address:
      .note
    }
  }

  /// What the rule rests on.
  package var basis: Basis {
    switch self {
    case .bundleCase, .eventNameCase, .eventNotUpdated, .eventNotForwarded, .reportedBeforeUpdated, .jsonDamaged,
      .metadataMissing,
      .metadataIncomplete, .metadataNames:
      .guide
    case .errorTakenAsDelivered, .failureNotRetried, .requestRefused, .refusalRepeated, .retryOvertaken,
      .duplicateRequest, .conversionError, .eventBeforeSession, .installRepeated, .timeWentBack, .timeUnit,
      .parameterMissing, .parameterForm, .parameterMisplaced, .jsonBody, .methodNotTaken, .truthValueForm, .localeForm,
      .makeWithoutModel, .amountWithoutCurrency, .amountForm, .adRevenueIncomplete, .idfvMissing, .idfaZeros,
      .idfaWithoutConsent, .consentWithoutIDFA, .keyMissing, .addressChoice, .serverAddress, .privateAddress,
      .ipv6Address:
      .reference
    case .answerUnusable, .plusInName, .currentValueMissing, .lastCallBeforeFirst, .lastCallWentBack, .firstCallChanged,
      .fineChangedAfterP0, .valueNeverAnswered, .previousNeverCurrent, .windowTooEarly, .windowChangedLate,
      .lockOutsideWindow, .revenueOutsideWindow, .revenueShrank, .totalNotSum, .keysBeyondIOS, .answerNotShown,
      .requestAfterWindows:
      .device
    case .sessionNameMisplaced, .unknownParameter, .parameterRepeated, .parametersUnreadable, .plainHTTP, .revenueTwice,
      .revenueMismatch, .idfvDiffers, .keyDiffers, .sameAddress, .metadataStale, .timeAhead:
      .inferred
    }
  }

  /// The article of the behaviour reference that has the facts.
  package var article: String {
    switch self {
    case .errorTakenAsDelivered, .failureNotRetried, .requestRefused, .refusalRepeated, .retryOvertaken,
      .duplicateRequest, .conversionError, .eventBeforeSession, .installRepeated, .timeWentBack, .timeUnit,
      .timeAhead, .sessionNameMisplaced, .eventNotUpdated, .eventNotForwarded, .reportedBeforeUpdated,
      .parameterMissing, .parameterForm, .unknownParameter,
      .parameterMisplaced, .parameterRepeated, .jsonBody, .methodNotTaken, .plainHTTP, .truthValueForm, .localeForm,
      .makeWithoutModel, .amountWithoutCurrency, .amountForm, .adRevenueIncomplete, .idfaWithoutConsent,
      .consentWithoutIDFA, .addressChoice, .serverAddress, .privateAddress, .sameAddress, .ipv6Address,
      .metadataMissing, .metadataIncomplete, .metadataNames, .metadataStale:
      "Endpoints"
    case .bundleCase, .eventNameCase, .plusInName, .currentValueMissing, .parametersUnreadable, .jsonDamaged,
      .idfvMissing, .idfvDiffers, .idfaZeros, .keyMissing, .keyDiffers:
      "Requests"
    case .lastCallBeforeFirst, .lastCallWentBack, .firstCallChanged, .valueNeverAnswered, .previousNeverCurrent,
      .revenueShrank, .totalNotSum:
      "KeptState"
    case .fineChangedAfterP0, .windowTooEarly, .windowChangedLate, .lockOutsideWindow, .revenueOutsideWindow,
      .requestAfterWindows:
      "Windows"
    case .revenueTwice, .revenueMismatch, .answerNotShown:
      "Operations"
    case .answerUnusable:
      "Answers"
    case .keysBeyondIOS:
      "SnippetVersions"
    }
  }
}
