extension TrafficRule {
  /// What an input must have so that the rule can be evaluated.
  package var needs: [TrafficNeed] {
    switch self {
    case .timeUnit, .unknownParameter, .parameterMisplaced, .parameterRepeated, .truthValueForm, .localeForm,
      .makeWithoutModel, .idfaWithoutConsent, .consentWithoutIDFA, .addressChoice, .serverAddress, .privateAddress,
      .ipv6Address:
      [.forwarded]
    case .bundleCase, .parameterMissing, .parameterForm, .parametersUnreadable, .jsonBody, .methodNotTaken, .plainHTTP,
      .jsonDamaged, .idfvMissing, .idfaZeros, .keyMissing:
      []
    case .amountWithoutCurrency, .amountForm, .adRevenueIncomplete:
      [.events]
    case .plusInName, .currentValueMissing:
      [.conversions]
    case .sameAddress:
      [.forwarded, .severalDevices]
    case .keyDiffers:
      [.keys]
    }
  }
}
