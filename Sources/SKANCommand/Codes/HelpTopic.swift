import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANSigning
import SKANTraffic

/// A topic of `skan help TOPIC`. Its text is generated from the tables of the program.
enum HelpTopic: String, CaseIterable, Sendable {
  case lists, results, time, models, windows, postbacks, checking
  case exitCodes = "exit-codes"
  case environment

  var summary: String {
    switch self {
    case .lists: "event lists: operations, keys, expectations, matchers"
    case .results: "the JSON of a step's result: keys, outcomes, codes"
    case .time: "when a step happens, and how times and durations are written"
    case .models: "conversion models: their form, and how they are evaluated"
    case .windows: "the three windows, as the app counts them and as Apple does"
    case .postbacks: "what leaves the phone and when, and how received ones are checked"
    case .checking: "what skan check reads, its rules, and what is not evaluated"
    case .exitCodes: "the exit codes and what they mean"
    case .environment: "variables, and the order of precedence"
    }
  }

  /// Every topic and its summary.
  static let rows: [(name: String, text: String)] = allCases.map { ($0.rawValue, $0.summary) }

  /// The sections, each with a heading and with prose, rows or both.
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

  /// The whole text, filled to 80 columns.
  var text: String {
    "\(rawValue): \(summary)\n\n\(sections.map(\.text).joined(separator: "\n\n"))\n"
  }
}

/// A part of a help topic.
struct HelpSection: Sendable {
  let heading: String
  let prose: String
  let rows: [(name: String, text: String)]

  init(_ heading: String, _ prose: String = "", rows: [(name: String, text: String)] = []) {
    self.heading = heading
    self.prose = prose
    self.rows = rows
  }

  private static let width = 80
  /// The longest name that shares a line with its text.
  private static let longestName = 24

  /// The section, filled to 80 columns. The text of a row continues below its own beginning.
  var text: String {
    let names = min(Self.longestName, rows.map(\.name.count).max() ?? 0)
    let indent = String(repeating: " ", count: names + 4)
    let lines = rows.flatMap { row -> [String] in
      let texts = row.text.filled(to: Self.width - names - 4)
      let name = "  \(row.name.padded(to: names))"
      if row.name.count > names { return [name] + texts.map { indent + $0 } }
      return texts.isEmpty
        ? ["  \(row.name)"] : ["\(name)  \(texts[0])"] + texts.dropFirst().map { indent + $0 }
    }
    return (["\(heading)"] + prose.filled(to: Self.width - 2).map { "  \($0)" } + lines).joined(separator: "\n")
  }
}

extension HelpTopic {
  static var aboutLists: [HelpSection] {
    [
      HelpSection(
        "Form",
        "JSON Lines: one step per line. Blank lines and lines that begin with # are skipped. An unknown key is an "
          + "error. A list without a device step uses one phone with the defaults."),
      HelpSection(
        "Keys of every step",
        rows: ListFormat.commonKeys.map { ($0, commonKeyTexts[$0] ?? "") }),
      HelpSection(
        "Operations, and their own keys",
        rows: ListFormat.operations.map { ($0.name, $0.keys.isEmpty ? "(none)" : $0.keys.commaSeparated) }),
      HelpSection(
        "Expectations",
        "\"expect\" is an object of result paths and expected values, as in "
          + "{\"outcome\":\"updated\",\"details.p0_coarse\":\"1\"}. Objects and arrays are compared as a whole, and "
          + "numbers as numbers. An expected null also matches an absent key. A path or a value that no result can "
          + "have is an error. Instead of a value, you can write a matcher:",
        rows: Matcher.allCases.map { ($0.example, $0.meaning) }),
      HelpSection(
        "Variables",
        "${NAME} in any string is replaced by the value of --variable or SKAN_VARIABLE_NAME. $${ stands for a plain "
          + "${."),
    ]
  }

  static let commonKeyTexts = [
    "op": "the operation; required",
    "at": "when: Unix seconds, an ISO 8601 instant, or \"+2d3h\" after the first step of the phone",
    "after": "a duration after the end of the phone's previous step",
    "device": "the phone; one list can interleave the steps of several",
    "label": "the step's name in reports and for --label",
    "expect": "the expected result",
    "skip": "skips the step, and says why",
  ]

