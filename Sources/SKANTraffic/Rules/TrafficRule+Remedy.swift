extension TrafficRule {
  /// What to do about it, a sentence or two.
  package var remedy: String {
    switch self {
    case .timeUnit:
      "Send utime with ten digits, umilisec with thirteen."
    case .bundleCase:
      "Send the bundle identifier as it is in the app."
    case .plusInName:
      "Use no + in names of events."
    case .parameterMissing:
      "Send it with every request."
    case .parameterForm:
      "Send it in the form that the message names; leave out what has no value."
    case .currentValueMissing:
      "See the article SnippetVersions: such a phone needs a value before its first update."
    case .unknownParameter:
      "Correct its name, or ignore this where it was agreed with Singular."
    case .parameterMisplaced:
      "Leave it out here."
    case .parameterRepeated:
      "Send it once."
    case .parametersUnreadable:
      "Build the query with a library."
    case .jsonBody:
      "Send the parameters as application/x-www-form-urlencoded."
    case .methodNotTaken:
      "Use GET for conversion_value, GET or POST for launch and evt of V1, POST for evt of V2."
    case .plainHTTP:
      "Use https."
    case .jsonDamaged:
      "Pass the text of the JSON, encoded once, and escape it once for the query."
    case .truthValueForm:
      "Write true or false; Python prints True."
    case .localeForm:
      "Send it as en_US."
    case .makeWithoutModel:
      "Send both or none."
    case .amountWithoutCurrency:
      "Send both or none."
    case .amountForm:
      "Format the amount independently of the locale."
    case .adRevenueIncomplete:
      "Send is_admon_revenue=true, is_revenue_event=true and ad_platform in e."
    case .idfvMissing:
      "Send identifierForVendor."
    case .idfaZeros:
      "Leave idfa out when there is none."
    case .idfaWithoutConsent:
      "Read both at the same moment, and send idfa with status 3 only."
    case .consentWithoutIDFA:
      "Send idfa when the user has agreed."
    case .keyMissing:
      "Send the SDK key, not the key of the Reporting API."
    case .keyDiffers:
      "Use one key in the app and on its server."
    case .addressChoice:
      "Send ip with the device's public address."
    case .serverAddress:
      "Send ip with the device's public address."
    case .privateAddress:
      "Take the client's address from the header that your proxy adds."
    case .sameAddress:
      "Send each device's public address; ignore this where all stand behind one router."
    case .ipv6Address:
      "Send the IPv4 address where there is one."
    }
  }
}
