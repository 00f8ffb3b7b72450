/// A subject of `skan help TOPIC`. Its text is made of the tables that the program works by.
enum HelpTopic: String, CaseIterable, Sendable {
  case lists, results, time, models, windows, postbacks, checking
  case exitCodes = "exit-codes"
  case environment

  var summary: String {
    switch self {
    case .lists: "event lists: operations, keys, expectations, matchers"
    case .results: "the object that a step answers with: keys, outcomes, codes"
    case .time: "when a step happens, and how times and durations are written"
    case .models: "conversion models: their form, and how they are evaluated"
    case .windows: "the three windows, as the app counts them and as Apple does"
    case .postbacks: "what leaves the phone, when, and how a received one is judged"
    case .checking: "what skan check reads, its rules, and what is not evaluated"
    case .exitCodes: "what the program ends with"
    case .environment: "variables, and what comes before what"
    }
  }

  /// Headings with prose, and rows of names with texts.
  var sections: [HelpSection] {
    switch self {
    case .lists: Self.aboutLists
    case .results: Self.aboutResults
    case .time: Self.aboutTime
    case .models: Self.aboutModels
    case .windows: Self.aboutWindows
    case .postbacks: Self.aboutPostbacks
    case .checking: Self.aboutChecking
    case .exitCodes: Self.aboutExitCodes
    case .environment: Self.aboutEnvironment
    }
  }

  /// The whole text, in 80 columns.
  var text: String {
    "\(rawValue): \(summary)\n\n\(sections.map(\.text).joined(separator: "\n\n"))\n"
  }
}
