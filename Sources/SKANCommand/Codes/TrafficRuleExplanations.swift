import SKANCommandLine
import SKANDevice
import SKANTraffic

extension TrafficRule {
  var explanation: CodeExplanation {
    let cause = cause
    return CodeExplanation(
      text, cause: cause.text, guide: cause.guide,
      example: .shell("skan check \(cause.options)fixtures/traffic/rules/\(rawValue).\(cause.fixture)"), remedy: remedy,
      articles: article == "CheckingTraffic" ? [article] : [article, "CheckingTraffic"])
  }

  /// Why a rule is broken, and the capture that shows it.
  private struct Cause {
    /// The likely cause in the app or on its server.
    let text: String
    /// The line of the client code that a breaking request does not follow, or that explains the breach.
    let guide: GuideCode?
    /// The file type of the example capture: a list of URLs where the bytes of a query matter.
    let fixture: String
    /// The options with which 'skan check' of the example capture finds the breach.
    let options: String

    init(_ text: String, guide: GuideCode? = nil, fixture: String = "ndjson", options: String = "") {
      self.text = text
      self.guide = guide
      self.fixture = fixture
      self.options = options
    }
  }

  private var cause: Cause {
    switch self {
    case .errorTakenAsDelivered:
      Cause(
        "The sender checks only the status code. The endpoints answer 200 even for errors.")
    case .failureNotRetried:
      Cause(
        "The sender gives up after one try, or its queue is kept in memory only and was lost.")
    case .requestRefused:
      Cause(
        "A parameter that the endpoint insists on is missing or wrong; the reason names it.")
    case .refusalRepeated:
      Cause(
        "The sender retries every error, even permanent ones.")
    case .retryOvertaken:
      Cause(
        "Requests of one device go through several workers, or a retry goes to the end of the queue.")
    case .duplicateRequest:
      Cause(
        "The sender's time-out is shorter than the answer took, or the app reports an event twice.")
    case .conversionError:
      Cause(
        "The endpoint refused the update: a missing model, an invalid parameter, a closed window.", guide: .reason)
    case .answerUnusable:
      Cause(
        "The endpoint writes a string, null, a fraction or a number out of range where a whole number belongs.",
        guide: .range)
    case .eventBeforeSession:
      Cause(
        "The app reports events before its first session has been sent and answered.", guide: .launchSample)
    case .installRepeated:
      Cause(
        "The flag is set at each launch instead of the first after the install.", guide: .launchSample)
    case .timeWentBack:
      Cause(
        "Several workers send at once, requests wait in different queues, or the device's clock was set back.",
        guide: .eventSample)
    case .timeUnit:
      Cause(
        "Milliseconds are sent where seconds belong, or the other way round.")
    case .timeAhead:
      Cause(
        "A local time is read as UTC, an offset is added twice, or the clock of the phone or the server is ahead.")
    case .bundleCase:
      Cause(
        "The identifier is typed by hand on the server, or written in small letters on its way.",
        guide: .bundleIdentifier)
    case .eventNameCase:
      Cause(
        "The name is typed twice, in the app and on the server.", guide: .eventName)
    case .sessionNameMisplaced:
      Cause(
        "The code for events is reused for sessions.", guide: .eventSample)
    case .plusInName:
      Cause(
        "Names are encoded as a form, where a space is a plus; or an event has a + in its name.", guide: .query,
        fixture: "txt")
    case .eventNotUpdated:
      Cause(
        "The app reports to its server without calling the snippet's update.", guide: .sessionSample)
    case .sessionNotUpdated:
      Cause(
        "The app reports its session without calling the snippet's update, which it calls only for events.",
        guide: .sessionSample)
    case .eventNotForwarded:
      Cause(
        "The app calls the update, and its server drops or batches the report.", guide: .eventSample)
    case .reportedBeforeUpdated:
      Cause(
        "The app tells its server first and calls the snippet's update afterwards, or it mistakes the report of the "
          + "first launch for that of the first session.", guide: .sessionSample)
    case .parameterMissing:
      Cause(
        "The server leaves out what it does not know about the device.", guide: .query)
    case .parameterForm:
      Cause(
        "A value is passed on in the form of another system.", guide: .platform)
    case .guidePlaceholder:
      Cause(
        "The sample of a guide was copied, and not all of its placeholders were replaced.", guide: .placeholders)
    case .serverParameterMissing:
      Cause(
        "The server sends what the app's snippet would send, and the snippet leaves out values that are not set.",
        options: "--client server ")
    case .currentValueMissing:
      Cause(
        "The phone was updated from SKAN 3: register did nothing, so no first value was written.", guide: .register)
    case .unknownParameter:
      Cause(
        "A typing mistake, or a parameter of another partner's interface.")
    case .parameterMisplaced:
      Cause(
        "One set of parameters is sent to both endpoints, or one of Android on iOS.")
    case .parameterRepeated:
      Cause(
        "Parameters are added to an address that has them already.", guide: .query, fixture: "txt")
    case .parametersUnreadable:
      Cause(
        "The query is put together as a string, with bytes that are not escaped, or only partly "
          + "escaped.", guide: .query,
        fixture: "txt")
    case .jsonBody:
      Cause(
        "The server posts JSON, which most interfaces expect.", guide: .task)
    case .bodySent:
      Cause(
        "The parameters are sent as a form, as for launch and evt.", guide: .task, fixture: "har")
    case .methodNotTaken:
      Cause(
        "A client's default method, or a health check at the endpoint.", guide: .task)
    case .plainHTTP:
      Cause(
        "The address is written with http, or TLS ends at a proxy that continues without it.", guide: .endpoint,
        fixture: "txt")
    case .jsonDamaged:
      Cause(
        "The text of a dictionary was escaped twice, or printed in a programming language's own notation instead of "
          + "JSON.",
        guide: .dictionaryEntry)
    case .truthValueForm:
      Cause(
        "Python and other languages print True, and some send 1.")
    case .localeForm:
      Cause(
        "Apple's locale identifier has a hyphen, or only the language is sent.")
    case .makeWithoutModel:
      Cause(
        "The server knows only one of the two.")
    case .amountWithoutCurrency:
      Cause(
        "The amount comes from one system and the currency from another.")
    case .amountForm:
      Cause(
        "The amount is formatted by the locale, with a comma or separators, or the currency in small letters.")
    case .adRevenueIncomplete:
      Cause(
        "An event of ad revenue is sent like a purchase.")
    case .currencyForm:
      Cause(
        "The currency comes from a system that writes it in small letters.", guide: .revenueSample)
    case .totalMissing:
      Cause(
        "The server sends revenue to evt only, where no model of conversion values sees it.",
        options: "--client server --model fixtures/models/iap-revenue.json ")
    case .revenueTwice:
      Cause(
        "updateRevenue is called again when the update is retried, or the store's callback comes twice.",
        guide: .revenueSample)
    case .revenueMismatch:
      Cause(
        "The app and the server know different amounts, before and after tax or in two currencies.",
        guide: .revenueSample)
    case .idfvMissing:
      Cause(
        "identifierForVendor was nil when it was read, or the server does not pass it on.", guide: .idfv)
    case .idfvDiffers:
      Cause(
        "The server sends an identifier of its own, such as a user's, or one that it kept from an earlier "
          + "install.", guide: .idfv)
    case .idfaZeros:
      Cause(
        "Without consent the system gives zeros, and they are passed on.", guide: .idfa)
    case .idfaWithoutConsent:
      Cause(
        "The identifier is kept from before, or the status is read at another time.")
    case .consentWithoutIDFA:
      Cause(
        "The server passes the status on and not the identifier.")
    case .keyMissing:
      Cause(
        "The key is not configured in this environment.", guide: .key)
    case .keyDiffers:
      Cause(
        "Test and production are mixed, or one side has the key of another account.", guide: .key)
    case .addressChoice:
      Cause(
        "The server sends both or neither, or use_ip=true without the country.")
    case .serverAddress:
      Cause(
        "use_ip=true was copied from a client's integration.")
    case .privateAddress:
      Cause(
        "The address is that of a proxy or load balancer in front of the server.")
    case .sameAddress:
      Cause(
        "The address is that of the server's gateway.")
    case .ipv6Address:
      Cause(
        "The device has an IPv6 address.")
    case .metadataMissing:
      Cause(
        "The app does not pass getSkanDetails to its server, or the server drops it.", guide: .sessionSample)
    case .metadataIncomplete:
      Cause(
        "The server passes on a fixed list of entries, or drops the dictionaries.", guide: .sessionSample)
    case .metadataNames:
      Cause(
        "The server's code is for the other version of the snippet.", guide: .keptFine)
    case .metadataStale:
      Cause(
        "The app reads getSkanDetails right after it starts the update, as the guides' sample does.",
        guide: .sessionSample)
    case .lastCallBeforeFirst:
      Cause(
        "The two are swapped, or the phone's clock was set back.", guide: .lastCall)
    case .lastCallWentBack:
      Cause(
        "Old metadata is sent late, or the phone's clock was set back.", guide: .lastCall)
    case .firstCallChanged:
      Cause(
        "The app writes the first call at each launch.", guide: .firstCall)
    case .fineChangedAfterP0:
      Cause(
        "A custom snippet writes the fine value in every window.", guide: .keptFine)
    case .valueNeverAnswered:
      Cause(
        "A custom snippet computes values itself, or an answer was applied to another device.", guide: .keptFine)
    case .previousNeverCurrent:
      Cause(
        "A custom snippet writes the previous value wrongly.", guide: .previousFine)
    case .windowTooEarly:
      Cause(
        "A custom snippet derives the window from the answer's index or from the install's date.", guide: .laterCoarse)
    case .windowChangedLate:
      Cause(
        "A custom snippet writes to the window of the request instead of that of the answer.", guide: .laterCoarse)
    case .lockOutsideWindow:
      Cause(
        "The time of the lock is in another unit or zone, or is that of the window's end.", guide: .keptLock)
    case .revenueOutsideWindow:
      Cause(
        "A custom snippet adds to a fixed window.", guide: .revenueOutside)
    case .revenueShrank:
      Cause(
        "The sum is overwritten by the last amount, or lost with a cache.", guide: .revenueSum)
    case .totalNotSum:
      Cause(
        "Revenue came before register, after the third window, or from the time of SKAN 3.", guide: .revenueSum)
    case .keysBeyondIOS:
      Cause(
        "The version of iOS is a constant, or that of another device.", guide: .availability)
    case .answerNotShown:
      Cause(
        "The app does not apply the answer, or its handler crashed before the values were kept.", guide: .setValues)
    case .staleRequest:
      Cause(
        "The snippet releases its lock after the call to Apple, but stores the values only when Apple completes the "
          + "call. The next update reads the store in between.", guide: .setValues)
    case .requestAfterWindows:
      Cause(
        "A custom snippet does not check the window, or counts from another start.", guide: .windowOver)
    }
  }
}
