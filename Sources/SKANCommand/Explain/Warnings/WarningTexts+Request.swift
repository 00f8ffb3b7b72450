/// What goes out in the request.
extension WarningTexts {
  static var nameTooLong: CodeExplanation {
    CodeExplanation(
      phone: "The event's name goes out as it is, with more than 32 characters. The snippet checks nothing.",
      cause: "The app passes a long name; the API reference allows 32 ASCII characters.",
      code: .eventName,
      command: Reproduction.fixture("hazards/event-names"),
      remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
      articles: ["Requests", "Hazards"])
  }

  static var nameNotASCII: CodeExplanation {
    CodeExplanation(
      phone: "The event's name goes out percent-encoded, with characters that are not ASCII.",
      cause: "The app passes a name in another script; the API reference asks for ASCII.",
      code: .eventName,
      command: Reproduction.fixture("hazards/event-names"),
      remedy: "Use a name of at most 32 ASCII characters, the same at the event endpoint.",
      articles: ["Requests", "Hazards"])
  }

  static var plusInName: CodeExplanation {
    CodeExplanation(
      phone: "The + in the event's name goes out bare, and a server that decodes forms reads a space. \"gold+pack\" is "
        + "counted as \"gold pack\".",
      cause: "URLComponents does not escape a + in a query.",
      code: .query,
      command: Reproduction.fixture("hazards/plus-in-name"),
      remedy: "Use no + in names of events.",
      articles: ["Requests", "Hazards"])
  }

  static var emptyName: CodeExplanation {
    CodeExplanation(
      phone: "The event goes out with an empty name. An endpoint that keeps to the reference refuses it.",
      cause: "The app passes an empty string.",
      code: .eventName,
      command: Reproduction.fixture("hazards/event-names"),
      remedy: "Pass the event's name; a session has a call of its own.",
      articles: ["Requests", "Hazards"])
  }

  static var emptyCurrency: CodeExplanation {
    CodeExplanation(
      phone:
        "The amount is kept under an empty currency, a sum of its own. No rate table has a rate for it, so a model of "
        + "revenue never counts it.",
      cause: "The app passes an empty string; only nil is refused.",
      code: .revenue,
      command: Reproduction.fixture("hazards/empty-currency"),
      remedy: "Pass the ISO 4217 code of the transaction.",
      articles: ["Hazards", "KeptState"])
  }

  static var oddCurrency: CodeExplanation {
    CodeExplanation(
      phone: "The amount is kept under a currency that is not a code of ISO 4217. \"usd\" and \"USD\" are two sums.",
      cause: "The app passes another form than three capital letters; nothing checks it.",
      code: .revenueSum,
      command: Reproduction.fixture("hazards/revenue-counted-twice", showsNotes: true),
      remedy: "Pass the code of the transaction in capitals, such as USD.",
      articles: ["KeptState", "Endpoints"])
  }

  static var idfvMissing: CodeExplanation {
    CodeExplanation(
      phone:
        "The request goes out without idfv, which the API reference always requires. An endpoint cannot tell such phones "
        + "apart.",
      cause: "identifierForVendor is nil, as before the first unlock after a restart, or the app does not pass it.",
      code: .idfv,
      command: Reproduction.fixture("hazards/idfv-missing"),
      remedy: "Wait until identifierForVendor has a value before the update is called.",
      articles: ["Requests", "Hazards"])
  }

  static var currentValueMissing: CodeExplanation {
    CodeExplanation(
      phone:
        "The endpoint refused the request since it has no skan_current_conversion_value, and the phone has none to send. "
        + "Only an answer brings one, so it never gets a value.",
      cause: "The phone was updated from SKAN 3, whose first call stays: register does nothing and writes no 0.",
      code: .register,
      command: Reproduction.fixture("hazards/current-value-missing"),
      remedy: "Let the endpoint take the missing value for 0; a fresh install is the only other way out.",
      articles: ["Hazards", "SnippetVersions"])
  }
}
