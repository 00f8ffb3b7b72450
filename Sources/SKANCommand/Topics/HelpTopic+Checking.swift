import SKANTraffic

extension HelpTopic {
  static var aboutChecking: [HelpSection] {
    [
      HelpSection(
        "Input",
        "HAR of a proxy or a browser, the journal of skan serve, access logs, lists of URLs; gzip is unpacked. Requests to "
          + "conversion_value, launch and evt are checked together, by device and in order of time."),
      HelpSection(
        "Rules by level",
        rows: TrafficRule.Level.allCases.map { level in
          (level.rawValue, TrafficRule.allCases.filter { $0.level == level }.map(\.id).enumerated)
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
}
