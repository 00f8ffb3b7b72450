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
        "JSON Lines: one step a line, blank lines and lines that begin with # are skipped. An unknown key is an error. Without "
          + "a device step a list is about one phone with the defaults."),
      HelpSection(
        "Keys of every step",
        rows: ListFormat.commonKeys.map { ($0, commonKeyTexts[$0] ?? "") }),
      HelpSection(
        "Operations, and their own keys",
        rows: ListFormat.operations.map { ($0.name, $0.keys.isEmpty ? "(none)" : $0.keys.commaSeparated) }),
      HelpSection(
        "Expectations",
        "\"expect\" is an object of paths into the result and values, as in {\"outcome\":\"updated\",\"details.p0_coarse\":"
          + "\"1\"}. Objects and arrays are compared as a whole, numbers as numbers; null is null or absent. A path or a "
          + "value that no result can have is an error. Instead of a value there may be a matcher:",
        rows: Matcher.allCases.map { ($0.example, $0.meaning) }),
      HelpSection(
        "Variables",
        "${NAME} in any string is what --variable or SKAN_VARIABLE_NAME says; $${ is a plain ${."),
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

  static var aboutTime: [HelpSection] {
    [
      HelpSection(
        "The phone's clock",
        "A phone runs by the real clock until a step is given a time. From then on its time is virtual and moves with the "
          + "steps only, until --at now. A list without any time begins at 2026-01-01T00:00:00Z, so that it gives the same "
          + "bytes every day. Going back is allowed, as on a phone whose clock is set back, and gives a note."),
      HelpSection(
        "When: --at, and \"at\" of a step",
        rows: [
          ("2026-01-03T00:00:00Z", "an ISO 8601 instant"), ("1767398400", "Unix seconds, with a fraction or without"),
          ("+2d3h", "after the first step of this install that had a time"),
          ("now", "the real clock; on the command line only"),
        ]),
      HelpSection(
        "How long: --after, --took, and \"after\", \"took\", \"completion_took\" of a step",
        "A number is seconds. With units, the largest first, as in 2d3h or 500ms:",
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
        "By whole seconds since the first call that the app keeps, half-open: the very end belongs to the next window.",
        rows: zip(zip(starts, ends), ConversionWindow.allCases).map { bounds, window in
          ("P\(window.rawValue)", "from \(bounds.0) to \(bounds.1) after the first call")
        } + [
          ("over", "from \(ends[ends.count - 1]) on: updates are dropped without a word"),
          ("never registered", "counts as over, since the first call reads as 0"),
          ("clock set back", "before the first call it is P0"),
        ]),
      HelpSection(
        "SKAN 3",
        "One window, until \(TimeSpan(seconds: ConversionWindow.skan3Length)) after the last call; each higher value extends it."
      ),
      HelpSection(
        "As Apple counts (ads of version 4)",
        "From the first call that it took (setting clock-start). An update in a locked window is ignored.",
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
        "A fine value counts in P0 only, a coarse value in all three. Ads up to version 3 have one value, only upwards, and a "
          + "timer of \(DeviceProfile.ClockPreset.production.timer(CallSettings())) that each higher value restarts."
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
        "The JSON of Google Ads API's SkAdNetworkConversionValueSchema, camelCase or snake_case, also in the envelopes in which "
          + "Google hands it out. 'skan schema model' has it as JSON Schema; 'skan model check FILE' reports what is wrong or odd, "
          + "'skan model explain FILE' prints it as tables.",
        rows: ModelObject.all.map { ($0.name, $0.keys.commaSeparated) }),
      HelpSection(
        "Names with a meaning of their own",
        rows: [
          (Device.sessionEventName, "sessions"), (MappedEvent.allRevenue, "revenue of all kinds, without an event"),
          (MappedEvent.iapRevenue, "in-app purchases"), (MappedEvent.adRevenue, "revenue from ads"),
        ]),
      HelpSection(
        "Evaluation",
        "A mapping holds when all its entries hold and its hours do (min <= h < max). An entry holds when its event came as often "
          + "as asked in this window, and the window's revenue is in its range (min <= x < max). The answer in the first "
          + "window is the highest fine value whose mapping holds, never below the current one; the coarse value is the "
          + "highest whose mapping holds. The window is locked when its trigger is reached."),
      HelpSection(
        "Who uses them",
        "--model FILE, or --model BUNDLE_ID=FILE for several apps, of session, event, replay, serve, backtest, verify and receive; "
          + "--rates FILE has units of each currency per US dollar, as an object or by UTC day as a table date,currency,rate. "
          + "serve reads them again on SIGHUP."),
    ]
  }

  static var aboutPostbacks: [HelpSection] {
    [
      HelpSection("States of a simulated one", rows: rows(Postback.State.allCases)),
      HelpSection(
        "Fields by the ad's version",
        "Conversion values are never signed. Which fields a postback of 4.0 has depends on the tier, too.",
        rows: AdVersion.allCases.map { ($0.rawValue, $0.fields.map(\.rawValue).commaSeparated) }),
      HelpSection("A received one: its signature", rows: rows(PostbackVerdict.Outcome.allCases)),
      HelpSection("By whose key; they are never added up", rows: rows(ReceivedSignature.Key.allCases)),
      HelpSection("Whether it was there before", rows: rows(Repetition.allCases)),
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
        "HAR of a proxy or a browser, the journal of skan serve, access logs, lists of URLs; gzip is unpacked. Requests to "
          + "conversion_value, launch and evt are checked together, by device and in order of time."),
      HelpSection(
        "Rules by level",
        rows: TrafficRule.Level.allCases.map { level in
          (level.rawValue, TrafficRule.allCases.filter { $0.level == level }.map(\.id).commaSeparated)
        }),
      HelpSection(
        "What a rule rests on",
        rows: TrafficRule.Basis.allCases.map { ($0.rawValue, $0.meaning) }),
      HelpSection(
        "Not evaluated, which is not passed",
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
        "69 and 76 come from what an endpoint did, after the device file is saved: of a single command by its outcome, or "
          + "since a remote answer poisoned the install; of a replay, which runs to its end, for the first step that a "
          + "remote endpoint failed, unless the step expects that, an expectation failed, or --strict counts a finding (1). "
          + "Answers of a list are tests, and set no code. 'skan explain exit-76' says more."),
    ]
  }

  static var aboutEnvironment: [HelpSection] {
    [
      HelpSection(
        "An option's variable",
        "An option that describes where a command runs, or on which phone, has a variable: SKAN_LOCK_TIMEOUT for "
          + "--lock-timeout, 1 or 0 for a flag. An option that says what a command does has none: it is written on the "
          + "command line, or under \"commands\" in skan.json. "
          + "The command line counts before the variable, the variable before files, files before the default. An empty "
          + "variable counts as none; one that no command reads is an error."),
      HelpSection("Variables of options", rows: CommandTable.skan.variableOptions.map { ($0.variable, $0.help) }),
      HelpSection("Variables that stand for no option", rows: VariableNames.more.map { ($0.name, $0.help) }),
      HelpSection(
        "Of the system",
        rows: [
          ("PATH", "where openssl, gzip and duckdb are looked for, where they are needed"),
          ("TERM", "dumb: nothing is drawn that moves the cursor"), ("TMPDIR", "where much data is set aside"),
        ]),
    ]
  }
}
