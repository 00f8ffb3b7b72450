import SKANCommandLine
import SKANDevice
import SKANTraffic

extension WarningCode {
  var explanation: CodeExplanation {
    switch self {
    case .handlerNotCalled:
      CodeExplanation(
        "A request was sent, and the app's completion handler is never called. Code that waits for it never runs.",
        cause: "An answer that is ok and has no value, a value that is not higher (SKAN 3), or an iOS below 15.4, "
          + "which is noticed only after a valid answer (SKAN 4).", guide: .status,
        example: .fixture("hazards/no-update"),
        remedy: "Do not let the app wait for its handler: continue without it, or set a timer.",
        articles: ["Hazards", "Operations"])
    case .lockLeaked:
      CodeExplanation(
        "The snippet refused the answer's values and left its lock held. Every later update of this app process waits "
          + "for it forever: no request, no handler call, one more thread each time. A relaunch frees it.",
        cause: "The endpoint gave a fine value outside 0-63, or a coarse value outside 0-2. The failed check returns "
          + "without the [lockObject unlock] that every other path has.", guide: .validation,
        example: .fixture("hazards/illegal-fine-value"),
        remedy: "Keep the endpoint's values in range. In the app, add [lockObject unlock] before that return.",
        articles: ["Hazards", "Answers"])
    case .blocked:
      CodeExplanation(
        "This update waits forever for the lock that an earlier answer leaked: no request is sent, and the handler "
          + "is never called.", cause: "An earlier answer in this app process had illegal values; see lock-leaked.",
        guide: .lockTaken, example: .fixture("hazards/illegal-fine-value"),
        remedy: "Correct the values that the endpoint gave before. Only a new app process can continue.",
        articles: ["Hazards"])
    case .installPoisoned:
      CodeExplanation(
        "The app now keeps a string where getSkanDetails needs a number, and reading it crashes the app. Every later "
          + "request crashes it, too, even after a relaunch, until the app is reinstalled. The update itself "
          + "succeeded.",
        cause: "The endpoint gave conversion_value as a string in P0, or the coarse value as a string in any window: "
          + "\"5\" instead of 5. A string has no stringValue.", guide: .details,
        example: .fixture("hazards/poisoned-by-string-value"),
        remedy: "Send numbers as JSON numbers. In the app, keep only what is an NSNumber.",
        articles: ["Hazards", "Answers"])
    case .appCrashed:
      CodeExplanation(
        "The app crashed in this step; what it keeps is unchanged. The list continues as after a relaunch.",
        cause: "null, an array or an object where the snippet reads a number, a boolean or a string; a body that is an "
          + "array; or a poisoned install. The code's @try blocks surround other calls.", guide: .answerFields,
        example: .fixture("hazards/crash-null-value"),
        remedy: "Leave out fields without a value, and answer errors with an object, too.",
        articles: ["Hazards", "Answers"])
    case .droppedUnregistered:
      CodeExplanation(
        "The session or event was dropped without a request, an error or a handler call. No first call is on record, "
          + "and the snippet behaves as if all windows were over.",
        cause: "register was not called before, or this iOS is below the one that register needs.", guide: .windowRule,
        example: .fixture("hazards/event-before-register"),
        remedy: "Call register at launch, before the first session.", articles: ["Windows", "Hazards"])
    case .indexMismatch:
      CodeExplanation(
        "The answer is for another window than the phone's, and the snippet does not read the index. The values are "
          + "kept under the phone's own window.",
        cause: "The answer's postback_sequence_index differs from the phone's window: the answer is late, the clocks "
          + "differ, or the endpoint counts differently.", guide: .answerFields,
        example: .fixture("hazards/index-ignored"),
        remedy: "Compute the window from the request's first call, at the time of the answer.",
        articles: ["Answers", "Windows"])
    case .oddType:
      CodeExplanation(
        "A value in the answer has an undocumented type, and the snippet uses it unchecked. A fraction is cut off for "
          + "Apple and kept unchanged; a string is kept and poisons the install; null crashes the app.",
        cause: "The endpoint writes 1.7, true, \"5\" or null where a whole number belongs.", guide: .answerFields,
        example: .fixture("hazards/odd-numbers"),
        remedy: "Write whole numbers for the values and true or false for the lock.", articles: ["Answers", "Hazards"])
    case .nameTooLong:
      CodeExplanation(
        "The event's name has more than 32 characters and is sent unchanged. The snippet does not check it.",
        cause: "The app passes a long name; the API reference allows 32 ASCII characters.", guide: .eventName,
        example: .fixture("hazards/event-names"),
        remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
        articles: ["Requests", "Hazards"])
    case .nameNotASCII:
      CodeExplanation(
        "The event's name has characters that are not ASCII and is sent percent-encoded.",
        cause: "The app passes a name in another script; the API reference asks for ASCII.", guide: .eventName,
        example: .fixture("hazards/event-names"),
        remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
        articles: ["Requests", "Hazards"])
    case .plusInName:
      CodeExplanation(
        "The + in the event's name is sent unescaped, and a server that decodes forms reads a space. \"gold+pack\" is "
          + "counted as \"gold pack\".", cause: "URLComponents does not escape a + in a query.", guide: .query,
        example: .fixture("hazards/plus-in-name"), remedy: "Do not use + in event names.",
        articles: ["Requests", "Hazards"])
    case .emptyName:
      CodeExplanation(
        "The event is sent with an empty name. An endpoint that follows the reference refuses it.",
        cause: "The app passes an empty string.", guide: .eventName, example: .fixture("hazards/event-names"),
        remedy: "Pass the event's name; a session has its own call.", articles: ["Requests", "Hazards"])
    case .emptyCurrency:
      CodeExplanation(
        "The amount is kept under an empty currency, a separate sum. No rate table has a rate for it, so a model of "
          + "revenue never counts it.", cause: "The app passes an empty string; only nil is refused.", guide: .revenue,
        example: .fixture("hazards/empty-currency"), remedy: "Pass the ISO 4217 code of the transaction.",
        articles: ["Hazards", "KeptState"])
    case .idfvMissing:
      CodeExplanation(
        "The request is sent without idfv, which the API reference always requires. An endpoint cannot tell such "
          + "phones apart.",
        cause: "identifierForVendor is nil, as before the first unlock after a restart, or the app does not pass it.",
        guide: .idfv, example: .fixture("hazards/idfv-missing"),
        remedy: "Wait until identifierForVendor has a value before the update is called.",
        articles: ["Requests", "Hazards"])
    case .currentValueMissing:
      CodeExplanation(
        "The endpoint refused the request because it has no skan_current_conversion_value, and the phone has none to "
          + "send. Only an answer can provide one, so the phone never gets a value.",
        cause: "The phone was updated from SKAN 3, whose first call stays: register does nothing and writes no 0.",
        guide: .register, example: .fixture("hazards/current-value-missing"),
        remedy: "Let the endpoint treat the missing value as 0; the only other remedy is a fresh install.",
        articles: ["Hazards", "SnippetVersions"])
    case .ignoredAfterLock:
      CodeExplanation(
        "Apple's window was locked by an earlier call, so Apple keeps the values of the lock and ignores this update. "
          + "There is no error; the app keeps the new values and reports them.",
        cause: "The endpoint continues to send new values in a window that it locked. A lock has no effect in the "
          + "snippet.", guide: .keptLock, example: .fixture("hazards/update-after-lock"),
        remedy: "After a lock, answer without a value until the next window begins.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .frameworkErrorKept:
      CodeExplanation(
        "Apple refused the call, yet the app keeps its values. From then on, the two differ. With register and SKAN 3, "
          + "the app does not even see the error.",
        cause: "A development build (code 10), a fine value outside 0-63 (code 6), or an error that the list scripts.",
        guide: .keptAnyway, example: .fixture("hazards/framework-error-kept"),
        remedy: "Test with a build from the App Store, and give values from 0 to 63.",
        articles: ["BeliefAndTruth", "Hazards"])
    case .notForwarded:
      CodeExplanation(
        "The app's server reported the step to Singular, and the report was not accepted. Errors come with status 200; "
          + "only status ok in the body means that the data arrived.",
        cause: "The endpoint refused the report, gave an unreadable answer or did not answer, after five attempts "
          + "where retrying helps.", guide: .eventSample,
        example: .list(
          #"{"op":"register"}"#,
          #"{"op":"session","answer":{"json":{"status":"ok"}},"forward":{"answer":{"json":{"status":"error","reason":"missing argument: p"}}}}"#
        ), remedy: "Read the body of the answer, and correct what the reason names.", articles: ["ServerToServer"])
    case .coarseNotMirrored:
      CodeExplanation(
        "An ad of AdAttributionKit brought the install, and Apple mirrors the snippet's call as one with a fine value "
          + "and a lock. The coarse value is lost: first postbacks with tier 1 and all second and third postbacks have "
          + "no value.",
        cause: "The snippet calls SKAdNetwork only. Apple's page on interoperability names "
          + "updateConversionValue(_:lockPostback:), which has no coarse value; read less literally it may carry one.",
        guide: .frameworkCall, example: .fixture("adattributionkit/mirror"),
        remedy:
          "To make sure that coarse values reach AdAttributionKit, let the app call it as well, after the snippet. The "
          + "setting aak-mirror-coarse shows the other reading.", articles: ["BeliefAndTruth", "AppleFramework"])
    case .directCoarseCleared:
      CodeExplanation(
        "The app gave AdAttributionKit a coarse value itself. The snippet's call of SKAdNetwork came after it, Apple mirrored "
          + "it without a coarse value, and that cleared the one that was set.",
        cause:
          "An app that calls both frameworks, AdAttributionKit first. Which of two calls comes last can be a race, as "
          + "the snippet's call waits for its answer.", guide: .frameworkCall,
        example: .fixture("adattributionkit/both-frameworks"),
        remedy: "Call AdAttributionKit in the snippet's handler, or after it.", articles: ["AppleFramework"])
    case .statusNot200:
      CodeExplanation(
        "The HTTP status of the answer is not 200, but the snippet treats it as 200. It never checks the status. This "
          + "is a note if the list provides the answer.",
        cause: "The endpoint, or a proxy before it, sends a valid body with a status such as 201 or 500. The API "
          + "reference documents 200, even for errors, which the body reports.", guide: .okStatus,
        example: .fixture("hazards/status-not-200", showsNotes: true),
        remedy: "Answer with status 200. Report an error with status and reason in the body.", articles: ["Answers"])
    case .unknownAnswerKey:
      CodeExplanation(
        "The answer has a key that the API reference does not name, and the snippet does not read it. This is a "
          + "finding if the key resembles a documented one, and a note otherwise or if the list provides the answer.",
        cause: "The endpoint misspells a key: skan_updated_coarse, conversionValue. Keys are case-sensitive, and a "
          + "value under another key never arrives.", guide: .documentedAnswer,
        example: .fixture("hazards/unknown-answer-key", showsNotes: true),
        remedy: "Write the keys as documented. Keys that only the endpoint needs may stay.", articles: ["Answers"])
    case .statusNotOK:
      CodeExplanation(
        "The answer has a conversion value, and its status is missing or not exactly \"ok\". The snippet uses the "
          + "value; it reads the status only in answers without a value. This is a note if the list provides the "
          + "answer.",
        cause: "The endpoint leaves status out, writes \"OK\" or \"success\", or gives an error together with a value.",
        guide: .status, example: .fixture("hazards/status-not-ok", showsNotes: true),
        remedy: "Answer with \"status\":\"ok\" beside a value, and without a value in an error.", articles: ["Answers"])
    case .answerNotJSON:
      CodeExplanation(
        "The phone reads the body, but it is not JSON by RFC 8259: a comma before a closing bracket, a key twice, a "
          + "byte order mark, or another encoding than UTF-8. This is a note if the list provides the answer.",
        cause: "The endpoint assembles its answer as text. NSJSONSerialization accepts more than the standard allows; "
          + "other clients, proxies and later versions may not.", guide: .parsing,
        example: .fixture("hazards/answer-not-json", showsNotes: true),
        remedy: "Use a JSON library to write the answer.",
        articles: ["Answers"])
    case .contentTypeNotJSON:
      CodeExplanation(
        "The Content-Type of the answer is not that of JSON. The snippet never checks it.",
        cause: "The endpoint sends JSON as text/html or text/plain, the default of its framework, or as a file without "
          + "a type.", guide: .acceptsJSON,
        example: .shell(
          "mkdir -p api/v2 && echo '{\"conversion_value\":1,\"status\":\"ok\"}' > api/v2/conversion_value && "
            + "{ python3 -m http.server --bind 127.0.0.1 18765 2> http.log & } && printf '%s\\n' "
            + "'{\"op\":\"register\"}' '{\"op\":\"session\"}' | skan replay --retry 20 --endpoint "
            + "http://127.0.0.1:18765 - ; kill $!"), remedy: "Send Content-Type: application/json.",
        articles: ["Answers"])
    case .revenueAgain:
      CodeExplanation(
        "The same revenue was added before an event whose update failed, and is added again. If the event is retried, "
          + "the amount counts twice, in the totals and in every later request.",
        cause: "The app calls updateRevenue again when it retries an event. The snippet keeps the added amount even if "
          + "the update fails. skan cannot tell whether it is the same purchase: the amount, the currency and the kind "
          + "are equal, and the event has not succeeded since.", guide: .revenueRetry,
        example: .fixture("hazards/revenue-counted-twice"),
        remedy: "Call updateRevenue once for each purchase, and only the update when an event is retried. 'skan event "
          + "--revenue' does so with --idempotency-key.", articles: ["Hazards", "KeptState"])
    case .productionImpression:
      CodeExplanation(
        "The phone is in Developer Mode, but the impression is not one for development, so its windows and delays have "
          + "their full length. Apple shortens only those of development postbacks.",
        cause: "The ad has a source app or, for AdAttributionKit, a publisher other than 0. Every web ad of "
          + "SKAdNetwork counts as one for development (Apple, \"Testing ad attributions with Developer Mode\").",
        example: .list(
          #"{"op":"device","ios":"18.0","clock":"developer","ad":{"source_app_id":5}}"#, #"{"op":"register"}"#),
        remedy: "Give the ad the source_app_id or publisher_id 0, or leave the ad out, which does the same.",
        articles: ["AppleFramework", "Postbacks"])
    case .trackingParameters:
      CodeExplanation(
        "The link of a re-engagement has parameters, and Apple removes known tracking parameters from it. No list of "
          + "them is published, so the app may get the link with or without them.",
        cause: "The ad's universal link has a query, such as campaign=may.",
        example: .list(
          #"{"op":"device","ios":"18.0"}"#, #"{"op":"aak-reengage","url":"https://example.com/sale?campaign=may"}"#),
        remedy: "Put what the app needs into the path of the link. The setting aak-tracking-parameters shows an app "
          + "whose link has lost all of them.", articles: ["AdAttributionKit"])
    case .openParameterGiven:
      CodeExplanation(
        "The ad's link already has AdAttributionKitReengagementOpen, the parameter by which an app recognizes a "
          + "re-engagement. Every opening with this link then looks like one.",
        cause: "The link was copied from an opened app, or the parameter was added by hand. The system appends it.",
        example: .list(
          #"{"op":"device","ios":"18.0"}"#,
          #"{"op":"aak-reengage","url":"https://example.com/?AdAttributionKitReengagementOpen=t"}"#),
        remedy: "Leave the parameter out of the ad's link.", articles: ["AdAttributionKit"])
    case .countryOfInstall:
      CodeExplanation(
        "The re-engagement names a country that differs from the install's. Its postbacks have the country of the "
          + "install.",
        cause: "The step's country differs from that of the ad that brought the install (WWDC25, session 221).",
        example: .list(
          #"{"op":"device","ios":"18.4","ad":{"framework":"adattributionkit","country":"US"}}"#,
          #"{"op":"aak-reengage","url":"https://example.com/","country":"MT"}"#),
        remedy: "Leave the country out of the re-engagement.", articles: ["AdAttributionKit"])
    case .impressionUnused:
      CodeExplanation(
        "An impression could not win the install: its view was too short or displaced by later ones, its days were over, "
          + "a rule of the app's Info.plist or a cool-down kept it out, or it was one for testing beside one that is not.",
        cause: "The article \"Impressions\" has the rules in their order; the message names the one.",
        example: .list(
          #"{"op":"impression","ad":{"network":"a.skadnetwork","fidelity":0}}"#, #"{"op":"download","after":"2d"}"#),
        remedy: "Download the app earlier, or change the rule in the app's Info.plist.", articles: ["Impressions"])
    case .infoPlist:
      CodeExplanation(
        "Something in the app's Info.plist is not as Apple documents it. On the phone it counts as absent: no copies of "
          + "postbacks, the default windows, no cool-down.",
        cause: "The finding is one of 'skan doctor --plist', and names the key.",
        example: .shell(
          "printf '<plist version=\"1.0\"><dict><key>AdAttributionKit</key><dict/></dict></plist>' > demo.plist; "
            + "skan install --force --plist demo.plist"),
        remedy: "Correct the key, as 'skan doctor --plist FILE' says.", articles: ["Impressions"])
    case .impressionLost:
      CodeExplanation(
        "An impression took part in the race for the install, and another one won it.",
        cause: "One impression wins: clicks go before views, and the latest wins. Apple looks at six at most.",
        example: .json(
          #"{"op":"impression","ad":{"network":"a.skadnetwork"}}"#,
          #"{"op":"impression","ad":{"network":"b.skadnetwork"},"after":"1h"}"#, #"{"op":"download","after":"1h"}"#),
        remedy: "Nothing is wrong: this is how the rules decide.", articles: ["Impressions"])
    case .requestFlawed:
      CodeExplanation(
        "The request to a server has a parameter that breaks the API reference, such as a placeholder of a guide's "
          + "sample. It is sent as it is.",
        cause: "The phone was installed with such a value, or the SDK key is still a placeholder.",
        guide: .placeholders,
        example: .shell(
          "skan install --force --app-version 'YOUR APP VERSION' && skan register && "
            + "skan serve -q --model fixtures/models/mixed.json -- skan session"),
        remedy: "Give the value that the app has. 'skan check' finds the same in the requests of a real app.",
        articles: ["Requests", "CheckingTraffic"])
    case .overlaps:
      CodeExplanation(
        "The step begins before the previous step has ended. A phone without the setting completion runs one update "
          + "after the other, with the values and the clock of this order; a real app's calls overlap.",
        cause: "The step's at is between the beginning and the end of the previous step; took is the time between the "
          + "two.",
        guide: .asynchronous, example: .fixture("overlap/without-setting"),
        remedy: "Give the phone \"settings\":{\"completion\":\"deferred\"}, or move the step after that end.",
        articles: ["OverlappingCalls"])
    case .staleRequest:
      CodeExplanation(
        "The request left before the values of an earlier update were stored, so it carries old values: the server "
          + "computes the next value from a state that is one answer behind.",
        cause: "The snippet releases its lock after the call to Apple, but stores the values only when Apple completes "
          + "the call. The next update reads the store in between.", guide: .setValues,
        example: .fixture("overlap/two-calls-at-once"),
        remedy: "In the app, begin an update in the handler of the previous one. On the server, do not treat a "
          + "repeated value as a lost answer.", articles: ["OverlappingCalls"])
    case .completedOutOfOrder:
      CodeExplanation(
        "Apple completed an earlier call after a later one. The app keeps the values of the earlier call, while Apple "
          + "holds those of the later one.",
        cause: "The completion handlers of two calls ran in the opposite order; the snippet stores the values that "
          + "come last.",
        guide: .keptAnyway, example: .fixture("overlap/completed-out-of-order"),
        remedy: "In the app, begin an update in the handler of the previous one.", articles: ["OverlappingCalls"])
    case .storedInLaterWindow:
      CodeExplanation(
        "The update was called in one window, and its values are stored in the next one, or not at all after the last.",
        cause: "The snippet checks the window at the call and reads it again when Apple completes the call. A slow "
          + "answer, or a wait for the lock, can move the completion into the next window.", guide: .keptFine,
        example: .fixture("overlap/slow-server-across-p0"),
        remedy: "On the server, send the postback_sequence_index, and expect values of P0 in P1.",
        articles: ["OverlappingCalls", "Windows"])
    case .killed:
      CodeExplanation(
        "The app's process ended during an update, and the phone, Apple and the server now have different values. The "
          + "message says which values each of them has.",
        cause: "The user or iOS ended the app, or another update crashed it.", guide: .asynchronous,
        example: .fixture("overlap/killed"),
        remedy: "On the server, do not rely on the next request to show the value of this answer.",
        articles: ["OverlappingCalls", "BeliefAndTruth"])
    case .droppedWindowOver:
      CodeExplanation(
        "The session or event was dropped without a request, an error or a handler call. No window is open any more: "
          + "35 days since the first call (SKAN 3: 24 hours since the last).",
        cause: "An old install, or a clock that was set ahead.", guide: .windowOver,
        example: .fixture("hazards/window-over", showsNotes: true),
        remedy: "Nothing, but the app must not wait for its handler.", articles: ["Windows", "Hazards"])
    case .detailsStale:
      CodeExplanation(
        "Reading getSkanDetails right after the call returns the values from before this update. The update is "
          + "asynchronous. In SKAN 4's code as printed, the values are not yet kept even when the handler runs.",
        cause: "The guides' sample of an app's life reads the details in the line after the call.",
        guide: .sessionSample, example: .fixture("life-cycle/session", showsNotes: true),
        remedy: TrafficRule.metadataStale.remedy, articles: ["Hazards", "ServerToServer"])
    case .coarseCleared:
      CodeExplanation(
        "The answer has no coarse value, so the one that the app keeps for this window is removed. Apple clears its "
          + "own, too, unless the setting coarse-without says otherwise. The next update also removes the previous coarse value.",
        cause: "The endpoint leaves skan_updated_coarse_value out. The snippet writes nil, which removes the key.",
        guide: .keptCoarse, example: .fixture("hazards/coarse-cleared", showsNotes: true),
        remedy: "Repeat the current coarse value in every answer of the window.",
        articles: ["Hazards", "BeliefAndTruth"])
    case .revenueOutsideWindows:
      CodeExplanation(
        "The amount counts in the lifetime total and in no window's total. A model that counts by window never sees "
          + "it.",
        cause: "updateRevenue before register, or after the third window.", guide: .revenueOutside,
        example: .fixture("hazards/window-over", showsNotes: true),
        remedy: "Register before the first revenue. After 35 days this is correct.", articles: ["KeptState", "Hazards"])
    case .clockWentBack:
      CodeExplanation(
        "The phone's clock shows an earlier time than before. The snippet does not notice: windows that were over "
          + "reopen, values of P0 are overwritten, and the last call can be earlier than the first call.",
        cause: "The user or the network set the clock back, or a list's at is earlier than the step before.",
        guide: .now, example: .fixture("hazards/clock-set-back", showsNotes: true),
        remedy: "Endpoint: expect such requests; the documented error is Invalid measurement period.",
        articles: ["Windows", "Hazards"])
    case .adRevenueMerged:
      CodeExplanation(
        "SKAN 3 has one total: revenue from ads is added to revenue from purchases. A model cannot tell them apart.",
        cause: "Ad revenue passed to the SKAN 3 snippet, whose updateRevenue has no isAdMonetization.",
        guide: .skan3Revenue, example: .fixture("hazards/skan3-ad-revenue", showsNotes: true),
        remedy: "Leave ad revenue out with SKAN 3, or use a model of all revenue.",
        articles: ["Hazards", "SnippetVersions"])
    case .oddCurrency:
      CodeExplanation(
        "The amount is kept under a currency that is not a code of ISO 4217. \"usd\" and \"USD\" are two sums.",
        cause: "The app passes something other than three capital letters, and nothing checks it.", guide: .revenueSum,
        example: .fixture("hazards/revenue-counted-twice", showsNotes: true),
        remedy: "Pass the code of the transaction in capitals, such as USD.", articles: ["KeptState", "Endpoints"])
    case .answererChanged:
      CodeExplanation(
        "The answerer of this step differs from that of earlier steps. The phone does not notice, and the values of "
          + "two models cannot be combined.", cause: "--model, --endpoint or --answer was given before, but not now.",
        guide: .endpoint,
        example: .shell(
          "skan register -q --state demo.json && skan session -q --state demo.json --model "
            + "fixtures/models/sample.json && skan session --state demo.json"),
        remedy: "Give the same option, or set its variable, such as SKAN_MODEL.", articles: ["Endpoints"])
    case .modelChanged:
      CodeExplanation(
        "The model's file has changed since it last answered this phone. Earlier values keep their old "
          + "meaning.", cause: "The file was edited, or replaced by another model.", guide: .endpoint,
        example: .shell(
          "cp fixtures/models/sample.json demo-model.json && skan register -q --state demo.json && skan session -q "
            + "--state demo.json --model demo-model.json && cp fixtures/models/mixed.json demo-model.json && skan "
            + "session --state demo.json --model demo-model.json"),
        remedy: "Nothing, if the change is intended. 'skan model diff' says what it means for current installs.",
        articles: ["ConversionModels"])
    case .oldFirstCall:
      CodeExplanation(
        "An update of the app keeps the first call of the previous snippet, so register does nothing. Apple never "
          + "receives the 0, no fine value is written, and the windows count from the old start.",
        cause: "skan3 and skan4 keep both timestamps and the purchase revenue under the same keys.", guide: .skan3Start,
        example: .fixture("hazards/skan3-to-skan4", showsNotes: true),
        remedy: "Expect it for every install that is older than the app's update. Such phones may never get a fine "
          + "value.", articles: ["SnippetVersions", "Hazards"])
    case .oddProfile:
      CodeExplanation(
        "The phone has a value that no app gets from iOS: an identifier that is not a UUID or is all zeros, or an empty app "
          + "version or bundle identifier. It is sent as it is.",
        cause: "An option such as --idfv 123, --idfa yes or --app-version '', or the key of a device step.",
        guide: .idfv, example: .replay([#"{"op":"device","idfv":"123"}"#, #"{"op":"register"}"#], options: "-v "),
        remedy: "Give a UUID, or leave the identifier out. A phone without consent has no IDFA.", articles: ["Requests"]
      )
    case .organicInstall:
      CodeExplanation(
        "No ad brought this install: Apple accepts the call without an error, holds nothing and sends no postback.",
        cause: "The device step says \"ad\": false. On a real phone most installs are organic, and no app can tell.",
        guide: .frameworkCall, example: .fixture("belief-and-truth/organic", showsNotes: true),
        remedy: "Nothing is wrong. Leave \"ad\" out to see what an attributed install does.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .windowsDiffer:
      CodeExplanation(
        "The app and Apple count this update in different windows. What the app keeps for P1 can be Apple's value for "
          + "P0.",
        cause: "The snippet counts from its own first call, by the phone's clock. Apple counts from the first call "
          + "that it accepted or, depending on clock-start, from the first launch, and its windows are short in "
          + "Developer Mode.",
        guide: .currentWindow, example: .fixture("hazards/windows-differ", showsNotes: true),
        remedy: "To see what leaves the phone, read 'skan postbacks', not what the app keeps.",
        articles: ["BeliefAndTruth", "Windows"])
    case .ignoredByApple:
      CodeExplanation(
        "The app keeps what it received, but the call changed nothing at Apple. There is no error.",
        cause: "Apple's windows are over or its timer has run out, the value is not higher (ads up to version 3), the "
          + "call has no coarse value after P0, it is the first one and more than 60 days late, or this iOS does not "
          + "know the ad's version.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
        remedy: "The message names the reason. Compare both sides with 'skan details --table'.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .fineIgnored:
      CodeExplanation(
        "Apple accepts a fine value only in its first window; this one does not count. The snippet does not keep it "
          + "after P0 either, but passes it to the handler as a success.",
        cause: "The endpoint has to give some conversion_value in every window; in P1 and P2 only the coarse value "
          + "counts.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/fine-value-after-p0", showsNotes: true),
        remedy: "Nothing is wrong. In later windows answer with the current fine value and a coarse value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .coarseIgnored:
      CodeExplanation(
        "The ad's version (up to 3) has no coarse value, so Apple ignores it. The app keeps it.",
        cause: "The install came from an ad of an older version; no app can tell.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
        remedy: "Nothing is wrong. Such an install has one postback, with a fine value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .lockIgnored:
      CodeExplanation(
        "The ad's version (up to 3) has no lock, so Apple ignores it. The app keeps the time of the lock.",
        cause: "The install came from an ad of an older version; no app can tell.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
        remedy: "Nothing is wrong. Its timer ends 24 hours after the last higher value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .waits:
      CodeExplanation(
        "The update waited for the snippet's lock, which an earlier update held while it waited for its answer.",
        cause:
          "Two calls of the app within one slow answer. The order of waiters is *ours*: Apple's lock promises none.",
        guide: .lockTaken, example: .fixture("overlap/two-calls-at-once", showsNotes: true),
        remedy: "Nothing is wrong. A slow server delays every later update.", articles: ["OverlappingCalls"])
    }
  }
}
