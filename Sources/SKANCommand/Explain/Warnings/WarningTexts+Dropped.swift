/// What the snippet drops or counts otherwise than an app expects.
extension WarningTexts {
  static var droppedUnregistered: CodeExplanation {
    CodeExplanation(
      phone:
        "The session or event was dropped without a request, an error or a handler call. No first call is on record, "
        + "which the snippet takes for all windows over.",
      cause: "register was not called before, or this iOS is below the one that register needs.",
      code: .windowRule,
      command: Reproduction.fixture("hazards/event-before-register"),
      remedy: "Call register at launch, before the first session.",
      articles: ["Windows", "Hazards"])
  }

  static var droppedWindowOver: CodeExplanation {
    CodeExplanation(
      phone:
        "The session or event was dropped without a request, an error or a handler call. No window is open any more: 35 "
        + "days since the first call (SKAN 3: 24 hours since the last).",
      cause: "An old install, or a clock that was set ahead.",
      code: .windowOver,
      command: Reproduction.fixture("hazards/window-over", showsNotes: true),
      remedy: "Nothing, but the app must not wait for its handler.",
      articles: ["Windows", "Hazards"])
  }

  static var revenueOutsideWindows: CodeExplanation {
    CodeExplanation(
      phone: "The amount is in the life-long total and in no window's. A model that counts by window never sees it.",
      cause: "updateRevenue before register, or after the third window.",
      code: .revenueOutside,
      command: Reproduction.fixture("hazards/window-over", showsNotes: true),
      remedy: "Register before the first revenue. After 35 days it is right so.",
      articles: ["KeptState", "Hazards"])
  }

  static var clockWentBack: CodeExplanation {
    CodeExplanation(
      phone:
        "The phone's clock shows an earlier time than before. The snippet notices nothing: windows that were over reopen, "
        + "values of P0 are overwritten, and last call can come to lie before first call.",
      cause: "The user or the network set the clock back, or a list's at is earlier than the step before.",
      code: .now,
      command: Reproduction.fixture("hazards/clock-set-back", showsNotes: true),
      remedy: "Endpoint: expect such requests; documented is the error Invalid measurement period.",
      articles: ["Windows", "Hazards"])
  }

  static var oldFirstCall: CodeExplanation {
    CodeExplanation(
      phone:
        "An update of the app keeps the first call of the snippet before, so register does nothing. Apple never gets its 0, "
        + "no fine value is written, and the windows count from the old start.",
      cause: "skan3 and skan4 keep both timestamps and the purchase revenue under the same keys.",
      code: .skan3Start,
      command: Reproduction.fixture("hazards/skan3-to-skan4", showsNotes: true),
      remedy:
        "Expect it for every install that is older than the app's update; such phones can lack a fine value for good.",
      articles: ["SnippetVersions", "Hazards"])
  }

  static var adRevenueMerged: CodeExplanation {
    CodeExplanation(
      phone: "SKAN 3 has one total: revenue from ads is added to that of purchases. A model cannot tell them apart.",
      cause: "Ad revenue passed to the SKAN 3 snippet, whose updateRevenue has no isAdMonetization.",
      code: .skan3Revenue,
      command: Reproduction.fixture("hazards/skan3-ad-revenue", showsNotes: true),
      remedy: "Leave ad revenue out with SKAN 3, or use a model of all revenue.",
      articles: ["Hazards", "SnippetVersions"])
  }
}
