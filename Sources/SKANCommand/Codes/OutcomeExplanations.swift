import SKANCommandLine
import SKANDevice

extension Outcome {
  var explanation: CodeExplanation {
    switch self {
    case .registered:
      CodeExplanation(
        "The first call into Apple's framework was made, with value 0. First call and last call are kept, and the "
          + "windows of SKAN 4 count from now (SKAN 3: updates stay open for 24 hours after each call).",
        cause: "register on a phone without a first call, on an iOS that the snippet registers on.", guide: .register,
        example: .list(#"{"op":"register"}"#),
        remedy: "Nothing is wrong. Call it as early as possible at the first launch.",
        articles: ["Operations", "Windows"])
    case .alreadyRegistered:
      CodeExplanation(
        "A first call is on record, so register does nothing. The windows go on counting from then.",
        cause: "register at a later launch, or after an update from SKAN 3, which keeps its first call under the same "
          + "key.", guide: .register, example: .list(#"{"op":"register"}"#, #"{"op":"register","after":"1d"}"#),
        remedy: "Nothing is wrong, unless the app moved from SKAN 3: the windows then count from the old start.",
        articles: ["Operations", "SnippetVersions"])
    case .updated:
      CodeExplanation(
        "The answer was accepted: Apple's framework was called with its values, the handler received them, and the app "
          + "keeps them. The handler runs before the values are kept (SKAN 3: after). A fine value is kept in P0 only.",
        cause: "The endpoint answered with a conversion_value from 0 to 63 and, if at all, a coarse value from 0 to 2. "
          + "The snippet ignores the HTTP status, and it uses a value even if the status in the answer is "
          + "error.", guide: .setValues,
        example: .list(
          #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":1,"status":"ok"}}}"#),
        remedy: "Nothing is wrong. Look at the notes of the step: Apple's values can differ from the app's.",
        articles: ["Operations", "BeliefAndTruth"])
    case .frameworkError:
      CodeExplanation(
        "Apple's framework refused the call, and the app still keeps the values. The handler receives the error and no "
          + "values. From then on, the app reports values that Apple does not have.",
        cause: "A fine value outside 0-63 (code 6), an app that is not from the App Store (code 10), or an error that "
          + "the list scripts with framework_error.", guide: .keptAnyway,
        example: .fixture("hazards/framework-error-kept"),
        remedy: "Test with a build from the App Store; with a development build, the error says nothing about the "
          + "values. Do not assume that Apple sends what the app keeps.", articles: ["Hazards", "AppleFramework"])
    case .noUpdate:
      CodeExplanation(
        "The endpoint answered ok without a value: nothing changes, and the handler is never called. This is the "
          + "normal answer of a working endpoint that has nothing to update.",
        cause: "An answer without conversion_value whose status is exactly ok.", guide: .status,
        example: .fixture("hazards/no-update"),
        remedy: "The app must not wait for its handler: continue without it, or with a timer.",
        articles: ["Hazards", "Answers"])
    case .serverError:
      CodeExplanation(
        "The endpoint answered with an error and without a value: nothing changes, and the handler receives its "
          + "reason. Without a reason, the handler receives \"Got error from server\".",
        cause: "An answer without conversion_value whose status is not exactly ok; OK in capitals does not count. The "
          + "guides list the reasons, such as a missing model, an invalid parameter or a closed "
          + "window.", guide: .reason,
        example: .list(
          #"{"op":"register"}"#,
          #"{"op":"session","answer":{"json":{"status":"error","reason":"Unknown platform error"}}}"#),
        remedy: "Read the reason. 'skan serve --model FILE' gives the same reasons for the same requests and says why "
          + "in X-SKAN-Explanation.", articles: ["Endpoints", "Answers"])
    case .unparsable:
      CodeExplanation(
        "The answer is not a JSON object: nothing changes, and the handler gets \"Failed parsing server response\". "
          + "The lock is released.",
        cause: "An empty body, HTML from a proxy, a truncated object, a bare value, text behind the object, or bytes "
          + "that are not UTF-8. The test endpoint answers like this from the fourth call on, if the empty string in "
          + "its guide is the body. If the guide means \"conversion_value\":\"\" instead, SKAN 3 would ignore it, and "
          + "SKAN 4 would be poisoned.",
        guide: .unparsable,
        example: .list(#"{"op":"register"}"#, #"{"op":"session","answer":{"text":"<html>502 Bad Gateway</html>"}}"#),
        remedy: "Let the endpoint answer every request with one JSON object, including errors.",
        articles: ["Answers", "Endpoints"])
    case .illegalValues:
      CodeExplanation(
        "A value is out of range: the handler gets \"Illegal values recieved\" and nothing is kept. The code returns "
          + "without the unlock that every other path has, so every later update of this app process waits forever.",
        cause: "The endpoint gave a fine value outside 0-63, or a coarse value outside 0-2 (not checked by "
          + "skan4-beta).", guide: .validation, example: .fixture("hazards/illegal-fine-value"),
        remedy: "Keep the endpoint's values in range. In the app, add [lockObject unlock] before that return.",
        articles: ["Hazards", "Answers"])
    case .transportError:
      CodeExplanation(
        "No answer came: nothing changes, and the handler receives the connection error. The lock is released, and the "
          + "snippet does not retry.",
        cause: "The endpoint could not be reached or did not answer in time, or the list scripts it with "
          + "\"answer\":{\"error\":…}.", guide: .transportError,
        example: .list(#"{"op":"register"}"#, #"{"op":"session","answer":{"error":"timed out"}}"#),
        remedy: "Retry the update in the app, but not updateRevenue: it would count the amount twice.",
        articles: ["Operations", "Hazards"])
    case .windowOver:
      CodeExplanation(
        "All windows are over, so the update is dropped: no request, no error, no handler call. SKAN 4 counts 35 days "
          + "from the first call, SKAN 3 24 hours from the last call. At the exact end, the windows are already over.",
        cause: "A session or an event after that time, or a clock that was set ahead.", guide: .windowOver,
        example: .fixture("hazards/window-over"),
        remedy: "Nothing is wrong with an old install. The app must not wait for its handler.",
        articles: ["Windows", "Hazards"])
    case .notRegistered:
      CodeExplanation(
        "The app never registered, and the snippet behaves as if all windows were over: no request, no error, no handler "
          + "call. The first call reads as 0, so the time since then is the whole Unix time.",
        cause: "A session or an event before register, or an iOS on which register does nothing.", guide: .windowRule,
        example: .fixture("hazards/event-before-register"),
        remedy: "Call register at launch, before the first session.", articles: ["Windows", "Hazards"])
    case .blocked:
      CodeExplanation(
        "The update waits forever for the snippet's lock: no request, no handler call, and one more thread that never "
          + "ends. register, revenue and details still work.",
        cause: "An earlier answer in this app process had illegal values, and the snippet did not release its lock.",
        guide: .lockTaken, example: .fixture("hazards/illegal-fine-value"),
        remedy: "Correct the earlier value of the endpoint. A relaunch of the app frees the lock.",
        articles: ["Hazards"])
    case .notHigher:
      CodeExplanation(
        "The value is not higher than the kept value, so SKAN 3 ignores it. The handler is not called, and the time of "
          + "the last call does not change. SKAN 3 treats a missing value as 0, so a first answer of 0 changes "
          + "nothing.",
        cause: "The endpoint answered with the same or a lower value. Once the app keeps a value above 63, SKAN 3 "
          + "ignores every legal value after "
          + "it.", guide: .skan3NotHigher, example: .fixture("hazards/skan3-not-higher"),
        remedy: "Use a model for SKAN 3 whose values only rise, from 1 to 63.",
        articles: ["Operations", "SnippetVersions"])
    case .iosTooOld:
      CodeExplanation(
        "This version of iOS does not have the call, so nothing is called or kept. SKAN 4 checks the version only "
          + "after a valid answer: the request is sent, and the handler is never called.",
        cause: "register below iOS 15.4 (skan4), 16.1 (skan4-beta) or 11.3 (skan3); an update below 15.4 or, with SKAN "
          + "3, below 14.", guide: .availability, example: .fixture("hazards/ios-too-old"),
        remedy: "Do not rely on values from such phones. The app can check the version before it calls.",
        articles: ["SnippetVersions", "Hazards"])
    case .crashed:
      CodeExplanation(
        "The app crashes, and what it keeps is unchanged. The handler is not called, and the lock ends with the "
          + "process. The list continues as after a relaunch.",
        cause: "An answer with null, an array or an object where a number is read, a body that is an array, a status "
          + "that is not a string; or the install keeps a string, so that building the request or reading the details "
          + "crashes.", guide: .answerFields, example: .fixture("hazards/crash-null-value"),
        remedy: "Leave out fields without a value instead of sending null, and send numbers as numbers.",
        articles: ["Hazards", "Answers"])
    case .added:
      CodeExplanation(
        "The amount was added to the sums of its currency: the lifetime total and the window's total. SKAN 4 adds in "
          + "single precision, SKAN 3 has one total for all revenue. No request is sent, and Apple is not called. An "
          + "impression was added to those that the phone has recorded.",
        cause: "updateRevenue with an amount other than 0 and a currency; a negative amount is a refund. Or an ad for "
          + "the app that the phone records.",
        guide: .revenueSum, example: .list(#"{"op":"register"}"#, #"{"op":"revenue","amount":9.99,"currency":"USD"}"#),
        remedy: "Nothing is wrong. Call it before the event's update, and not again when the update is retried.",
        articles: ["Operations", "KeptState"])
    case .ignored:
      CodeExplanation(
        "Nothing was added or changed, and there is no error: the snippet returns at once, or AdAttributionKit has nothing "
          + "pending.",
        cause: "An amount of 0, no currency, SKAN 3 on an iOS below 14, or an idempotency key that was seen before; "
          + "for AdAttributionKit, no conversion that accepts the call, or an impression that is not eligible; a view "
          + "that was too short.",
        guide: .revenue, example: .list(#"{"op":"revenue","amount":0,"currency":"USD"}"#),
        remedy: "Pass the amount and an ISO 4217 currency code.", articles: ["Operations"])
    case .read:
      CodeExplanation(
        "What the app keeps was read, or what has left the phone. details shows what getSkanDetails returns, and "
          + "postbacks shows what Apple's framework "
          + "sends.", cause: "The steps details and postbacks; they change nothing.",
        guide: .details, example: .list(#"{"op":"register"}"#, #"{"op":"details"}"#), remedy: "Nothing is wrong.",
        articles: ["KeptState", "Postbacks"])
    case .relaunched:
      CodeExplanation(
        "A new app process began: the lock is free again, and all kept values stay.",
        cause: "The step relaunch. A crash and an update of the app or of iOS have the same effect.", guide: .lockTaken,
        example: .list(#"{"op":"relaunch"}"#),
        remedy: "Nothing is wrong. If updates only work after it, look for lock-leaked before.",
        articles: ["Operations", "Hazards"])
    case .set:
      CodeExplanation(
        "The phone was installed afresh, or its iOS, app version or snippet changed. A fresh install keeps nothing; an "
          + "update keeps everything and starts the app anew.", cause: "The steps device, update and download.",
        guide: .skan3Start, example: .list(#"{"op":"device","ios":"17.4","snippet":"skan4"}"#),
        remedy: "Nothing is wrong. An update from skan3 to skan4 keeps the old first call: see old-first-call.",
        articles: ["SnippetVersions", "KeptState"])
    case .forwarded:
      CodeExplanation(
        "The app's server reported a session or an event with the phone's metadata, and the report was accepted.",
        cause: "The step s2s, or a session or event with \"forward\". The guides ask servers to report every session "
          + "and event.",
        guide: .eventSample, example: .fixture("life-cycle/server-to-server"),
        remedy: "Nothing is wrong. Forward what getSkanDetails gives after the answer, not before: see details-stale.",
        articles: ["ServerToServer"])
    case .adAttributionKitError:
      CodeExplanation(
        "AdAttributionKit refused the app's direct call with an error, and nothing changes.",
        cause: "A conversion tag that no conversion has or that the app may not use, or a fine value outside 0-63.",
        example: .fixture("adattributionkit/tags"),
        remedy: "Take the tag from the link that opened the app, and allow overlapping conversions in Info.plist.",
        articles: ["AppleFramework"])
    case .opened:
      CodeExplanation(
        "A click on an ad opened the app, and a re-engagement of AdAttributionKit began. What was pending before is locked "
          + "or dropped, unless the app allows overlapping conversions.",
        cause: "The step aak-reengage on iOS 18.0 or later, with an impression that is eligible for re-engagement.",
        example: .fixture("adattributionkit/re-engagement"),
        remedy: "Nothing is wrong. The app has two days for the first update of the re-engagement.",
        articles: ["AppleFramework", "Postbacks"])
    case .killed:
      CodeExplanation(
        "The app's process ended while this update was under way: it waited for the lock, for its answer, or for "
          + "Apple's completion. Nothing is stored, and the handler never runs.",
        cause: "A relaunch, an update of the app or of iOS, or a crash, on a phone whose updates overlap (setting "
          + "completion).", guide: .asynchronous, example: .fixture("overlap/killed"),
        remedy: "If the server has not counted the event, send it again at the next launch. The finding killed says "
          + "which values the server, Apple and the app have.", articles: ["OverlappingCalls"])
    case .uncompleted:
      CodeExplanation(
        "Apple's framework was called and never calls its completion handler: the snippet stores nothing, and the "
          + "app's handler never runs. The lock is free, so later updates go on.",
        cause: "The setting completion with the value never. Apple documents the handler for errors only.",
        guide: .keptAnyway,
        example: .list(
          #"{"op":"device","settings":{"completion":"never"}}"#, #"{"op":"register"}"#,
          #"{"op":"session","answer":{"json":{"conversion_value":1,"skan_updated_coarse_value":0,"status":"ok"}}}"#),
        remedy: "Do not let the app wait for its handler.", articles: ["OverlappingCalls"])
    }
  }
}