  static var aboutTime: [HelpSection] {
    [
      HelpSection(
        "The phone's clock",
        "A phone uses the real clock until a step has a time. From then on its time is virtual and advances only with "
          + "the steps, until --at now. A list without any time begins at 2026-01-01T00:00:00Z, so its output is the "
          + "same every day. A step can go back in time, as on a phone whose clock is set back; this gives a note."),
      HelpSection(
        "When: --at, and \"at\" of a step",
        rows: [
          ("2026-01-03T00:00:00Z", "an ISO 8601 instant"), ("1767398400", "Unix seconds, with or without a fraction"),
          ("+2d3h", "after the first step of this install that had a time"),
          ("now", "the real clock; on the command line only"),
        ]),
      HelpSection(
        "How long: --after, --took, and \"after\", \"took\", \"completion_took\" of a step",
        "A number without a unit is in seconds. Units go from the largest to the smallest, as in 2d3h or 500ms:",
        rows: [
          ("ms", "milliseconds"), ("s", "seconds"), ("m", "minutes"), ("h", "hours"), ("d", "days of 24 hours"),
        ]),
    ]
  }

  static var aboutWindows: [HelpSection] {
    let ends = ConversionWindow.allCases.map { TimeSpan(seconds: $0.end) }
    let starts = [TimeSpan.zero] + ends.dropLast()
    return [
      HelpSection(
        "As the app counts (SKAN 4)",
        "The app counts whole seconds since the first call on record. The exact end of a window belongs to the next "
          + "window.",
        rows: zip(zip(starts, ends), ConversionWindow.allCases).map { bounds, window in
          ("P\(window.rawValue)", "from \(bounds.0) to \(bounds.1) after the first call")
        } + [
          ("over", "from \(ends[ends.count - 1]) on: updates are dropped silently"),
          ("never registered", "counts as over, since the first call reads as 0"),
          ("clock set back", "before the first call it is P0"),
        ]),
      HelpSection(
        "SKAN 3",
        "One window, until \(TimeSpan(seconds: ConversionWindow.skan3Length)) after the last call; each higher value extends it."
      ),
      HelpSection(
        "As Apple counts (ads of version 4)",
        "Apple counts from the first call that it accepted (setting clock-start). An update in a locked window is "
          + "ignored.",
        rows: DeviceProfile.ClockPreset.allCases.flatMap { clock in
          ConversionWindow.allCases.map { window in
            let delay = clock.delay(of: window, isFineOnly: false, FrameworkSettings())
            return (
              "\(clock.rawValue) P\(window.rawValue)",
              "ends \(clock.end(of: window)) after the start; the postback leaves \(delay.shortest) to \(delay.longest) later"
            )
          }
        }),
      HelpSection(
        "What counts",
        "A fine value counts only in P0, a coarse value in all three windows. Ads up to version 3 have one value, "
          + "which can only rise, and a timer of \(DeviceProfile.ClockPreset.production.timer(CallSettings())) that "
          + "each higher value restarts."
      ),
      HelpSection(
        "iOS that each snippet needs to register",
        rows: SnippetVersion.allCases.map { ($0.rawValue, $0.rules.registrationMinimum.text) }),
    ]
  }

  static var aboutResults: [HelpSection] {
    [
      HelpSection(
        "Keys", rows: ShownResult.fields.rows.map { ($0.name, $0.text) }.filter { StepResult.keys.contains($0.0) }),
      HelpSection("Outcomes", Outcome.allCases.map(\.name).commaSeparated + "."),
      HelpSection(
        "Findings: something is wrong in the app or the endpoint",
        WarningCode.allCases.filter { $0.level == .finding }.map(\.name).commaSeparated + "."),
      HelpSection(
        "Notes: worth knowing", WarningCode.allCases.filter { $0.level == .note }.map(\.name).commaSeparated + "."),
      HelpSection(
        "More", "'skan explain CODE' says what an outcome, finding or note means. 'skan schema result' has types."),
    ]
  }

  static var aboutModels: [HelpSection] {
    [
      HelpSection(
        "Form",
        "A model is Google Ads API's SkAdNetworkConversionValueSchema as JSON, in camelCase or snake_case, with or "
          + "without the envelopes of Google's responses. 'skan schema model' prints its JSON Schema, 'skan model "
          + "check FILE' reports mistakes and oddities, and 'skan model explain FILE' prints the model as tables.",
        rows: ModelObject.all.map { ($0.name, $0.keys.commaSeparated) }),
      HelpSection(
        "Names with a meaning of their own",
        rows: [
          (Device.sessionEventName, "sessions"), (MappedEvent.allRevenue, "revenue of all kinds, without an event"),
          (MappedEvent.iapRevenue, "in-app purchases"), (MappedEvent.adRevenue, "revenue from ads"),
        ]),
      HelpSection(
        "Evaluation",
        "A mapping holds when all its entries hold and the time is within its hours (min <= h < max). An entry holds "
          + "when its event occurred as often as required in this window, and the window's revenue is in its range "
          + "(min <= x < max). In the first window, the answer is the highest fine value whose mapping holds, but "
          + "never less than the current value. The coarse value is the highest one whose mapping holds. The window is "
          + "locked when its trigger is reached."),
      HelpSection(
        "Who uses them",
        "session, event, replay, serve, backtest, verify and receive take --model FILE, or --model BUNDLE_ID=FILE for "
          + "several apps. --rates FILE contains the units of each currency per US dollar, as an object or, by UTC "
          + "day, as a table date,currency,rate. serve reads both again on SIGHUP."),
    ]
  }

