extension TrafficRule {
  /// What to do about it, a sentence or two.
  package var remedy: String {
    switch self {
    case .errorTakenAsDelivered:
      "Read the body of the answer: only status ok in it means that the data arrived. Send the request again "
        + "after 1, 2, 4, 8 and 16 s."
    case .failureNotRetried:
      "Send it again after 1, 2, 4, 8 and 16 s, and keep later requests of the device behind it."
    case .requestRefused:
      "Correct what the reason names; sending the same again is of no use."
    case .refusalRepeated:
      "Do not send again after missing argument, invalid platform, no device ID supplied or should have an … param."
    case .retryOvertaken:
      "Keep one queue a device, and let it wait while a request of it is tried again."
    case .duplicateRequest:
      "Send each once. Mark it as sent when the answer says ok, not when the request is made."
    case .conversionError:
      "See the reason; the article Endpoints lists the documented ones."
    case .answerUnusable:
      "Answer with whole numbers: conversion_value 0 to 63, skan_updated_coarse_value 0 to 2."
    case .eventBeforeSession:
      "Report the session first and wait for its answer."
    case .installRepeated:
      "Send install=true with the first session after an install only, and false after it."
    case .timeWentBack:
      "Send the requests of a device one after the other, in order of time."
    case .timeUnit:
      "Send utime with ten digits, umilisec with thirteen."
    case .timeAhead:
      "Send the time at which it happened, in Unix seconds of UTC; a phone's clock that is ahead does this, too."
    case .bundleCase:
      "Send the bundle identifier as it is in the app."
    case .eventNameCase:
      "Take the name from one constant for both calls."
    case .sessionNameMisplaced:
      "Report sessions to launch, without n or with the name of the app."
    case .plusInName:
      "Use no + in names of events."
    case .eventNotUpdated:
      "Call the update for each session and event that the server reports, with the same name."
    case .eventNotForwarded:
      "Report each session to launch and each event to evt."
    case .reportedBeforeUpdated:
      "Call the update first, and report with what getSkanDetails gives in its completion handler."
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
      "Write amt with a decimal point and cur in capitals, whatever the locale, and pass the same code to updateRevenue."
    case .adRevenueIncomplete:
      "Send is_admon_revenue=true, is_revenue_event=true and ad_platform in e."
    case .revenueTwice:
      "Call updateRevenue and report the event once for each transaction, not again when something is tried again."
    case .revenueMismatch:
      "Call updateRevenue with the same amount and currency before the update, and read getSkanDetails after it."
    case .idfvMissing:
      "Send identifierForVendor."
    case .idfvDiffers:
      "Pass the identifierForVendor that the app sends to the server, and send it unchanged."
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
    case .metadataMissing:
      "Attach what getSkanDetails returns to every session and event."
    case .metadataIncomplete:
      "Attach all entries of getSkanDetails, dictionaries as JSON text."
    case .metadataNames:
      "SKAN 4 forwards the entries under their own names, SKAN 3 its three values under skan_conversion_value, "
        + "skan_first_call_timestamp and skan_last_call_timestamp."
    case .metadataStale:
      "Read getSkanDetails once the values are kept. The guides' SKAN 4 code calls the handler before it keeps them: in "
        + "skanResultHandler call valuesHasBeenUpdated first and then the handler, and read in the handler."
    case .lastCallBeforeFirst:
      "Do not swap the two; a clock that was set back does this, too."
    case .lastCallWentBack:
      "Forward the metadata of the moment; a clock that was set back does this, too."
    case .firstCallChanged:
      "Write the first call once, in register."
    case .fineChangedAfterP0:
      "Do not write the fine value after two days; the snippet does not."
    case .valueNeverAnswered:
      "Keep only what the answer says."
    case .previousNeverCurrent:
      "Keep the current value as the previous one before the new one is written."
    case .windowTooEarly:
      "Tell the window from the first call: 2, 7 and 35 days after it they end."
    case .windowChangedLate:
      "Write only the values of the window that is open."
    case .lockOutsideWindow:
      "Write the time of the update that locked, in the window that is open."
    case .revenueOutsideWindow:
      "Add revenue to the window that is open, and after the last to none."
    case .revenueShrank:
      "Add to what is stored, and do not write it anew."
    case .totalNotSum:
      "Register before the first revenue; a phone that was updated from SKAN 3 keeps such a difference."
    case .keysBeyondIOS:
      "Send the version of iOS that the phone has."
    case .answerNotShown:
      "Apply every conversion_value, also those in answers of launch and evt; wait for the completion handler."
    case .requestAfterWindows:
      "Stop after 35 days, with SKAN 3 24 hours after the last call."
    }
  }
}
