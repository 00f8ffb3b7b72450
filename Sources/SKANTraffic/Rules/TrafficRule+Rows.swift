import SKANDevice

/// The table of the rules, with a row for each.
extension TrafficRule {
  /// The properties of a rule.
  struct Row {
    let level: Level
    let basis: Basis
    let article: String
    let needs: [TrafficNeed]
    /// The file type of the example capture: a list of URLs where the bytes of a query matter.
    let fixture: String
    let text: String
    /// The likely cause in the app or on its server.
    let cause: String
    /// The line of the client code that a breaking request does not follow, or that explains the breach.
    let guide: GuideCode?
    let remedy: String
    /// The options with which 'skan check' of the example capture finds the breach.
    let options: String

    init(
      _ level: Level, _ basis: Basis, _ article: String, needs: [TrafficNeed] = [], fixture: String = "ndjson",
      options: String = "",
      _ text: String, cause: String, guide: GuideCode? = nil, remedy: String
    ) {
      self.level = level
      self.basis = basis
      self.article = article
      self.needs = needs
      self.fixture = fixture
      self.text = text
      self.cause = cause
      self.guide = guide
      self.remedy = remedy
      self.options = options
    }
  }

  var row: Row {
    switch self {
    case .errorTakenAsDelivered:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "launch or evt answered 200 with an error, and the request was not sent again: the data is lost.",
        cause: "The sender looks at the status code alone. The endpoints answer 200 for errors, too.",
        remedy: "Read the body of the answer: only status ok in it means that the data arrived. Send the request again "
          + "after 1, 2, 4, 8 and 16 s.")
    case .failureNotRetried:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "launch or evt did not answer, or answered 429 or 5xx, and the request was not sent again.",
        cause: "The sender gives up after one try, or its queue is kept in memory only and was lost.",
        remedy: "Send it again after 1, 2, 4, 8 and 16 s, and keep later requests of the device behind it.")
    case .requestRefused:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded], "launch or evt refused the request for good.",
        cause: "A parameter that the endpoint insists on is missing or wrong; the reason names it.",
        remedy: "Correct what the reason names; sending the same again is of no use.")
    case .refusalRepeated:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A request that was refused for good was sent again as it was.",
        cause: "The sender retries every error alike, also those that cannot go away.",
        remedy: "Do not send again after missing argument, invalid platform, no device ID supplied or should have an … "
          + "param.")
    case .retryOvertaken:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A later request of the device was sent before the one that failed was sent again.",
        cause: "Requests of one device go through several workers, or a retry goes to the end of the queue.",
        remedy: "Keep one queue a device, and let it wait while a request of it is tried again.")
    case .duplicateRequest:
      Row(
        .error, .reference, "Endpoints", needs: [.answers, .forwarded],
        "A session or an event was sent again after it had been taken; Singular does not remove duplicates.",
        cause: "The sender's time-out is shorter than the answer took, or the app reports an event twice.",
        remedy: "Send each once. Mark it as sent when the answer says ok, not when the request is made.")
    case .conversionError:
      Row(
        .warning, .reference, "Endpoints", needs: [.answers, .conversions],
        "conversion_value answered with an error: the app gets no value.",
        cause: "The endpoint refused the update: a missing model, an invalid parameter, a closed window.",
        guide: .reason, remedy: "See the reason; the article Endpoints lists the documented ones.")
    case .answerUnusable:
      Row(
        .error, .device, "Answers", needs: [.answers],
        "An answer holds a value of a form or range that the app cannot take: the snippet crashes, keeps nonsense or "
          + "never updates again.",
        cause: "The endpoint writes a string, null, a fraction or a number out of range where a whole number belongs.",
        guide: .range, remedy: "Answer with whole numbers: conversion_value 0 to 63, skan_updated_coarse_value 0 to 2.")
    case .eventBeforeSession:
      Row(
        .error, .reference, "Endpoints", needs: [.events, .links],
        "An event was reported before any session of the device.",
        cause: "The app reports events before its first session has been sent and answered.", guide: .launchSample,
        remedy: "Report the session first and wait for its answer.")
    case .installRepeated:
      Row(
        .warning, .reference, "Endpoints", needs: [.forwarded], "A second session of an install says install=true.",
        cause: "The flag is set at each launch instead of the first after the install.", guide: .launchSample,
        remedy: "Send install=true with the first session after an install only, and false after it.")
    case .timeWentBack:
      Row(
        .error, .reference, "Endpoints", needs: [.forwarded],
        "A session or an event has an earlier time than the request of the device before it.",
        cause: "Several workers send at once, requests wait in different queues, or the device's clock was set back.",
        guide: .eventSample, remedy: "Send the requests of a device one after the other, in order of time.")
    case .timeUnit:
      Row(
        .error, .reference, "Endpoints",
        "A time is in the wrong unit: utime and the other times are seconds, umilisec is milliseconds.",
        cause: "Milliseconds are sent where seconds belong, or the other way round.",
        remedy: "Send utime with ten digits, umilisec with thirteen.")
    case .timeAhead:
      Row(
        .error, .inferred, "Endpoints", needs: [.forwarded, .times],
        "A session or an event has a time after that at which it was reported.",
        cause: "A local time is taken for UTC, an offset is added twice, or the clock of the phone or the server is "
          + "ahead.",
        remedy: "Send the time at which it happened, in Unix seconds of UTC; a phone's clock that is ahead does this, "
          + "too.")
    case .bundleCase:
      Row(
        .error, .guide, "Requests",
        "The app's identifier i is not written alike everywhere; case matters, and no model is found for the other "
          + "spelling.",
        cause: "The identifier is typed by hand on the server, or written in small letters on its way.",
        guide: .bundleIdentifier, remedy: "Send the bundle identifier as it is in the app.")
    case .eventNameCase:
      Row(
        .error, .guide, "Requests", needs: [.bothSides],
        "An event has one name at conversion_value and another case at evt: the model does not find it.",
        cause: "The name is typed twice, in the app and on the server.", guide: .eventName,
        remedy: "Take the name from one constant for both calls.")
    case .sessionNameMisplaced:
      Row(
        .warning, .inferred, "Endpoints", needs: [.forwarded],
        "__SESSION__, or the name of an event, stands where another name belongs: at launch n is the app's name, and a "
          + "session is no event.",
        cause: "The code for events is reused for sessions.", guide: .eventSample,
        remedy: "Report sessions to launch, without n or with the name of the app.")
    case .plusInName:
      Row(
        .warning, .device, "Requests", fixture: "txt",
        "n has a bare + at conversion_value, where the snippet writes spaces as %20: the server reads a space.",
        cause: "Names are encoded as a form, where a space is a plus; or an event has a + in its name.", guide: .query,
        remedy: "Use no + in names of events.")
    case .eventNotUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session or an event was reported, and conversion_value was not asked with it.",
        cause: "The app reports to its server without calling the snippet's update.", guide: .sessionSample,
        remedy: "Call the update for each session and event that the server reports, with the same name.")
    case .sessionNotUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session was reported, and conversion_value was not asked at its start, only later for an event.",
        cause: "The app reports its session without calling the snippet's update, and updates for events alone.",
        guide: .sessionSample,
        remedy: "Call the update without a name at the start of each session but the first launch, and then report "
          + "the session.")
    case .eventNotForwarded:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "conversion_value was asked with a session or an event that the server did not report.",
        cause: "The app calls the update, and its server drops or batches the report.", guide: .eventSample,
        remedy: "Report each session to launch and each event to evt.")
    case .reportedBeforeUpdated:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides, .links],
        "A session or an event was reported seconds before conversion_value was asked with it: what was forwarded is "
          + "from before the update.",
        cause: "The app tells its server first and calls the snippet's update afterwards, or it takes the report of "
          + "the first launch for that of the first session.",
        guide: .sessionSample,
        remedy: "Call the update first, and report with what getSkanDetails gives in its completion handler.")
    case .parameterMissing:
      Row(
        .error, .reference, "Endpoints",
        "A parameter is missing that the endpoint asks for. Its answer may still be ok.",
        cause: "The server leaves out what it does not know of the device.", guide: .query,
        remedy: "Send it with every request.")
    case .parameterForm:
      Row(
        .error, .reference, "Endpoints", "A parameter has the wrong form or range.",
        cause: "A value is passed on in the form of another system.", guide: .platform,
        remedy: "Send it in the form that the message names; leave out what has no value.")
    case .guidePlaceholder:
      Row(
        .error, .guide, "Requests",
        "A parameter has the placeholder of a guide's sample: with such an idfv all users are one device.",
        cause: "The sample of a guide was copied, and not all of its placeholders were replaced.", guide: .placeholders,
        remedy: "Put in the app's own values: SDK key, bundle identifier, version, identifierForVendor.")
    case .serverParameterMissing:
      Row(
        .error, .guide, "Requests", needs: [.client], options: "--client server ",
        "A server asked conversion_value without a coarse value that the reference requires.",
        cause: "The server sends what the app's snippet would send, which leaves out what it has not set.",
        remedy: "Send p1_coarse and p2_coarse with every request of iOS 16.1 or later.")
    case .currentValueMissing:
      Row(
        .error, .device, "Requests",
        "conversion_value was asked without skan_current_conversion_value, as by a phone that was updated from SKAN 3: "
          + "it never gets a value.",
        cause: "The phone was updated from SKAN 3: register did nothing, so no first value was written.",
        guide: .register,
        remedy: "See the article SnippetVersions: such a phone needs a value before its first update.")
    case .unknownParameter:
      Row(
        .note, .inferred, "Endpoints", "A parameter is in no documentation of the endpoint.",
        cause: "A typing mistake, or a parameter of another partner's interface.",
        remedy: "Correct its name, or ignore this where it was agreed with Singular.")
    case .parameterMisplaced:
      Row(
        .note, .reference, "Endpoints", "A parameter belongs to another endpoint or platform.",
        cause: "One set of parameters is sent to both endpoints, or one of Android on iOS.",
        remedy: "Leave it out here.")
    case .parameterRepeated:
      Row(
        .warning, .inferred, "Endpoints", fixture: "txt",
        "A parameter stands in the request more than once.",
        cause: "Parameters are added to an address that has them already.", guide: .query, remedy: "Send it once.")
    case .parametersUnreadable:
      Row(
        .error, .inferred, "Requests", fixture: "txt",
        "The parameters cannot be decoded: an escape is broken, or the bytes are not UTF-8.",
        cause: "The query is put together as a string, with bytes that are not escaped, or escaped by halves.",
        guide: .query, remedy: "Build the query with a library.")
    case .jsonBody:
      Row(
        .error, .reference, "Endpoints", "The body is JSON, which no endpoint reads.",
        cause: "The server posts JSON, as most interfaces want it.", guide: .task,
        remedy: "Send the parameters in the query; to launch and evt also as application/x-www-form-urlencoded.")
    case .bodySent:
      Row(
        .error, .guide, "Requests", fixture: "har", "conversion_value was asked with a body: it reads the query alone.",
        cause: "The parameters are sent as a form, as for launch and evt.", guide: .task,
        remedy: "Send all parameters in the query of a GET without a body.")
    case .methodNotTaken:
      Row(
        .error, .reference, "Endpoints", "The method is not one that the endpoint documents.",
        cause: "A client's default method, or a health check at the endpoint.", guide: .task,
        remedy: "Use GET for conversion_value, GET or POST for launch and evt of V1, POST for evt of V2.")
    case .plainHTTP:
      Row(
        .error, .inferred, "Endpoints", fixture: "txt",
        "The request went to Singular without encryption, with the SDK key and the device's identifiers.",
        cause: "The address is written with http, or TLS ends at a proxy that goes on without it.", guide: .endpoint,
        remedy: "Use https.")
    case .jsonDamaged:
      Row(
        .error, .guide, "Requests", "The text of a JSON parameter was damaged on its way.",
        cause: "The text of a dictionary was escaped twice, or printed by a language instead of written as JSON.",
        guide: .dictionaryEntry, remedy: "Pass the text of the JSON, encoded once, and escape it once for the query.")
    case .truthValueForm:
      Row(
        .error, .reference, "Endpoints", "A truth value is not true or false in small letters.",
        cause: "Python and other languages print True, and some send 1.",
        remedy: "Write true or false; Python prints True.")
    case .localeForm:
      Row(
        .warning, .reference, "Endpoints", "lc is not language and country with an underscore.",
        cause: "Apple's locale identifier has a hyphen, or only the language is sent.", remedy: "Send it as en_US.")
    case .makeWithoutModel:
      Row(
        .warning, .reference, "Endpoints",
        "ma and mo belong together, and one of them is missing.", cause: "Only one of both is known to the server.",
        remedy: "Send both or none.")
    case .amountWithoutCurrency:
      Row(
        .error, .reference, "Endpoints", "amt and cur belong together, and one of them is missing.",
        cause: "The amount comes from one system and the currency from another.", remedy: "Send both or none.")
    case .amountForm:
      Row(
        .error, .reference, "Endpoints",
        "amt is not a decimal number with a point, or cur is not an ISO 4217 code in capitals.",
        cause: "The amount is formatted by the locale, with a comma or separators, or the currency in small letters.",
        remedy: "Write amt with a decimal point and cur in capitals, whatever the locale, and pass the same code to "
          + "updateRevenue.")
    case .adRevenueIncomplete:
      Row(
        .warning, .reference, "Endpoints", "An ad revenue event lacks parameters that it needs.",
        cause: "An event of ad revenue is sent like a purchase.",
        remedy: "Send is_admon_revenue=true, is_revenue_event=true and ad_platform in e.")
    case .currencyForm:
      Row(
        .warning, .reference, "Requests",
        "A total of revenue has a currency that is not an ISO 4217 code in capitals: models and rates do not find it.",
        cause: "The currency comes from a system that writes it in small letters.", guide: .revenueSample,
        remedy: "Pass the code in capitals to updateRevenue; usd and USD are two sums.")
    case .totalMissing:
      Row(
        .error, .guide, "Requests", needs: [.client, .model],
        options: "--client server --model fixtures/models/iap-revenue.json ",
        "A server asked conversion_value without the total of revenue that the app's model counts: every value is that of "
          + "no revenue.",
        cause: "The server sends revenue to evt only, where no model of conversion values sees it.",
        remedy: "Send skan_total_revenue_by_currency for models of purchases, skan_total_admon_revenue_by_currency for "
          + "models of ads, and both for models of all revenue.")
    case .revenueTwice:
      Row(
        .error, .inferred, "Operations", needs: [.events],
        "Revenue was counted twice: its transaction came again, or the total grew by twice its amount.",
        cause: "updateRevenue is called again when the update is retried, or the store's callback comes twice.",
        guide: .revenueSample,
        remedy: "Call updateRevenue and report the event once for each transaction, not again when something is tried "
          + "again.")
    case .revenueMismatch:
      Row(
        .warning, .inferred, "Operations", needs: [.events],
        "The amount of an event and the growth of the phone's total differ.",
        cause: "The app and the server know different amounts, before and after tax or in two currencies.",
        guide: .revenueSample,
        remedy: "Call updateRevenue with the same amount and currency before the update, and read getSkanDetails after "
          + "it.")
    case .idfvMissing:
      Row(
        .error, .reference, "Requests", "idfv is missing, empty or a placeholder; it is always required.",
        cause: "identifierForVendor was nil when it was read, or the server does not pass it on.", guide: .idfv,
        remedy: "Send identifierForVendor.")
    case .idfvDiffers:
      Row(
        .warning, .inferred, "Requests", needs: [.conversions, .forwarded],
        "Two devices differ in idfv alone and have one life: probably the same phone, which the app and its server "
          + "name differently.",
        cause: "The server sends an identifier of its own, such as a user's, or one that it kept from an earlier "
          + "install.",
        guide: .idfv, remedy: "Pass the identifierForVendor that the app sends to the server, and send it unchanged.")
    case .idfaZeros:
      Row(
        .error, .reference, "Requests", "idfa is empty, all zeros or a placeholder.",
        cause: "Without consent the system gives zeros, and they are passed on.", guide: .idfa,
        remedy: "Leave idfa out when there is none.")
    case .idfaWithoutConsent:
      Row(
        .error, .reference, "Endpoints",
        "idfa is there although att_authorization_status does not say that it may be.",
        cause: "The identifier is kept from before, or the status is read at another time.",
        remedy: "Read both at the same moment, and send idfa with status 3 only.")
    case .consentWithoutIDFA:
      Row(
        .note, .reference, "Endpoints", "att_authorization_status is 3, and idfa is missing.",
        cause: "The server passes the status on and not the identifier.", remedy: "Send idfa when the user has agreed.")
    case .keyMissing:
      Row(
        .error, .reference, "Requests", "The SDK key a is missing or empty.",
        cause: "The key is not configured in this environment.", guide: .key,
        remedy: "Send the SDK key, not the key of the Reporting API.")
    case .keyDiffers:
      Row(
        .error, .inferred, "Requests", needs: [.keys], "The requests of one app have different SDK keys.",
        cause: "Test and production are mixed, or one side has the key of another account.", guide: .key,
        remedy: "Use one key in the app and on its server.")
    case .addressChoice:
      Row(
        .error, .reference, "Endpoints",
        "Exactly one of ip and use_ip is required, or country is missing beside use_ip=true.",
        cause: "The server sends both or neither, or use_ip=true without the country.",
        remedy: "Send ip with the device's public address.")
    case .serverAddress:
      Row(
        .warning, .reference, "Endpoints",
        "use_ip=true takes the address of the request: from a server that is the server's own.",
        cause: "use_ip=true was taken over from a client's integration.",
        remedy: "Send ip with the device's public address.")
    case .privateAddress:
      Row(
        .error, .reference, "Endpoints", "ip is an address that no device on the Internet has.",
        cause: "The address is that of a proxy or load balancer in front of the server.",
        remedy: "Take the client's address from the header that your proxy adds.")
    case .sameAddress:
      Row(
        .warning, .inferred, "Endpoints", needs: [.forwarded, .severalDevices],
        "All devices have the same ip: it is likely to be the server's own.",
        cause: "The address is that of the server's gateway.",
        remedy: "Send each device's public address; ignore this where all stand behind one router.")
    case .ipv6Address:
      Row(
        .note, .reference, "Endpoints",
        "ip is an IPv6 address; Singular's pages do not agree whether it is taken.",
        cause: "The device has an IPv6 address.", remedy: "Send the IPv4 address where there is one.")
    case .metadataMissing:
      Row(
        .error, .guide, "Endpoints", needs: [.forwarded],
        "A session or an event was reported without the metadata of the device.",
        cause: "The app does not pass getSkanDetails to its server, or the server drops it.", guide: .sessionSample,
        remedy: "Attach what getSkanDetails returns to every session and event.")
    case .metadataIncomplete:
      Row(
        .warning, .guide, "Endpoints", needs: [.bothSides], "The metadata lacks an entry that the phone has.",
        cause: "The server passes on a fixed list of entries, or drops the dictionaries.", guide: .sessionSample,
        remedy: "Attach all entries of getSkanDetails, dictionaries as JSON text.")
    case .metadataNames:
      Row(
        .error, .guide, "Endpoints", needs: [.bothSides],
        "The metadata has the names of another version of the snippet.",
        cause: "The server's code is for the other version of the snippet.", guide: .keptFine,
        remedy: "SKAN 4 forwards the entries under their own names, SKAN 3 its three values under "
          + "skan_conversion_value, skan_first_call_timestamp and skan_last_call_timestamp.")
    case .metadataStale:
      Row(
        .warning, .inferred, "Endpoints", needs: [.bothSides],
        "The metadata is that from before the answer to the update.",
        cause: "The app reads getSkanDetails right after it starts the update, as the guides' sample does.",
        guide: .sessionSample, remedy: WarningCode.detailsStale.explanation.remedy)
    case .lastCallBeforeFirst:
      Row(
        .error, .device, "KeptState", "The last call to SKAdNetwork is before the first.",
        cause: "The two are swapped, or the phone's clock was set back.", guide: .lastCall,
        remedy: "Do not swap the two; a clock that was set back does this, too.")
    case .lastCallWentBack:
      Row(
        .warning, .device, "KeptState", "The last call to SKAdNetwork is earlier than it was.",
        cause: "Old metadata is sent late, or the phone's clock was set back.", guide: .lastCall,
        remedy: "Forward the metadata of the moment; a clock that was set back does this, too.")
    case .firstCallChanged:
      Row(
        .error, .device, "KeptState",
        "The first call to SKAdNetwork changed, and the rest was kept: no new install does that.",
        cause: "The app writes the first call at each launch.", guide: .firstCall,
        remedy: "Write the first call once, in register.")
    case .fineChangedAfterP0:
      Row(
        .error, .device, "Windows", "The fine value changed after the first window.",
        cause: "A custom snippet writes the fine value in every window.", guide: .keptFine,
        remedy: "Do not write the fine value after two days; the snippet does not.")
    case .valueNeverAnswered:
      Row(
        .error, .device, "KeptState", needs: [.answers, .conversions], "The phone has a value that no answer gave.",
        cause: "A custom snippet computes values itself, or an answer was applied to another device.",
        guide: .keptFine, remedy: "Keep only what the answer says.")
    case .previousNeverCurrent:
      Row(
        .error, .device, "KeptState", needs: [.answers, .conversions],
        "A previous value is one that was never the current one.",
        cause: "A custom snippet writes the previous value wrongly.", guide: .previousFine,
        remedy: "Keep the current value as the previous one before the new one is written.")
    case .windowTooEarly:
      Row(
        .error, .device, "Windows", needs: [.client],
        "There is a coarse value of a window that had not begun at the last call.",
        cause: "A custom snippet takes the window from the answer's index or from the install's date.",
        guide: .laterCoarse, remedy: "Tell the window from the first call: 2, 7 and 35 days after it they end.")
    case .windowChangedLate:
      Row(
        .error, .device, "Windows", "A coarse value changed after its window.",
        cause: "A custom snippet writes to the window of the request instead of that of the answer.",
        guide: .laterCoarse, remedy: "Write only the values of the window that is open.")
    case .lockOutsideWindow:
      Row(
        .error, .device, "Windows", "A window was locked at a time outside it, or after the last call.",
        cause: "The time of the lock is in another unit or zone, or is that of the window's end.", guide: .keptLock,
        remedy: "Write the time of the update that locked, in the window that is open.")
    case .revenueOutsideWindow:
      Row(
        .error, .device, "Windows", needs: [.times], "The revenue of a window grew outside it.",
        cause: "A custom snippet adds to a fixed window.", guide: .revenueOutside,
        remedy: "Add revenue to the window that is open, and after the last to none.")
    case .revenueShrank:
      Row(
        .warning, .device, "KeptState", "A sum of revenue is lower than it was or gone, and no refund was reported.",
        cause: "The sum is overwritten by the last amount, or lost with a cache.", guide: .revenueSum,
        remedy: "Add to what is stored; do not overwrite it.")
    case .totalNotSum:
      Row(
        .warning, .device, "KeptState", needs: [.times], "The total is not the sum of the windows' revenue.",
        cause: "Revenue came before register, after the third window, or from the time of SKAN 3.", guide: .revenueSum,
        remedy: "Register before the first revenue; a phone that was updated from SKAN 3 keeps such a difference.")
    case .keysBeyondIOS:
      Row(
        .error, .device, "SnippetVersions",
        "There are entries that the snippet cannot have written on this iOS: below 15.4 it writes none but revenue.",
        cause: "The version of iOS is a constant, or that of another device.", guide: .availability,
        remedy: "Send the version of iOS that the phone has.")
    case .answerNotShown:
      Row(
        .warning, .device, "Operations", needs: [.answers, .conversions],
        "An answer gave a value that the device's next request does not show.",
        cause: "The app does not apply the answer, or its handler crashed before the values were kept.",
        guide: .setValues,
        remedy: "Apply every conversion_value, also those in answers of launch and evt; wait for the completion "
          + "handler.")
    case .requestAfterWindows:
      Row(
        .warning, .device, "Windows", needs: [.conversions, .times],
        "conversion_value was asked after the windows: the snippet sends nothing then.",
        cause: "A custom snippet does not check the window, or counts from another start.", guide: .windowOver,
        remedy: "Stop after 35 days, with SKAN 3 24 hours after the last call.")
    }
  }
}