  static var aboutPostbacks: [HelpSection] {
    [
      HelpSection("States of a simulated one", rows: rows(Postback.State.allCases)),
      HelpSection(
        "Fields by the ad's version",
        "Conversion values are never signed. The fields of a postback of version 4.0 also depend on the tier.",
        rows: AdVersion.allCases.map { ($0.rawValue, $0.fields.map(\.rawValue).commaSeparated) }),
      HelpSection("A received one: its signature", rows: rows(PostbackVerdict.Outcome.allCases)),
      HelpSection("Whose key signed it; the kinds are never added up", rows: rows(ReceivedSignature.Key.allCases)),
      HelpSection("Whether it was received before", rows: rows(Repetition.allCases)),
      HelpSection("Findings beside the verdict", PostbackFinding.Code.allCases.map(\.rawValue).commaSeparated + "."),
      HelpSection("More", "'skan explain CODE' says more about each."),
    ]
  }

  private static func rows(_ codes: [some ExplainedCode]) -> [(name: String, text: String)] {
    codes.map { ($0.code, $0.explanation.summary) }
  }

  static var aboutChecking: [HelpSection] {
    [
      HelpSection(
        "Input",
        "skan check reads the HAR of a proxy or a browser, the journal of skan serve, access logs and lists of URLs, "
          + "also packed with gzip. Requests to conversion_value, launch and evt are checked together, by device and "
          + "in order of time."),
      HelpSection(
        "Rules by level",
        rows: TrafficRule.Level.allCases.map { level in
          (level.rawValue, TrafficRule.allCases.filter { $0.level == level }.map(\.id).commaSeparated)
        }),
      HelpSection(
        "What a rule rests on",
        rows: TrafficRule.Basis.allCases.map { ($0.rawValue, $0.meaning) }),
      HelpSection(
        "Rules that are not evaluated, which is not the same as passed",
        "A rule that the input cannot answer is not evaluated. The reason is one of these:",
        rows: TrafficNeed.allCases.map { ($0.reason, "") }),
      HelpSection(
        "More", "'skan explain RULE' says what causes a breach, and what to do. --fail-on sets the level that fails."),
    ]
  }

  static var aboutExitCodes: [HelpSection] {
    [
      HelpSection("Codes", rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }),
      HelpSection(
        "Which counts",
        "69 and 76 report what an endpoint did; the device file is saved before. A single command ends with them "
          + "because of its outcome, or because a remote answer poisoned the install. A replay runs to its end. If "
          + "an expectation failed, or --strict counts a finding, it ends with 1. Otherwise it ends with the code of the "
          + "first step to which a remote endpoint gave no answer (69) or a bad one (76), if the step does not expect "
          + "that. Answers given in a list are tests and set no exit code. 'skan explain exit-76' says more."),
    ]
  }

  static var aboutEnvironment: [HelpSection] {
    [
      HelpSection(
        "An option's variable",
        "An option that describes where a command runs, or on which phone, has a variable: SKAN_LOCK_TIMEOUT for "
          + "--lock-timeout. The value for a flag is 1 or 0. An option that says what a command does has no variable: "
          + "write it on the command line, or under \"commands\" in skan.json. The command line takes precedence over "
          + "the variable, the variable over files, and files over the default. An empty variable counts as unset. A "
          + "SKAN_ variable that no command reads is an error."),
      HelpSection("Variables of options", rows: CommandTable.skan.variableOptions.map { ($0.variable, $0.help) }),
      HelpSection("Variables without an option", rows: VariableNames.more.map { ($0.name, $0.help) }),
      HelpSection(
        "Of the system",
        rows: [
          ("PATH", "the directories in which skan looks for openssl, gzip and duckdb"),
          ("TERM", "dumb: skan prints nothing that moves the cursor"),
          (
            "TMPDIR",
            "the directory for large temporary files"
          ),
        ]),
    ]
  }
}
