extension TrafficRule {
  /// What a breach is, a sentence.
  package var text: String {
    switch self {
    case .errorTakenAsDelivered:
      "launch or evt answered 200 with an error, and the request was not sent again: the data is lost."
    case .failureNotRetried:
      "launch or evt did not answer, or answered 429 or 5xx, and the request was not sent again."
    case .requestRefused:
      "launch or evt refused the request for good."
    case .refusalRepeated:
      "A request that was refused for good was sent again as it was."
    case .retryOvertaken:
      "A later request of the device was sent before the one that failed was sent again."
    case .duplicateRequest:
      "A session or an event was sent again after it had been taken; Singular does not remove duplicates."
    case .conversionError:
      "conversion_value answered with an error: the app gets no value."
    case .answerUnusable:
      "An answer holds a value of a form or range that the app cannot take: the snippet crashes, keeps nonsense "
        + "or never updates again."
    case .eventBeforeSession:
      "An event was reported before any session of the device."
    case .installRepeated:
      "A second session of an install says install=true."
    case .timeWentBack:
      "A session or an event has an earlier time than the request of the device before it."
    case .timeUnit:
      "A time is in the wrong unit: utime and the other times are seconds, umilisec is milliseconds."
    case .timeAhead:
      "A session or an event has a time after that at which it was reported."
    case .bundleCase:
      "The app's identifier i is not written alike everywhere; case matters, and no model is found for the "
        + "other spelling."
    case .eventNameCase:
      "An event has one name at conversion_value and another case at evt: the model does not find it."
    case .sessionNameMisplaced:
      "__SESSION__, or the name of an event, stands where another name belongs: at launch n is the app's name, "
        + "and a session is no event."
    case .plusInName:
      "n has a bare + at conversion_value, where the snippet writes spaces as %20: the server reads a space."
    case .eventNotUpdated:
      "A session or an event was reported, and conversion_value was not asked with it."
    case .eventNotForwarded:
      "conversion_value was asked with a session or an event that the server did not report."
    case .reportedBeforeUpdated:
      "A session or an event was reported seconds before conversion_value was asked with it: what was forwarded is from "
        + "before the update."
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
    case .revenueTwice:
      "Revenue was counted twice: its transaction came again, or the total grew by twice its amount."
    case .revenueMismatch:
      "The amount of an event and the growth of the phone's total differ."
    case .idfvMissing:
      "idfv is missing, empty or stands for nothing; it is always required."
    case .idfvDiffers:
      "Two devices differ in idfv alone and have one life: probably the same phone, which the app and its server "
        + "name differently."
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
    case .metadataMissing:
      "A session or an event was reported without the metadata of the device."
    case .metadataIncomplete:
      "The metadata lacks an entry that the phone has."
    case .metadataNames:
      "The metadata has the names of another version of the snippet."
    case .metadataStale:
      "The metadata is that from before the answer to the update."
    case .lastCallBeforeFirst:
      "The last call to SKAdNetwork is before the first."
    case .lastCallWentBack:
      "The last call to SKAdNetwork is earlier than it was."
    case .firstCallChanged:
      "The first call to SKAdNetwork changed, and the rest was kept: no new install does that."
    case .fineChangedAfterP0:
      "The fine value changed after the first window."
    case .valueNeverAnswered:
      "The phone has a value that no answer gave."
    case .previousNeverCurrent:
      "A previous value is one that was never the current one."
    case .windowTooEarly:
      "There is a coarse value of a window that had not begun at the last call."
    case .windowChangedLate:
      "A coarse value changed after its window."
    case .lockOutsideWindow:
      "A window was locked at a time outside it, or after the last call."
    case .revenueOutsideWindow:
      "The revenue of a window grew outside it."
    case .revenueShrank:
      "A sum of revenue is lower than it was or gone, and no refund was reported."
    case .totalNotSum:
      "The total is not the sum of the windows' revenue."
    case .keysBeyondIOS:
      "There are entries that the snippet cannot have written on this iOS: below 15.4 it writes none but revenue."
    case .answerNotShown:
      "An answer gave a value that the device's next request does not show."
    case .requestAfterWindows:
      "conversion_value was asked after the windows: the snippet sends nothing then."
    }
  }
}
