import SKANTraffic

/// What an answer does to the app.
extension WarningTexts {
  static var handlerNotCalled: CodeExplanation {
    CodeExplanation(
      phone: "A request went out, and the app's completion handler is never called. Code that waits for it never runs.",
      cause:
        "An answer that is ok and has no value, a value that is not higher (SKAN 3), or an iOS below 15.4, which is "
        + "found out only after a valid answer (SKAN 4).",
      code: .status,
      command: Reproduction.fixture("hazards/no-update"),
      remedy: "Do not let the app wait for its handler: continue without it, or set a timer.",
      articles: ["Hazards", "Operations"])
  }

  static var lockLeaked: CodeExplanation {
    CodeExplanation(
      phone:
        "The snippet refused the answer's values and left its lock held. Every later update of this app process waits "
        + "for it for ever: no request, no handler call, one more thread each time. A relaunch frees it.",
      cause:
        "The endpoint gave a fine value outside 0-63, or a coarse value outside 0-2. The failed check returns without "
        + "the [lockObject unlock] that every other path has.",
      code: .validation,
      command: Reproduction.fixture("hazards/illegal-fine-value"),
      remedy: "Keep the endpoint's values in range. In the app, add [lockObject unlock] before that return.",
      articles: ["Hazards", "Answers"])
  }

  static var blocked: CodeExplanation {
    CodeExplanation(
      phone:
        "This update waits for ever for the lock that an earlier answer leaked: no request goes out, and the handler is "
        + "never called.",
      cause: "An earlier answer in this app process had illegal values; see lock-leaked.",
      code: .lockTaken,
      command: Reproduction.fixture("hazards/illegal-fine-value"),
      remedy: "Correct the values that the endpoint gave before. Only a new app process goes on.",
      articles: ["Hazards"])
  }

  static var installPoisoned: CodeExplanation {
    CodeExplanation(
      phone:
        "The app now keeps a string where getSkanDetails needs a number, and reading it crashes the app. So does every "
        + "later request, relaunched or not, until the app is installed anew. The update itself succeeded.",
      cause:
        "The endpoint gave conversion_value as a string in P0, or the coarse value as a string in any window: \"5\" "
        + "instead of 5. A string has no stringValue.",
      code: .details,
      command: Reproduction.fixture("hazards/poisoned-by-string-value"),
      remedy: "Send numbers as JSON numbers. In the app, keep only what is an NSNumber.",
      articles: ["Hazards", "Answers"])
  }

  static var appCrashed: CodeExplanation {
    CodeExplanation(
      phone: "The app crashed in this step; what it keeps is unchanged. The list goes on as after a relaunch.",
      cause:
        "null, an array or an object where the snippet reads a number, a boolean or a string; a body that is an array; or "
        + "a poisoned install. The code's @try blocks surround other calls.",
      code: .answerFields,
      command: Reproduction.fixture("hazards/crash-null-value"),
      remedy: "Leave out fields without a value, and answer errors with an object, too.",
      articles: ["Hazards", "Answers"])
  }

  static var indexMismatch: CodeExplanation {
    CodeExplanation(
      phone:
        "The answer is meant for another window than the phone is in, and the snippet does not read the index. The values "
        + "are kept under the phone's own window.",
      cause:
        "postback_sequence_index of the answer differs from the window that the phone counts: a late answer, another "
        + "clock, or an endpoint that counts otherwise.",
      code: .answerFields,
      command: Reproduction.fixture("hazards/index-ignored"),
      remedy: "Compute the window from the request's first call, at the time of the answer.",
      articles: ["Answers", "Windows"])
  }

  static var oddType: CodeExplanation {
    CodeExplanation(
      phone:
        "A value of the answer has another type than documented, and the snippet uses it unchecked. A fraction is cut off "
        + "for Apple and kept as it came; a string is kept and poisons the install; null crashes.",
      cause: "The endpoint writes 1.7, true, \"5\" or null where a whole number belongs.",
      code: .answerFields,
      command: Reproduction.fixture("hazards/odd-numbers"),
      remedy: "Write whole numbers for the values and true or false for the lock.",
      articles: ["Answers", "Hazards"])
  }

  static var coarseCleared: CodeExplanation {
    CodeExplanation(
      phone:
        "The answer has no coarse value, so the one that the app keeps for this window is removed. Apple clears its "
        + "own, too, unless the setting coarse-without says otherwise; the next update removes the previous one.",
      cause: "The endpoint leaves skan_updated_coarse_value out. The snippet writes nil, which removes the key.",
      code: .keptCoarse,
      command: Reproduction.fixture("hazards/coarse-cleared", showsNotes: true),
      remedy: "Repeat the current coarse value in every answer of the window.",
      articles: ["Hazards", "BeliefAndTruth"])
  }

  static var detailsStale: CodeExplanation {
    CodeExplanation(
      phone:
        "Reading getSkanDetails right after the call gives the values before this update. The update is asynchronous, and "
        + "in the handler of SKAN 4's code as printed the values are not kept yet either.",
      cause: "The guides' sample of an app's life reads the details in the line after the call.",
      code: .sessionSample,
      command: Reproduction.fixture("life-cycle/session", showsNotes: true),
      remedy: TrafficRule.metadataStale.remedy,
      articles: ["Hazards", "ServerToServer"])
  }
}
