import SKANDevice

/// A rule of traffic; see the article "Checking traffic". The raw value is its stable id in outputs.
package enum TrafficRule: String, CaseIterable, Sendable {
  // How a sender handles an answer.
  case errorTakenAsDelivered = "error-taken-as-delivered"
  case failureNotRetried = "failure-not-retried"
  case requestRefused = "request-refused"
  case refusalRepeated = "refusal-repeated"
  case retryOvertaken = "retry-overtaken"
  case duplicateRequest = "duplicate-request"
  case conversionError = "conversion-error"
  case answerUnusable = "answer-unusable"

  // Order and time.
  case eventBeforeSession = "event-before-session"
  case installRepeated = "install-repeated"
  case timeWentBack = "time-went-back"
  case timeUnit = "time-unit"
  case timeAhead = "time-ahead"

  // Names.
  case bundleCase = "bundle-case"
  case eventNameCase = "event-name-case"
  case sessionNameMisplaced = "session-name-misplaced"
  case plusInName = "plus-in-name"
  case eventNotUpdated = "event-not-updated"
  case sessionNotUpdated = "session-not-updated"
  case eventNotForwarded = "event-not-forwarded"
  case reportedBeforeUpdated = "reported-before-updated"

  // Form of the request.
  case parameterMissing = "parameter-missing"
  case parameterForm = "parameter-form"
  case guidePlaceholder = "guide-placeholder"
  case serverParameterMissing = "server-parameter-missing"
  case currentValueMissing = "current-value-missing"
  case unknownParameter = "unknown-parameter"
  case parameterMisplaced = "parameter-misplaced"
  case parameterRepeated = "parameter-repeated"
  case parametersUnreadable = "parameters-unreadable"
  case jsonBody = "json-body"
  case bodySent = "body-sent"
  case methodNotTaken = "method-not-taken"
  case plainHTTP = "plain-http"
  case jsonDamaged = "json-damaged"
  case truthValueForm = "truth-value-form"
  case localeForm = "locale-form"
  case makeWithoutModel = "make-without-model"

  // Revenue.
  case amountWithoutCurrency = "amount-without-currency"
  case amountForm = "amount-form"
  case adRevenueIncomplete = "ad-revenue-incomplete"
  case currencyForm = "currency-form"
  case totalMissing = "total-missing"
  case revenueTwice = "revenue-twice"
  case revenueMismatch = "revenue-mismatch"

  // Identity.
  case idfvMissing = "idfv-missing"
  case idfvDiffers = "idfv-differs"
  case idfaZeros = "idfa-zeros"
  case idfaWithoutConsent = "idfa-without-consent"
  case consentWithoutIDFA = "consent-without-idfa"
  case keyMissing = "key-missing"
  case keyDiffers = "key-differs"

  // The device's address.
  case addressChoice = "address-choice"
  case serverAddress = "server-address"
  case privateAddress = "private-address"
  case sameAddress = "same-address"
  case ipv6Address = "ipv6-address"

  // Forwarded metadata.
  case metadataMissing = "metadata-missing"
  case metadataIncomplete = "metadata-incomplete"
  case metadataNames = "metadata-names"
  case metadataStale = "metadata-stale"

  // What a phone can keep.
  case lastCallBeforeFirst = "last-call-before-first"
  case lastCallWentBack = "last-call-went-back"
  case firstCallChanged = "first-call-changed"
  case fineChangedAfterP0 = "fine-changed-after-p0"
  case valueNeverAnswered = "value-never-answered"
  case previousNeverCurrent = "previous-never-current"
  case windowTooEarly = "window-too-early"
  case windowChangedLate = "window-changed-late"
  case lockOutsideWindow = "lock-outside-window"
  case revenueOutsideWindow = "revenue-outside-window"
  case revenueShrank = "revenue-shrank"
  case totalNotSum = "total-not-sum"
  case keysBeyondIOS = "keys-beyond-ios"
  case answerNotShown = "answer-not-shown"
  case staleRequest = "stale-request"
  case requestAfterWindows = "request-after-windows"

  /// The severity of a breach.
  package enum Level: String, CaseIterable, Sendable {
    /// Data is lost or wrong.
    case error
    /// The request is likely to be a mistake.
    case warning
    /// Worth knowing.
    case note
  }

  /// The basis of a rule.
  package enum Basis: String, CaseIterable, Sendable {
    case guide, reference, device, inferred

    package var meaning: String {
      switch self {
      case .guide: "Singular's guides for the snippet"
      case .reference: "Singular's reference of the endpoints"
      case .device: "what a phone can and cannot do"
      case .inferred: "a conclusion that is not in any document"
      }
    }
  }

  /// The id in outputs.
  package var id: String { rawValue }

  /// The severity of a breach.
  package var level: Level { row.level }

  package var basis: Basis { row.basis }

  /// The article of the manual with the facts.
  package var article: String { row.article }

  /// The properties that an input needs for the rule to be evaluated.
  package var needs: [TrafficNeed] { row.needs }

  /// A sentence that describes a breach.
  package var text: String { row.text }

  /// The remedy in one or two sentences.
  package var remedy: String { row.remedy }
}

