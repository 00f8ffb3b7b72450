extension TrafficRule {
  /// What an input must have so that the rule can be evaluated.
  package var needs: [TrafficNeed] {
    switch self {
    case .bundleCase, .parameterMissing, .parameterForm, .parametersUnreadable, .jsonBody, .methodNotTaken, .plainHTTP,
      .jsonDamaged, .idfvMissing, .idfaZeros, .keyMissing, .lastCallBeforeFirst, .lastCallWentBack, .firstCallChanged,
      .fineChangedAfterP0, .windowTooEarly, .windowChangedLate, .lockOutsideWindow, .revenueShrank, .keysBeyondIOS:
      []
    case .installRepeated, .timeWentBack, .timeUnit, .sessionNameMisplaced, .unknownParameter, .parameterMisplaced,
      .parameterRepeated, .truthValueForm, .localeForm, .makeWithoutModel, .idfaWithoutConsent, .consentWithoutIDFA,
      .addressChoice, .serverAddress, .privateAddress, .ipv6Address, .metadataMissing:
      [.forwarded]
    case .timeAhead:
      [.forwarded, .times]
    case .errorTakenAsDelivered, .failureNotRetried, .requestRefused, .refusalRepeated, .retryOvertaken,
      .duplicateRequest:
      [.answers, .forwarded]
    case .amountWithoutCurrency, .amountForm, .adRevenueIncomplete, .revenueTwice, .revenueMismatch:
      [.events]
    case .conversionError, .valueNeverAnswered, .previousNeverCurrent, .answerNotShown:
      [.answers, .conversions]
    case .eventNameCase, .metadataIncomplete, .metadataNames, .metadataStale:
      [.bothSides]
    case .eventNotUpdated, .eventNotForwarded, .reportedBeforeUpdated:
      [.bothSides, .links]
    case .idfvDiffers:
      [.conversions, .forwarded]
    case .plusInName, .currentValueMissing:
      [.conversions]
    case .revenueOutsideWindow, .totalNotSum:
      [.times]
    case .answerUnusable:
      [.answers]
    case .requestAfterWindows:
      [.conversions, .times]
    case .eventBeforeSession:
      [.events, .links]
    case .sameAddress:
      [.forwarded, .severalDevices]
    case .keyDiffers:
      [.keys]
    }
  }
}
