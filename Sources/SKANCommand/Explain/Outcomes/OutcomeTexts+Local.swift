/// No request went out.
extension OutcomeTexts {
  static var registered: CodeExplanation {
    CodeExplanation(
      phone: "The first call into Apple's framework was made, with value 0. First call and last call are kept, and the "
        + "windows of SKAN 4 count from now (SKAN 3: updates stay open for 24 hours after each call).",
      cause: "register on a phone without a first call, on an iOS that the snippet registers on.",
      code: .register,
      command: Reproduction.list(#"{"op":"register"}"#),
      remedy: "Nothing is wrong. Call it as early as possible at the first launch.",
      articles: ["Operations", "Windows"])
  }

  static var alreadyRegistered: CodeExplanation {
    CodeExplanation(
      phone: "A first call is on record, so register does nothing. The windows go on counting from then.",
      cause:
        "register at a later launch, or after an update from SKAN 3, which keeps its first call under the same key.",
      code: .register,
      command: Reproduction.list(#"{"op":"register"}"#, #"{"op":"register","after":"1d"}"#),
      remedy: "Nothing is wrong, but after a move from SKAN 3: then the windows count from the old start.",
      articles: ["Operations", "SnippetVersions"])
  }

  static var windowOver: CodeExplanation {
    CodeExplanation(
      phone:
        "All windows are over, so the update is dropped: no request, no error, no handler call. SKAN 4 counts 35 days "
        + "from the first call, SKAN 3 24 hours from the last call; the very end is over already.",
      cause: "A session or an event after that time, or a clock that was set ahead.",
      code: .windowOver,
      command: Reproduction.fixture("hazards/window-over"),
      remedy: "Nothing is wrong with an old install. The app must not wait for its handler.",
      articles: ["Windows", "Hazards"])
  }

  static var notRegistered: CodeExplanation {
    CodeExplanation(
      phone:
        "The app never registered, which the snippet takes for all windows over: no request, no error, no handler call. "
        + "The first call reads as 0, so the time since then is the whole Unix time.",
      cause: "A session or an event before register, or an iOS on which register does nothing.",
      code: .windowRule,
      command: Reproduction.fixture("hazards/event-before-register"),
      remedy: "Call register at launch, before the first session.",
      articles: ["Windows", "Hazards"])
  }

  static var blocked: CodeExplanation {
    CodeExplanation(
      phone:
        "The update waits for ever for the snippet's lock: no request, no handler call, and one more thread that never "
        + "ends. register, revenue and details go on.",
      cause: "An earlier answer in this app process had illegal values, and the snippet did not release its lock.",
      code: .lockTaken,
      command: Reproduction.fixture("hazards/illegal-fine-value"),
      remedy: "Correct the endpoint's value that came before. A relaunch of the app frees the lock.",
      articles: ["Hazards"])
  }

  static var added: CodeExplanation {
    CodeExplanation(
      phone:
        "The amount was added to the sums of its currency: the life-long one and that of the window. SKAN 4 adds in "
        + "single precision, SKAN 3 has one total for all revenue. No request goes out, and Apple is not called.",
      cause: "updateRevenue with an amount other than 0 and a currency; a negative amount is a refund.",
      code: .revenueSum,
      command: Reproduction.list(
        #"{"op":"register"}"#, #"{"op":"revenue","amount":9.99,"currency":"USD"}"#),
      remedy: "Nothing is wrong. Call it before the event's update, and not again when the update is retried.",
      articles: ["Operations", "KeptState"])
  }

  static var ignored: CodeExplanation {
    CodeExplanation(
      phone: "Nothing was added. The snippet returns at once, without an error.",
      cause: "An amount of 0, no currency, SKAN 3 on an iOS below 14, or an idempotency key that was seen before.",
      code: .revenue,
      command: Reproduction.list(#"{"op":"revenue","amount":0,"currency":"USD"}"#),
      remedy: "Pass the amount and an ISO 4217 currency code.",
      articles: ["Operations"])
  }

  static var read: CodeExplanation {
    CodeExplanation(
      phone:
        "What the app keeps was read, or what has left the phone. details gives what getSkanDetails returns, postbacks "
        + "what Apple's framework sends.",
      cause: "The steps details and postbacks; they change nothing.",
      code: .details,
      command: Reproduction.list(#"{"op":"register"}"#, #"{"op":"details"}"#),
      remedy: "Nothing is wrong.",
      articles: ["KeptState", "Postbacks"])
  }

  static var relaunched: CodeExplanation {
    CodeExplanation(
      phone: "A new app process began: the lock is free again, what was kept stays.",
      cause: "The step relaunch. A crash and an update of the app or of iOS have the same effect.",
      code: .lockTaken,
      command: Reproduction.list(#"{"op":"relaunch"}"#),
      remedy: "Nothing is wrong. If updates only work after it, look for lock-leaked before.",
      articles: ["Operations", "Hazards"])
  }

  static var set: CodeExplanation {
    CodeExplanation(
      phone:
        "The phone was installed afresh, or its iOS, app version or snippet changed. A fresh install keeps nothing; an "
        + "update keeps everything and starts the app anew.",
      cause: "The steps device and update.",
      code: .skan3Start,
      command: Reproduction.list(#"{"op":"device","ios":"17.4","snippet":"skan4"}"#),
      remedy: "Nothing is wrong. An update from skan3 to skan4 keeps the old first call: see old-first-call.",
      articles: ["SnippetVersions", "KeptState"])
  }

  static var forwarded: CodeExplanation {
    CodeExplanation(
      phone: "The app's server reported a session or an event with the phone's metadata, and the report was taken.",
      cause: "The step s2s, or a session or event with \"forward\": the guides ask for every one.",
      code: .eventSample,
      command: Reproduction.fixture("life-cycle/server-to-server"),
      remedy: "Nothing is wrong. Forward what getSkanDetails gives after the answer, not before: see details-stale.",
      articles: ["ServerToServer"])
  }
}