/// The table of the rules, with a row for each.
extension TrafficRule {
  /// The properties of a rule.
  struct Row {
    let level: Level
    let basis: Basis
    let article: String
    let needs: [TrafficNeed]
    let text: String
    let remedy: String

    init(
      _ level: Level, _ basis: Basis, _ article: String, needs: [TrafficNeed] = [], _ text: String, remedy: String
    ) {
      self.level = level
      self.basis = basis
      self.article = article
      self.needs = needs
      self.text = text
      self.remedy = remedy
    }
  }

  var row: Row {
    switch self {
    case .errorTakenAsDelivered:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "launch or evt answered 200 with an error, and the request was not sent again: the data is lost.",
        remedy: "Read the body of the answer: only status ok in it means that the data arrived. Send the request again "
          + "after 1, 2, 4, 8 and 16 s.")
    case .failureNotRetried:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "launch or evt did not answer, or answered 429 or 5xx, and the request was not sent again.",
        remedy: "Send it again after 1, 2, 4, 8 and 16 s, and keep later requests of the device behind it.")
    case .requestRefused:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "launch or evt refused the request for good.",
        remedy: "Correct what the reason names; sending the same request again cannot help.")
    case .refusalRepeated:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A request that was refused for good was sent again as it was.",
        remedy: "Do not send a request again after missing argument, invalid platform, no device ID supplied or should "
          + "have an … param.")
    case .retryOvertaken:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A later request of the device was sent before the one that failed was sent again.",
        remedy: "Keep one queue per device, and let it wait while one of its requests is retried.")
    case .duplicateRequest:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A session or an event was sent again after it had been accepted; Singular does not remove duplicates.",
        remedy: "Send each once. Mark it as sent when the answer says ok, not when the request is made.")
    case .conversionError:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .conversions],
        "conversion_value answered with an error: the app gets no value.",
        remedy: "See the reason; the article Endpoints lists the documented ones.")
    case .answerUnusable:
      Row(
        .error, .device, "Answers", needs: [.answers],
        "An answer has a value whose form or range the app cannot handle: the snippet crashes, keeps nonsense or never "
          + "updates again.",
        remedy: "Answer with whole numbers: conversion_value 0 to 63, skan_updated_coarse_value 0 to 2.")
    case .eventBeforeSession:
      Row(
        .error, .reference, "Endpoints", needs: [.events, .links],
        "An event was reported before any session of the device.",
        remedy: "Report the session first and wait for its answer.")
    case .installRepeated:
      Row(
        .warning, .reference, "Endpoints", needs: [.forwarded],
        "A second session of an install says install=true.",
        remedy: "Send install=true with the first session after an install only, and false after it.")
    case .timeWentBack:
      Row(
        .error, .reference, "Endpoints", needs: [.forwarded],
        "A session or an event has an earlier time than the previous request of the device.",
        remedy: "Send the requests of a device one after the other, in order of time.")
    case .timeUnit:
      Row(
        .error, .reference, "Endpoints",
        "A time is in the wrong unit: utime and the other times are seconds, umilisec is milliseconds.",
        remedy: "Send utime with ten digits, umilisec with thirteen.")
    case .timeAhead:
      Row(
        .error, .inferred, "Endpoints", needs: [.forwarded, .times],
        "The time of a session or an event is later than the time at which it was reported.",
        remedy: "Send the time at which it happened, in Unix seconds of UTC; a phone's clock that is ahead causes "
          + "this, too.")
    case .bundleCase:
      Row(
        .error, .guide, "Requests",
        "The app's identifier i is not spelled the same everywhere; case matters, and no model is found for the other "
          + "spelling.",
        remedy: "Send the bundle identifier as it is in the app.")
    case .eventNameCase:
      Row(
        .error, .guide, "Requests", needs: [.bothSides],
        "The case of an event's name differs between conversion_value and evt: the model does not find it.",
        remedy: "Take the name from one constant for both calls.")
    case .sessionNameMisplaced:
      Row(
        .warning, .inferred, "Endpoints", needs: [.forwarded],
        "__SESSION__ or the name of an event is in the wrong place: at launch, n is the app's name, and a session is "
          + "not an event.",
        remedy: "Report sessions to launch, without n or with the name of the app.")
    case .plusInName:
      Row(
        .warning, .device, "Requests",
        "n has a bare + at conversion_value, where the snippet writes spaces as %20: the server reads a space.",
        remedy: "Do not use + in event names.")
    case .eventNotUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session or an event was reported, but conversion_value was not asked for it.",
        remedy: "Call the update for each session and event that the server reports, with the same name.")
    case .sessionNotUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session was reported, but conversion_value was not asked at its start, only later for an event.",
        remedy: "Call the update without a name at the start of each session but the first launch, and then report "
          + "the session.")
    case .eventNotForwarded:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "conversion_value was asked for a session or an event that the server did not report.",
        remedy: "Report each session to launch and each event to evt.")
    case .reportedBeforeUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session or an event was reported seconds before conversion_value was asked for it: the forwarded data is "
          + "from before the update.",
        remedy: "Call the update first, and report with what getSkanDetails returns in its completion handler.")
    case .parameterMissing:
      Row(
        .error, .reference, "Endpoints",
        "A parameter is missing that the endpoint asks for. Its answer may still be ok.",
        remedy: "Send it with every request.")
    case .parameterForm:
      Row(
        .error, .reference, "Endpoints",
        "A parameter has the wrong form or range.",
        remedy: "Send it in the form that the message names; leave out what has no value.")
    case .guidePlaceholder:
      Row(
        .error, .guide, "Requests",
        "A parameter has the placeholder of a guide's sample: with such an idfv all users are one device.",
        remedy: "Put in the app's own values: SDK key, bundle identifier, version, identifierForVendor.")
    case .serverParameterMissing:
      Row(
        .error, .guide, "Requests", needs: [.client],
        "A server asked conversion_value without a coarse value that the reference requires.",
        remedy: "Send p1_coarse and p2_coarse with every request of iOS 16.1 or later.")
    case .currentValueMissing:
      Row(
        .error, .device, "Requests",
        "conversion_value was asked without skan_current_conversion_value, as by a phone that was updated from SKAN 3. "
          + "Such a phone never gets a value.",
        remedy: "See the article SnippetVersions: such a phone needs a value before its first update.")
    case .unknownParameter:
      Row(
        .note, .inferred, "Endpoints",
        "The documentation of the endpoint does not mention a parameter.",
        remedy: "Correct its name, or ignore this if it was agreed with Singular.")
    case .parameterMisplaced:
      Row(
        .note, .reference, "Endpoints",
        "A parameter belongs to another endpoint or platform.",
        remedy: "Leave it out here.")
    case .parameterRepeated:
      Row(
        .warning, .inferred, "Endpoints",
        "The request has a parameter more than once.",
        remedy: "Send it once.")
    case .parametersUnreadable:
      Row(
        .error, .inferred, "Requests",
        "The parameters cannot be decoded: an escape is broken, or the bytes are not UTF-8.",
        remedy: "Build the query with a library.")
    case .jsonBody:
      Row(
        .error, .reference, "Endpoints",
        "The body is JSON, which no endpoint reads.",
        remedy: "Send the parameters in the query; to launch and evt also as application/x-www-form-urlencoded.")
    case .bodySent:
      Row(
        .error, .guide, "Requests",
        "conversion_value was asked with a body: it reads the query alone.",
        remedy: "Send all parameters in the query of a GET without a body.")
    case .methodNotTaken:
      Row(
        .error, .reference, "Endpoints",
        "The method is not one that the endpoint documents.",
        remedy: "Use GET for conversion_value, GET or POST for launch and evt of V1, POST for evt of V2.")
    case .plainHTTP:
      Row(
        .error, .inferred, "Endpoints",
        "The request went to Singular without encryption, with the SDK key and the device's identifiers.",
        remedy: "Use https.")
    case .jsonDamaged:
      Row(
        .error, .guide, "Requests",
        "The text of a JSON parameter was damaged on its way.",
        remedy: "Pass the text of the JSON, encoded once, and escape it once for the query.")
    case .truthValueForm:
      Row(
        .error, .reference, "Endpoints",
        "A Boolean is not true or false in lower case.",
        remedy: "Write true or false; Python prints True.")
    case .localeForm:
      Row(
        .warning, .reference, "Endpoints",
        "lc is not language and country with an underscore.",
        remedy: "Send it as en_US.")
    case .makeWithoutModel:
      Row(
        .warning, .reference, "Endpoints",
        "ma and mo belong together, and one of them is missing.",
        remedy: "Send both or none.")
    case .amountWithoutCurrency:
      Row(
        .error, .reference, "Endpoints",
        "amt and cur belong together, and one of them is missing.",
        remedy: "Send both or none.")
    case .amountForm:
      Row(
        .error, .reference, "Endpoints",
        "amt is not a decimal number with a point, or cur is not an ISO 4217 code in capitals.",
        remedy: "Write amt with a decimal point and cur in capitals, whatever the locale, and pass the same code to "
          + "updateRevenue.")
    case .adRevenueIncomplete:
      Row(
        .warning, .reference, "Endpoints",
        "An ad revenue event lacks parameters that it needs.",
        remedy: "Send is_admon_revenue=true, is_revenue_event=true and ad_platform in e.")
    case .currencyForm:
      Row(
        .warning, .reference, "Requests",
        "A revenue total has a currency that is not an ISO 4217 code in capitals: models and rates do not find it.",
        remedy: "Pass the code in capitals to updateRevenue; usd and USD are two sums.")
    case .totalMissing:
      Row(
        .error, .guide, "Requests", needs: [.client, .model],
        "A server asked conversion_value without the revenue total that the app's model counts: every value is the one "
          + "for no revenue.",
        remedy: "Send skan_total_revenue_by_currency for models of purchases, skan_total_admon_revenue_by_currency for "
          + "models of ads, and both for models of all revenue.")
    case .revenueTwice:
      Row(
        .error, .inferred, "Operations", needs: [.events],
        "Revenue was counted twice: its transaction came again, or the total grew by twice its amount.",
        remedy: "Call updateRevenue and report the event once for each transaction, and not again on a retry.")
    case .revenueMismatch:
      Row(
        .warning, .inferred, "Operations", needs: [.events],
        "The amount of an event and the growth of the phone's total differ.",
        remedy: "Call updateRevenue with the same amount and currency before the update, and read getSkanDetails after "
          + "it.")
    case .idfvMissing:
      Row(
        .error, .reference, "Requests",
        "idfv is missing, empty or a placeholder; it is always required.",
        remedy: "Send identifierForVendor.")
    case .idfvDiffers:
      Row(
        .warning, .inferred, "Requests", needs: [.conversions, .forwarded],
        "Two devices differ only in idfv and have the same history: probably one phone, which the app and its server "
          + "name differently.",
        remedy: "Pass the identifierForVendor that the app sends to the server, and send it unchanged.")
    case .idfaZeros:
      Row(
        .error, .reference, "Requests",
        "idfa is empty, all zeros or a placeholder.",
        remedy: "Leave idfa out when there is none.")
    case .idfaWithoutConsent:
      Row(
        .error, .reference, "Endpoints",
        "idfa is present although att_authorization_status does not allow it.",
        remedy: "Read both at the same moment, and send idfa with status 3 only.")
    case .consentWithoutIDFA:
      Row(
        .note, .reference, "Endpoints",
        "att_authorization_status is 3, and idfa is missing.",
        remedy: "Send idfa when the user has agreed.")
    case .keyMissing:
      Row(
        .error, .reference, "Requests",
        "The SDK key a is missing or empty.",
        remedy: "Send the SDK key, not the key of the Reporting API.")
    case .keyDiffers:
      Row(
        .error, .inferred, "Requests", needs: [.keys],
        "The requests of one app have different SDK keys.",
        remedy: "Use one key in the app and on its server.")
    case .addressChoice:
      Row(
        .error, .reference, "Endpoints",
        "Exactly one of ip and use_ip is required, or country is missing beside use_ip=true.",
        remedy: "Send ip with the device's public address.")
    case .serverAddress:
      Row(
        .warning, .reference, "Endpoints",
        "use_ip=true uses the address of the sender: in a request from a server, that is the server's own.",
        remedy: "Send ip with the device's public address.")
    case .privateAddress:
      Row(
        .error, .reference, "Endpoints",
        "ip is an address that no device on the Internet has.",
        remedy: "Take the client's address from the header that your proxy adds.")
    case .sameAddress:
      Row(
        .warning, .inferred, "Endpoints", needs: [.forwarded, .severalDevices],
        "All devices have the same ip: it is likely to be the server's own.",
        remedy: "Send each device's public address; ignore this if all of them are behind one router.")
    case .ipv6Address:
      Row(
        .note, .reference, "Endpoints",
        "ip is an IPv6 address; Singular's pages disagree about whether it is accepted.",
        remedy: "Send the IPv4 address where there is one.")
    case .metadataMissing:
      Row(
        .error, .guide, "Endpoints", needs: [.forwarded],
        "A session or an event was reported without the metadata of the device.",
        remedy: "Attach what getSkanDetails returns to every session and event.")
    case .metadataIncomplete:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides],
        "The metadata lacks an entry that the phone has.",
        remedy: "Attach all entries of getSkanDetails, dictionaries as JSON text.")
    case .metadataNames:
      Row(
        .error, .guide, "Endpoints", needs: [.bothSides],
        "The metadata has the names of another version of the snippet.",
        remedy: "SKAN 4 forwards the entries under their own names, SKAN 3 its three values under "
          + "skan_conversion_value, skan_first_call_timestamp and skan_last_call_timestamp.")
    case .metadataStale:
      Row(
        .warning, .inferred, "Endpoints", needs: [.bothSides],
        "The metadata is from before the answer to the update.",
        remedy:
          "Read getSkanDetails once the values are kept. The guides' SKAN 4 code calls the handler before it keeps "
          + "them: in skanResultHandler call valuesHasBeenUpdated first and then the handler, and read in the handler.")
    case .lastCallBeforeFirst:
      Row(
        .error, .device, "KeptState",
        "The last call to SKAdNetwork is before the first.",
        remedy: "Do not swap the two; a clock that was set back causes this, too.")
    case .lastCallWentBack:
      Row(
        .warning, .device, "KeptState",
        "The last call to SKAdNetwork is earlier than before.",
        remedy: "Forward the current metadata; a clock that was set back causes this, too.")
    case .firstCallChanged:
      Row(
        .error, .device, "KeptState",
        "The first call to SKAdNetwork changed, but the rest stayed: a new install does not cause that.",
        remedy: "Write the first call once, in register.")
    case .fineChangedAfterP0:
      Row(
        .error, .device, "Windows",
        "The fine value changed after the first window.",
        remedy: "Do not write the fine value after two days; the snippet does not.")
    case .valueNeverAnswered:
      Row(
        .error, .device, "KeptState", needs: [.answers, .conversions],
        "The phone has a value that no answer gave.",
        remedy: "Keep only what the answer says.")
    case .previousNeverCurrent:
      Row(
        .error, .device, "KeptState", needs: [.answers, .conversions],
        "A previous value is one that was never the current one.",
        remedy: "Keep the current value as the previous one before the new one is written.")
    case .windowTooEarly:
      Row(
        .error, .device, "Windows", needs: [.client],
        "There is a coarse value for a window that had not begun at the last call.",
        remedy: "Derive the window from the first call: the windows end 2, 7 and 35 days after it.")
    case .windowChangedLate:
      Row(
        .error, .device, "Windows",
        "A coarse value changed after its window.",
        remedy: "Write only the values of the window that is open.")
    case .lockOutsideWindow:
      Row(
        .error, .device, "Windows",
        "A window was locked at a time outside it, or after the last call.",
        remedy: "Write the time of the update that locked, in the window that is open.")
    case .revenueOutsideWindow:
      Row(
        .error, .device, "Windows", needs: [.times],
        "The revenue of a window grew outside it.",
        remedy: "Add revenue to the window that is open, and to none after the last window.")
    case .revenueShrank:
      Row(
        .warning, .device, "KeptState",
        "A sum of revenue is lower than before or missing, and no refund was reported.",
        remedy: "Add to what is stored; do not overwrite it.")
    case .totalNotSum:
      Row(
        .warning, .device, "KeptState", needs: [.times],
        "The total is not the sum of the windows' revenue.",
        remedy: "Register before the first revenue; a phone that was updated from SKAN 3 keeps such a difference.")
    case .keysBeyondIOS:
      Row(
        .error, .device, "SnippetVersions",
        "There are entries that the snippet cannot have written on this iOS: below 15.4 it writes only revenue.",
        remedy: "Send the version of iOS that the phone has.")
    case .answerNotShown:
      Row(
        .warning, .device, "Operations", needs: [.answers, .conversions],
        "An answer gave a value that the device's next request does not show.",
        remedy: "Apply every conversion_value, also those in answers of launch and evt; wait for the completion "
          + "handler.")
    case .staleRequest:
      Row(
        .note, .guide, "OverlappingCalls", needs: [.answers, .conversions, .times],
        "A request left before the values of an earlier answer could be stored: the server computes from old values.",
        remedy: "The guides' code does this. In the app, begin an update in the handler of the previous one; on the "
          + "server, do not treat a repeated value as a lost answer.")
    case .requestAfterWindows:
      Row(
        .warning, .device, "Windows", needs: [.conversions, .times],
        "conversion_value was asked after the last window, when the snippet sends nothing.",
        remedy: "Stop after 35 days or, with SKAN 3, 24 hours after the last call.")
    }
  }
}
