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
        remedy: "Correct the values that the endpoint gave before. Only a new app process continues.",
        articles: ["Hazards"])
    case .installPoisoned:
      CodeExplanation(
        "The app now keeps a string where getSkanDetails needs a number, and reading it crashes the app. So does every "
          + "later request, relaunched or not, until the app is reinstalled. The update itself succeeded.",
        cause: "The endpoint gave conversion_value as a string in P0, or the coarse value as a string in any window: "
          + "\"5\" instead of 5. A string has no stringValue.", guide: .details,
        example: .fixture("hazards/poisoned-by-string-value"),
        remedy: "Send numbers as JSON numbers. In the app, keep only what is an NSNumber.",
        articles: ["Hazards", "Answers"])
    case .appCrashed:
      CodeExplanation(
        "The app crashed in this step; what it keeps is unchanged. The list goes on as after a relaunch.",
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
        "The answer is meant for another window than the phone is in, and the snippet does not read the index. The "
          + "values are kept under the phone's own window.",
        cause: "postback_sequence_index of the answer differs from the window that the phone counts: a late answer, "
          + "another clock, or an endpoint that counts otherwise.", guide: .answerFields,
        example: .fixture("hazards/index-ignored"),
        remedy: "Compute the window from the request's first call, at the time of the answer.",
        articles: ["Answers", "Windows"])
    case .oddType:
      CodeExplanation(
        "A value of the answer has another type than documented, and the snippet uses it unchecked. A fraction is cut "
          + "off for Apple and kept as it came; a string is kept and poisons the install; null crashes.",
        cause: "The endpoint writes 1.7, true, \"5\" or null where a whole number belongs.", guide: .answerFields,
        example: .fixture("hazards/odd-numbers"),
        remedy: "Write whole numbers for the values and true or false for the lock.", articles: ["Answers", "Hazards"])
    case .nameTooLong:
      CodeExplanation(
        "The event's name is sent as it is, with more than 32 characters. The snippet checks nothing.",
        cause: "The app passes a long name; the API reference allows 32 ASCII characters.", guide: .eventName,
        example: .fixture("hazards/event-names"),
        remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
        articles: ["Requests", "Hazards"])
    case .nameNotASCII:
      CodeExplanation(
        "The event's name is sent percent-encoded, with characters that are not ASCII.",
        cause: "The app passes a name in another script; the API reference asks for ASCII.", guide: .eventName,
        example: .fixture("hazards/event-names"),
        remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
        articles: ["Requests", "Hazards"])
    case .plusInName:
      CodeExplanation(
        "The + in the event's name is sent unescaped, and a server that decodes forms reads a space. \"gold+pack\" is "
          + "counted as \"gold pack\".", cause: "URLComponents does not escape a + in a query.", guide: .query,
        example: .fixture("hazards/plus-in-name"), remedy: "Use no + in names of events.",
        articles: ["Requests", "Hazards"])
    case .emptyName:
      CodeExplanation(
        "The event is sent with an empty name. An endpoint that keeps to the reference refuses it.",
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
        "The endpoint refused the request since it has no skan_current_conversion_value, and the phone has none to "
          + "send. Only an answer brings one, so it never gets a value.",
        cause: "The phone was updated from SKAN 3, whose first call stays: register does nothing and writes no 0.",
        guide: .register, example: .fixture("hazards/current-value-missing"),
        remedy: "Let the endpoint take the missing value for 0; a fresh install is the only other way out.",
        articles: ["Hazards", "SnippetVersions"])
    case .ignoredAfterLock:
      CodeExplanation(
        "Apple's window was locked by an earlier call, so Apple keeps the values of the lock and ignores this update. "
          + "There is no error; the app keeps the new values and reports them.",
        cause: "The endpoint goes on giving new values in a window that it locked. A lock prevents nothing in the "
          + "snippet.", guide: .keptLock, example: .fixture("hazards/update-after-lock"),
        remedy: "After a lock, answer without a value until the next window begins.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .frameworkErrorKept:
      CodeExplanation(
        "Apple refused the call, and the app still keeps its values. From then on the two differ; of register "
          + "and SKAN 3 the app does not even see it.",
        cause: "A development build (code 10), a fine value outside 0-63 (code 6), or an error that the list scripts.",
        guide: .keptAnyway, example: .fixture("hazards/framework-error-kept"),
        remedy: "Test with a build from the App Store, and give values from 0 to 63.",
        articles: ["BeliefAndTruth", "Hazards"])
    case .notForwarded:
      CodeExplanation(
        "The app's server reported the step to Singular, and the report was not taken. Errors come with status 200; "
          + "only status ok in the body means that the data arrived.",
        cause: "The endpoint refused the report, gave nothing readable or did not answer, after five tries where that "
          + "helps.", guide: .eventSample,
        example: .list(
          #"{"op":"register"}"#,
          #"{"op":"session","answer":{"json":{"status":"ok"}},"forward":{"answer":{"json":{"status":"error","reason":"missing argument: p"}}}}"#
        ), remedy: "Read the body of the answer, and correct what the reason names.", articles: ["ServerToServer"])
    case .coarseNotMirrored:
      CodeExplanation(
        "An ad of AdAttributionKit brought the install, and Apple mirrors the snippet's call as one with fine value and "
          + "lock. The coarse value stays behind: a first postback of tier 1 and every second and third one has no value.",
        cause: "The snippet calls SKAdNetwork only. Apple's page on interoperability names "
          + "updateConversionValue(_:lockPostback:), which has no coarse value; read less literally it may carry one.",
        guide: .frameworkCall, example: .fixture("adattributionkit/mirror"),
        remedy:
          "To report coarse values to AdAttributionKit for certain, let the app call it as well, after the snippet. "
          + "The setting aak-mirror-coarse shows the other reading.", articles: ["BeliefAndTruth", "AppleFramework"])
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
        "The answer has another HTTP status than 200, and the snippet treats it as if it were 200. It never looks at the "
          + "status. A note if the list gives the answer.",
        cause: "The endpoint, or a proxy before it, sends a good body with a status such as 201 or 500. The API "
          + "reference documents 200, also for errors, which are told in the body.", guide: .okStatus,
        example: .fixture("hazards/status-not-200", showsNotes: true),
        remedy: "Answer with status 200. Tell an error by status and reason in the body.", articles: ["Answers"])
    case .unknownAnswerKey:
      CodeExplanation(
        "The answer has a key that the API reference does not name, and the snippet does not read it. A finding if the key "
          + "resembles a documented one, otherwise or if the list gives the answer a note.",
        cause: "The endpoint misspells a key: skan_updated_coarse, conversionValue. Keys are case-sensitive, and a "
          + "value under another key never arrives.", guide: .documentedAnswer,
        example: .fixture("hazards/unknown-answer-key", showsNotes: true),
        remedy: "Write the keys as documented. Keys that only the endpoint needs may stay.", articles: ["Answers"])
    case .statusNotOK:
      CodeExplanation(
        "The answer has a conversion value, and its status is missing or not exactly \"ok\". The snippet takes the "
          + "value and reads the status of answers without a value only. A note if the list gives the answer.",
        cause: "The endpoint leaves status out, writes \"OK\" or \"success\", or gives an error together with a value.",
        guide: .status, example: .fixture("hazards/status-not-ok", showsNotes: true),
        remedy: "Answer with \"status\":\"ok\" beside a value, and without a value in an error.", articles: ["Answers"])
    case .answerNotJSON:
      CodeExplanation(
        "The phone reads the body, but it is not JSON by RFC 8259: a comma before a closing bracket, a key twice, a "
          + "byte order mark, or another encoding than UTF-8. A note if the list gives the answer.",
        cause: "The endpoint puts its answer together as text. NSJSONSerialization accepts more than the standard; "
          + "other clients, proxies and later versions need not.", guide: .parsing,
        example: .fixture("hazards/answer-not-json", showsNotes: true), remedy: "Let a JSON library write the answer.",
        articles: ["Answers"])
    case .contentTypeNotJSON:
      CodeExplanation(
        "The answer's header Content-Type is not that of JSON. The snippet never looks at it.",
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
        "The same revenue was added before an event whose update failed, and is added again. If the event is tried "
          + "again, the amount counts twice, in the totals and in every later request.",
        cause: "The app calls updateRevenue again when it tries an event again. The snippet keeps what was added, "
          + "whatever becomes of the update. Whether it is the same purchase is not known: the amount, the currency and "
          + "the kind are equal, and the event has not succeeded since.", guide: .revenueRetry,
        example: .fixture("hazards/revenue-counted-twice"),
        remedy: "Call updateRevenue once for each purchase, and only the update when an event is tried again. With "
          + "--idempotency-key 'skan event --revenue' does so.", articles: ["Hazards", "KeptState"])
    case .productionImpression:
      CodeExplanation(
        "The phone is in Developer Mode, and the impression is not one for development: its windows and delays have "
          + "their full length. Apple shortens those of development postbacks only.",
        cause: "The ad has a source app or, of AdAttributionKit, a publisher other than 0. Every web ad of SKAdNetwork "
          + "counts as one for development (Apple, \"Testing ad attributions with Developer Mode\").",
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
        "The ad's link has AdAttributionKitReengagementOpen already, the parameter by which an app knows a "
          + "re-engagement. Any opening by this link then looks like one.",
        cause: "The link was copied from an opened app, or the parameter was added by hand. The system appends it.",
        example: .list(
          #"{"op":"device","ios":"18.0"}"#,
          #"{"op":"aak-reengage","url":"https://example.com/?AdAttributionKitReengagementOpen=t"}"#),
        remedy: "Leave the parameter out of the ad's link.", articles: ["AdAttributionKit"])
    case .countryOfInstall:
      CodeExplanation(
        "The re-engagement names another country than the install had. Its postbacks have the country of the install.",
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
        example: .list(
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
        "The step begins before the one before it has ended. A phone without the setting completion runs one update "
          + "after the other, with the values and the clock of this order; a real app's calls overlap.",
        cause: "An at between the beginning of the step before and its end, which is later by took.",
        guide: .asynchronous, example: .fixture("overlap/without-setting"),
        remedy: "Give the phone \"settings\":{\"completion\":\"deferred\"}, or move the step behind the end.",
        articles: ["OverlappingCalls"])
    case .staleRequest:
      CodeExplanation(
        "The request left before the values of an earlier update were stored, so it carries old ones: the server "
          + "computes the next value from a state that is one answer behind.",
        cause: "The snippet frees its lock when Apple was called, and stores the values when Apple's completion comes. "
          + "The next update reads the store in between.", guide: .setValues,
        example: .fixture("overlap/two-calls-at-once"),
        remedy: "In the app, begin an update in the handler of the one before. On the server, do not take a repeated "
          + "value for a lost answer.", articles: ["OverlappingCalls"])
    case .completedOutOfOrder:
      CodeExplanation(
        "Apple completed an earlier call after a later one. The app keeps the values of the earlier call, Apple holds "
          + "those of the later.",
        cause: "The completion handlers of two calls came in the other order; the snippet stores what comes last.",
        guide: .keptAnyway, example: .fixture("overlap/completed-out-of-order"),
        remedy: "In the app, begin an update in the handler of the one before.", articles: ["OverlappingCalls"])
    case .storedInLaterWindow:
      CodeExplanation(
        "The update was called in one window, and its values are stored in the next, or nowhere after the last.",
        cause: "The window is checked at the call and read again when Apple's completion comes: a slow answer, or a "
          + "wait for the lock, leads across the border.", guide: .keptFine,
        example: .fixture("overlap/slow-server-across-p0"),
        remedy: "On the server, give the postback_sequence_index and expect values of P0 in P1.",
        articles: ["OverlappingCalls", "Windows"])
    case .killed:
      CodeExplanation(
        "The app's process ended during an update, and phone, Apple and server now know different things. The message "
          + "says who has what.",
        cause: "The user or iOS ended the app, or another update crashed it.", guide: .asynchronous,
        example: .fixture("overlap/killed"),
        remedy: "On the server, do not count on the next request to show the value that was given.",
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
        "Reading getSkanDetails right after the call gives the values before this update. The update is asynchronous, "
          + "and in the handler of SKAN 4's code as printed the values are not kept yet either.",
        cause: "The guides' sample of an app's life reads the details in the line after the call.",
        guide: .sessionSample, example: .fixture("life-cycle/session", showsNotes: true),
        remedy: TrafficRule.metadataStale.remedy, articles: ["Hazards", "ServerToServer"])
    case .coarseCleared:
      CodeExplanation(
        "The answer has no coarse value, so the one that the app keeps for this window is removed. Apple clears its "
          + "own, too, unless the setting coarse-without says otherwise; the next update removes the previous one.",
        cause: "The endpoint leaves skan_updated_coarse_value out. The snippet writes nil, which removes the key.",
        guide: .keptCoarse, example: .fixture("hazards/coarse-cleared", showsNotes: true),
        remedy: "Repeat the current coarse value in every answer of the window.",
        articles: ["Hazards", "BeliefAndTruth"])
    case .revenueOutsideWindows:
      CodeExplanation(
        "The amount is in the life-long total and in no window's. A model that counts by window never sees it.",
        cause: "updateRevenue before register, or after the third window.", guide: .revenueOutside,
        example: .fixture("hazards/window-over", showsNotes: true),
        remedy: "Register before the first revenue. After 35 days this is correct.", articles: ["KeptState", "Hazards"])
    case .clockWentBack:
      CodeExplanation(
        "The phone's clock shows an earlier time than before. The snippet notices nothing: windows that were over "
          + "reopen, values of P0 are overwritten, and last call can be earlier than first call.",
        cause: "The user or the network set the clock back, or a list's at is earlier than the step before.",
        guide: .now, example: .fixture("hazards/clock-set-back", showsNotes: true),
        remedy: "Endpoint: expect such requests; the documented error is Invalid measurement period.",
        articles: ["Windows", "Hazards"])
    case .adRevenueMerged:
      CodeExplanation(
        "SKAN 3 has one total: revenue from ads is added to that of purchases. A model cannot tell them apart.",
        cause: "Ad revenue passed to the SKAN 3 snippet, whose updateRevenue has no isAdMonetization.",
        guide: .skan3Revenue, example: .fixture("hazards/skan3-ad-revenue", showsNotes: true),
        remedy: "Leave ad revenue out with SKAN 3, or use a model of all revenue.",
        articles: ["Hazards", "SnippetVersions"])
    case .oddCurrency:
      CodeExplanation(
        "The amount is kept under a currency that is not a code of ISO 4217. \"usd\" and \"USD\" are two sums.",
        cause: "The app passes another form than three capital letters; nothing checks it.", guide: .revenueSum,
        example: .fixture("hazards/revenue-counted-twice", showsNotes: true),
        remedy: "Pass the code of the transaction in capitals, such as USD.", articles: ["KeptState", "Endpoints"])
    case .answererChanged:
      CodeExplanation(
        "The answerer of this step differs from that of the steps before. The phone does not notice; values of two "
          + "models do not go together.", cause: "--model, --endpoint or --answer was given before and is not now.",
        guide: .endpoint,
        example: .shell(
          "skan register -q --state demo.json && skan session -q --state demo.json --model "
            + "fixtures/models/sample.json && skan session --state demo.json"),
        remedy: "Give the same option, or set its variable, such as SKAN_MODEL.", articles: ["Endpoints"])
    case .modelChanged:
      CodeExplanation(
        "The model's file has other content than when it answered this phone last. Values that were given before keep "
          + "their old meaning.", cause: "The file was edited, or replaced by another model.", guide: .endpoint,
        example: .shell(
          "cp fixtures/models/sample.json demo-model.json && skan register -q --state demo.json && skan session -q "
            + "--state demo.json --model demo-model.json && cp fixtures/models/mixed.json demo-model.json && skan "
            + "session --state demo.json --model demo-model.json"),
        remedy: "Nothing, if that was meant. 'skan model diff' says what the change means for installs under way.",
        articles: ["ConversionModels"])
    case .oldFirstCall:
      CodeExplanation(
        "An update of the app keeps the first call of the snippet before, so register does nothing. Apple never gets "
          + "its 0, no fine value is written, and the windows count from the old start.",
        cause: "skan3 and skan4 keep both timestamps and the purchase revenue under the same keys.", guide: .skan3Start,
        example: .fixture("hazards/skan3-to-skan4", showsNotes: true),
        remedy: "Expect it for every install that is older than the app's update; such phones can lack a fine value "
          + "for good.", articles: ["SnippetVersions", "Hazards"])
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
        "No ad brought this install: Apple takes the call without an error, holds nothing and sends no postback.",
        cause: "The device step says \"ad\": false. On a real phone most installs are organic, and no app can tell.",
        guide: .frameworkCall, example: .fixture("belief-and-truth/organic", showsNotes: true),
        remedy: "Nothing is wrong. Leave \"ad\" out to see what an attributed install does.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .windowsDiffer:
      CodeExplanation(
        "The app counts this update in another window than Apple does. What the app keeps for P1 can be Apple's value "
          + "of P0.",
        cause: "The snippet counts from its own first call and the phone's clock; Apple from the first call that it "
          + "took, in Developer Mode with short windows, and by clock-start from the first launch.",
        guide: .currentWindow, example: .fixture("hazards/windows-differ", showsNotes: true),
        remedy: "Read what leaves the phone from 'skan postbacks', not from what the app keeps.",
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
        "Apple takes a fine value in its first window only; this one does not count. The snippet does not keep it "
          + "after P0 either, but hands it to the handler as a success.",
        cause: "The endpoint has to give some conversion_value in every window; in P1 and P2 only the coarse value "
          + "counts.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/fine-value-after-p0", showsNotes: true),
        remedy: "Nothing is wrong. In later windows answer with the current fine value and a coarse value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .coarseIgnored:
      CodeExplanation(
        "The ad's version, up to 3, has no coarse value: Apple ignores it. The app keeps it.",
        cause: "The install came from an ad of an older version; no app can tell.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
        remedy: "Nothing is wrong. Such an install has one postback, with a fine value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .lockIgnored:
      CodeExplanation(
        "The ad's version, up to 3, has no lock: Apple ignores it. The app keeps the time of the lock.",
        cause: "The install came from an ad of an older version; no app can tell.", guide: .frameworkCall,
        example: .fixture("belief-and-truth/ad-of-version-3", showsNotes: true),
        remedy: "Nothing is wrong. Its timer ends 24 hours after the last higher value.",
        articles: ["BeliefAndTruth", "AppleFramework"])
    case .waits:
      CodeExplanation(
        "The update waited for the snippet's lock, which an update before it held while its answer was on its way.",
        cause:
          "Two calls of the app within one slow answer. The order of waiters is *ours*: Apple's lock promises none.",
        guide: .lockTaken, example: .fixture("overlap/two-calls-at-once", showsNotes: true),
        remedy: "Nothing is wrong. A slow server makes every update behind it late.", articles: ["OverlappingCalls"])
    }
  }
}
