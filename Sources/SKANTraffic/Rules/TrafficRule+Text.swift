extension TrafficRule {
  /// What a breach is, a sentence.
  package var text: String {
    switch self {
    case .timeUnit:
      "A time is in the wrong unit: utime and the other times are seconds, umilisec is milliseconds."
    case .bundleCase:
      "The app's identifier i is not written alike everywhere; case matters, and no model is found for the "
        + "other spelling."
    case .plusInName:
      "n has a bare + at conversion_value, where the snippet writes spaces as %20: the server reads a space."
    case .parameterMissing:
      "A parameter is missing that the endpoint asks for. Its answer may be ok all the same."
    case .parameterForm:
      "A parameter has the wrong form or range."
    case .currentValueMissing:
      "conversion_value was asked without skan_current_conversion_value, as by a phone that was updated from "
        + "SKAN 3: it never gets a value."
    case .unknownParameter:
      "A parameter is in no documentation of the endpoint."
    case .parameterMisplaced:
      "A parameter belongs to another endpoint or platform."
    case .parameterRepeated:
      "A parameter stands in the request more than once."
    case .parametersUnreadable:
      "The parameters cannot be decoded: an escape is broken, or the bytes are not UTF-8."
    case .jsonBody:
      "The body is JSON, and the endpoint reads queries and forms."
    case .methodNotTaken:
      "The method is not one that the endpoint documents."
    case .plainHTTP:
      "The request went to Singular without encryption, with the SDK key and the device's identifiers."
    case .jsonDamaged:
      "The text of a JSON parameter was damaged on its way."
    case .truthValueForm:
      "A truth value is not true or false in small letters."
    case .localeForm:
      "lc is not language and country with an underscore."
    case .makeWithoutModel:
      "ma and mo belong together, and one of them is missing."
    case .amountWithoutCurrency:
      "amt and cur belong together, and one of them is missing."
    case .amountForm:
      "amt is not a decimal number with a point, or cur is not an ISO 4217 code in capitals."
    case .adRevenueIncomplete:
      "An event of ad revenue lacks what belongs to it."
    case .idfvMissing:
      "idfv is missing, empty or stands for nothing; it is always required."
    case .idfaZeros:
      "idfa is empty, all zeros or stands for nothing."
    case .idfaWithoutConsent:
      "idfa is there although att_authorization_status does not say that it may be."
    case .consentWithoutIDFA:
      "att_authorization_status is 3, and idfa is missing."
    case .keyMissing:
      "The SDK key a is missing or empty."
    case .keyDiffers:
      "The requests of one app have different SDK keys."
    case .addressChoice:
      "Of ip and use_ip there must be one, or country is missing beside use_ip=true."
    case .serverAddress:
      "use_ip=true takes the address of the request: from a server that is the server's own."
    case .privateAddress:
      "ip is an address that no device on the Internet has."
    case .sameAddress:
      "All devices have the same ip: it is likely to be the server's own."
    case .ipv6Address:
      "ip is an IPv6 address; Singular's pages do not agree whether it is taken."
    }
  }
}
