extension TrafficRule {
  /// How grave a breach is.
  package var level: Level {
    switch self {
    case .timeUnit, .bundleCase, .parameterMissing, .parameterForm, .currentValueMissing, .parametersUnreadable,
      .jsonBody, .methodNotTaken, .plainHTTP, .jsonDamaged, .truthValueForm, .amountWithoutCurrency, .amountForm,
      .idfvMissing, .idfaZeros, .idfaWithoutConsent, .keyMissing, .keyDiffers, .addressChoice, .privateAddress:
      .error
    case .plusInName, .parameterRepeated, .localeForm, .makeWithoutModel, .adRevenueIncomplete, .serverAddress,
      .sameAddress:
      .warning
    case .unknownParameter, .parameterMisplaced, .consentWithoutIDFA, .ipv6Address:
      .note
    }
  }

  /// What the rule rests on.
  package var basis: Basis {
    switch self {
    case .bundleCase, .jsonDamaged:
      .guide
    case .timeUnit, .parameterMissing, .parameterForm, .parameterMisplaced, .jsonBody, .methodNotTaken, .truthValueForm,
      .localeForm, .makeWithoutModel, .amountWithoutCurrency, .amountForm, .adRevenueIncomplete, .idfvMissing,
      .idfaZeros, .idfaWithoutConsent, .consentWithoutIDFA, .keyMissing, .addressChoice, .serverAddress,
      .privateAddress, .ipv6Address:
      .reference
    case .plusInName, .currentValueMissing:
      .device
    case .unknownParameter, .parameterRepeated, .parametersUnreadable, .plainHTTP, .keyDiffers, .sameAddress:
      .inferred
    }
  }

  /// The article of the behaviour reference that has the facts.
  package var article: String {
    switch self {
    case .timeUnit, .parameterMissing, .parameterForm, .unknownParameter, .parameterMisplaced, .parameterRepeated,
      .jsonBody, .methodNotTaken, .plainHTTP, .truthValueForm, .localeForm, .makeWithoutModel, .amountWithoutCurrency,
      .amountForm, .adRevenueIncomplete, .idfaWithoutConsent, .consentWithoutIDFA, .addressChoice, .serverAddress,
      .privateAddress, .sameAddress, .ipv6Address:
      "Endpoints"
    case .bundleCase, .plusInName, .currentValueMissing, .parametersUnreadable, .jsonDamaged, .idfvMissing, .idfaZeros,
      .keyMissing, .keyDiffers:
      "Requests"
    }
  }
}
