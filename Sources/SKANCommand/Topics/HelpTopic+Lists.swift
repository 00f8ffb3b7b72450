import SKANRun

extension HelpTopic {
  static var aboutLists: [HelpSection] {
    [
      HelpSection(
        "Form",
        "JSON Lines: one step a line, blank lines and lines that begin with # are skipped. An unknown key is an error. Without "
          + "a device step a list is about one phone with the defaults."),
      HelpSection(
        "Keys of every step",
        rows: ListFormat.commonKeys.map { ($0, commonKeyTexts[$0] ?? "") }),
      HelpSection(
        "Operations, and their own keys",
        rows: ListFormat.operations.map { ($0.name, $0.keys.isEmpty ? "(none)" : $0.keys.enumerated) }),
      HelpSection(
        "Expectations",
        "\"expect\" is an object of paths into the result and values, as in {\"outcome\":\"updated\",\"details.p0_coarse\":"
          + "\"1\"}. Objects and arrays are compared as a whole, numbers as numbers; null is null or absent. A path or a "
          + "value that no result can have is an error. Instead of a value there may be a matcher:",
        rows: Matcher.allCases.map { ($0.example, $0.meaning) }),
      HelpSection(
        "Variables",
        "${NAME} in any string is what --variable, --variables-file or SKAN_VARIABLE_NAME says; $${ is a plain ${."),
    ]
  }

  static let commonKeyTexts = [
    "op": "the operation; required",
    "at": "when: Unix seconds, an ISO 8601 instant, or \"+2d3h\" after the first step of the phone",
    "after": "a duration after the end of the phone's step before",
    "device": "which phone; a list may hold many, interleaved",
    "label": "its name in reports, and for --label",
    "expect": "what its result must be",
    "skip": "why it does not run",
  ]
}
