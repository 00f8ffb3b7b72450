import SKANTraffic

extension TrafficRule {
  /// What in the app or on its server is likely to break the rule.
  var cause: String {
    switch self {
    case .errorTakenAsDelivered: "The sender looks at the status code alone. The endpoints answer 200 for errors, too."
    case .failureNotRetried: "The sender gives up after one try, or its queue is kept in memory only and was lost."
    case .requestRefused: "A parameter that the endpoint insists on is missing or wrong; the reason names it."
    case .refusalRepeated: "The sender retries every error alike, also those that cannot go away."
    case .retryOvertaken: "Requests of one device go through several workers, or a retry goes to the end of the queue."
    case .duplicateRequest: "The sender's time-out is shorter than the answer took, or the app reports an event twice."
    case .conversionError: "The endpoint refused the update: a missing model, an invalid parameter, a closed window."
    case .answerUnusable:
      "The endpoint writes a string, null, a fraction or a number out of range where a whole number belongs."
    case .eventBeforeSession: "The app reports events before its first session has been sent and answered."
    case .installRepeated: "The flag is set at each launch instead of the first after the install."
    case .timeWentBack:
      "Several workers send at once, requests wait in different queues, or the device's clock was set back."
    case .timeUnit: "Milliseconds are sent where seconds belong, or the other way round."
    case .timeAhead:
      "A local time is taken for UTC, an offset is added twice, or the clock of the phone or the server is ahead."
    case .bundleCase: "The identifier is typed by hand on the server, or written in small letters on its way."
    case .eventNameCase: "The name is typed twice, in the app and on the server."
    case .sessionNameMisplaced: "The code for events is reused for sessions."
    case .plusInName: "Names are encoded as a form, where a space is a plus; or an event has a + in its name."
    case .eventNotUpdated: "The app reports to its server without calling the snippet's update."
    case .eventNotForwarded: "The app calls the update, and its server drops or batches the report."
    case .reportedBeforeUpdated:
      "The app tells its server first and calls the snippet's update afterwards, or it takes the report of the first "
        + "launch for that of the first session."
    case .parameterMissing: "The server leaves out what it does not know of the device."
    case .parameterForm: "A value is passed on in the form of another system."
    case .currentValueMissing: "The phone was updated from SKAN 3: register did nothing, so no first value was written."
    case .unknownParameter: "A typing mistake, or a parameter of another partner's interface."
    case .parameterMisplaced: "One set of parameters is sent to both endpoints, or one of Android on iOS."
    case .parameterRepeated: "Parameters are added to an address that has them already."
    case .parametersUnreadable:
      "The query is put together as a string, with bytes that are not escaped, or escaped by halves."
    case .jsonBody: "The server posts JSON, as most interfaces want it."
    case .methodNotTaken: "A client's default method, or a health check at the endpoint."
    case .plainHTTP: "The address is written with http, or TLS ends at a proxy that goes on without it."
    case .jsonDamaged:
      "The text of a dictionary was escaped twice, or printed by a language instead of written as JSON."
    case .truthValueForm: "Python and other languages print True, and some send 1."
    case .localeForm: "Apple's locale identifier has a hyphen, or only the language is sent."
    case .makeWithoutModel: "Only one of both is known to the server."
    case .amountWithoutCurrency: "The amount comes from one system and the currency from another."
    case .amountForm:
      "The amount is formatted by the locale, with a comma or separators, or the currency in small letters."
    case .adRevenueIncomplete: "An event of ad revenue is sent like a purchase."
    case .revenueTwice: "updateRevenue is called again when the update is retried, or the store's callback comes twice."
    case .revenueMismatch: "The app and the server know different amounts, before and after tax or in two currencies."
    case .idfvMissing: "identifierForVendor was nil when it was read, or the server does not pass it on."
    case .idfvDiffers:
      "The server sends an identifier of its own, such as a user's, or one that it kept from an earlier install."
    case .idfaZeros: "Without consent the system gives zeros, and they are passed on."
    case .idfaWithoutConsent: "The identifier is kept from before, or the status is read at another time."
    case .consentWithoutIDFA: "The server passes the status on and not the identifier."
    case .keyMissing: "The key is not configured in this environment."
    case .keyDiffers: "Test and production are mixed, or one side has the key of another account."
    case .addressChoice: "The server sends both or neither, or use_ip=true without the country."
    case .serverAddress: "use_ip=true was taken over from a client's integration."
    case .privateAddress: "The address is that of a proxy or load balancer in front of the server."
    case .sameAddress: "The address is that of the server's own way out."
    case .ipv6Address: "The device has an IPv6 address."
    case .metadataMissing: "The app does not pass getSkanDetails to its server, or the server drops it."
    case .metadataIncomplete: "The server passes on a fixed list of entries, or drops the dictionaries."
    case .metadataNames: "The server's code is for the other version of the snippet."
    case .metadataStale: "The app reads getSkanDetails right after it starts the update, as the guides' sample does."
    case .lastCallBeforeFirst: "The two are swapped, or the phone's clock was set back."
    case .lastCallWentBack: "Old metadata is sent late, or the phone's clock was set back."
    case .firstCallChanged: "The app writes the first call at each launch."
    case .fineChangedAfterP0: "A snippet of one's own writes the fine value in every window."
    case .valueNeverAnswered:
      "A snippet of one's own computes values itself, or an answer was applied to another device."
    case .previousNeverCurrent: "A snippet of one's own writes the previous value wrongly."
    case .windowTooEarly: "A snippet of one's own takes the window from the answer's index or from the install's date."
    case .windowChangedLate: "A snippet of one's own writes to the window of the request instead of that of the answer."
    case .lockOutsideWindow: "The time of the lock is in another unit or zone, or is that of the window's end."
    case .revenueOutsideWindow: "A snippet of one's own adds to a fixed window."
    case .revenueShrank: "The sum is overwritten by the last amount, or lost with a cache."
    case .totalNotSum: "Revenue came before register, after the third window, or from the time of SKAN 3."
    case .keysBeyondIOS: "The version of iOS is a constant, or that of another device."
    case .answerNotShown: "The app does not apply the answer, or its handler crashed before the values were kept."
    case .requestAfterWindows: "A snippet of one's own does not check the window, or counts from another start."
    }
  }
}
