/// A request went out.
extension OutcomeTexts {
  static var updated: CodeExplanation {
    CodeExplanation(
      phone: "The answer was taken: Apple's framework was called with its values, the handler got them, and the app "
        + "keeps them. The handler runs before the values are kept (SKAN 3: after). A fine value is kept in P0 only.",
      cause:
        "The endpoint answered with a conversion_value from 0 to 63 and, if at all, a coarse value from 0 to 2. The "
        + "HTTP status is not looked at, and a value counts beside a status of error, too.",
      code: .setValues,
      command: Reproduction.list(
        #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":1,"status":"ok"}}}"#),
      remedy: "Nothing is wrong. Look at the notes of the step: Apple may hold something else than the app.",
      articles: ["Operations", "BeliefAndTruth"])
  }

  static var frameworkError: CodeExplanation {
    CodeExplanation(
      phone:
        "Apple's framework refused the call, and the app keeps the values all the same. The handler gets the error "
        + "and no values; from then on the app reports what Apple does not hold.",
      cause:
        "A fine value outside 0-63 (code 6), an app that is not from the App Store (code 10), or an error that the "
        + "list scripts with framework_error.",
      code: .keptAnyway,
      command: Reproduction.fixture("hazards/framework-error-kept"),
      remedy: "Test with a build from the App Store; of a development build the error says nothing about "
        + "the values. Do not take what the app keeps for what Apple sends.",
      articles: ["Hazards", "AppleFramework"])
  }

  static var noUpdate: CodeExplanation {
    CodeExplanation(
      phone: "The endpoint said ok and gave no value: nothing changes, and the handler is never called. It is the "
        + "ordinary answer of a working endpoint that has nothing to update.",
      cause: "An answer without conversion_value whose status is exactly ok.",
      code: .status,
      command: Reproduction.fixture("hazards/no-update"),
      remedy: "The app must not wait for its handler: continue without it, or with a timer.",
      articles: ["Hazards", "Answers"])
  }

  static var serverError: CodeExplanation {
    CodeExplanation(
      phone:
        "The endpoint gave an error and no value: nothing changes, and the handler gets its reason. Without a reason "
        + "the handler gets \"Got error from server\".",
      cause:
        "An answer without conversion_value whose status is not exactly ok, as OK is not. The guides list the reasons, "
        + "such as a missing model, an invalid parameter or a closed window.",
      code: .reason,
      command: Reproduction.list(
        #"{"op":"register"}"#,
        #"{"op":"session","answer":{"json":{"status":"error","reason":"Unknown platform error"}}}"#),
      remedy: "Read the reason. 'skan serve --model FILE' gives the same reasons for the same requests and says why in "
        + "X-SKAN-Explanation.",
      articles: ["Endpoints", "Answers"])
  }

  static var unparsable: CodeExplanation {
    CodeExplanation(
      phone:
        "The answer is not a JSON object: nothing changes, and the handler gets \"Failed parsing server response\". "
        + "The lock is released.",
      cause:
        "An empty body, HTML of a proxy, a truncated object, a bare value, text behind the object, or bytes that are "
        + "not UTF-8. The test endpoint answers so from the fourth call on.",
      code: .unparsable,
      command: Reproduction.list(
        #"{"op":"register"}"#, #"{"op":"session","answer":{"text":"<html>502 Bad Gateway</html>"}}"#),
      remedy: "Let the endpoint answer every request with one JSON object, errors too.",
      articles: ["Answers", "Endpoints"])
  }

  static var illegalValues: CodeExplanation {
    CodeExplanation(
      phone:
        "A value is out of range: the handler gets \"Illegal values recieved\" and nothing is kept. The code returns "
        + "without the unlock that every other path has, so every later update of this app process waits for ever.",
      cause: "The endpoint gave a fine value outside 0-63, or a coarse value outside 0-2 (not checked by skan4-beta).",
      code: .validation,
      command: Reproduction.fixture("hazards/illegal-fine-value"),
      remedy: "Keep the endpoint's values in range. In the app, add [lockObject unlock] before that return.",
      articles: ["Hazards", "Answers"])
  }

  static var transportError: CodeExplanation {
    CodeExplanation(
      phone: "No answer came: nothing changes, and the handler gets the error of the connection. The lock is released; "
        + "nothing is tried again.",
      cause: "The endpoint could not be reached or did not answer in time, or the list scripts it with "
        + "\"answer\":{\"error\":…}.",
      code: .transportError,
      command: Reproduction.list(
        #"{"op":"register"}"#, #"{"op":"session","answer":{"error":"timed out"}}"#),
      remedy: "Retry the update in the app, but not updateRevenue: it would count the amount twice.",
      articles: ["Operations", "Hazards"])
  }

  static var notHigher: CodeExplanation {
    CodeExplanation(
      phone:
        "The value is not higher than the one that is kept, so SKAN 3 ignores it. The handler is not called, and the "
        + "last call does not move. Nothing kept counts as 0, so a first answer of 0 changes nothing.",
      cause:
        "The endpoint answered with the same or a lower value. A value above 63 that was kept once hides every legal "
        + "one after it.",
      code: .skan3NotHigher,
      command: Reproduction.fixture("hazards/skan3-not-higher"),
      remedy: "Let a model for SKAN 3 give rising values only, from 1 on and up to 63.",
      articles: ["Operations", "SnippetVersions"])
  }

  static var iosTooOld: CodeExplanation {
    CodeExplanation(
      phone:
        "This iOS has no call for it, so nothing is called or kept. SKAN 4 looks at the version only after a valid "
        + "answer has come: the request goes out, and the handler is never called.",
      cause:
        "register below iOS 15.4 (skan4), 16.1 (skan4-beta) or 11.3 (skan3); an update below 15.4 or, with SKAN 3, "
        + "below 14.",
      code: .availability,
      command: Reproduction.fixture("hazards/ios-too-old"),
      remedy: "Do not count on values of such phones; the app can check the version before it calls.",
      articles: ["SnippetVersions", "Hazards"])
  }

  static var crashed: CodeExplanation {
    CodeExplanation(
      phone:
        "The app crashes, and what it keeps is unchanged. The handler is not called; the lock goes with the process. "
        + "The list goes on as after a relaunch.",
      cause:
        "An answer with null, an array or an object where a number is read, a body that is an array, a status that is "
        + "not a string; or the install keeps a string, so that building the request or reading the details crashes.",
      code: .answerFields,
      command: Reproduction.fixture("hazards/crash-null-value"),
      remedy: "Leave out what has no value instead of sending null, and send numbers as numbers.",
      articles: ["Hazards", "Answers"])
  }
}
