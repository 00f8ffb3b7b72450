import SKANDevice
import SKANRun

extension HelpTopic {
  static var aboutResults: [HelpSection] {
    [
      HelpSection(
        "Keys", rows: ShownResult.fields.rows.map { ($0.name, $0.text) }.filter { StepResult.keys.contains($0.0) }),
      HelpSection("Outcomes", Outcome.allCases.map(\.name).enumerated + "."),
      HelpSection(
        "Findings: something is wrong in the app or the endpoint",
        WarningCode.allCases.filter { $0.level == .finding }.map(\.name).enumerated + "."),
      HelpSection(
        "Notes: worth knowing", WarningCode.allCases.filter { $0.level == .note }.map(\.name).enumerated + "."),
      HelpSection(
        "More", "'skan explain CODE' says what an outcome, finding or note means. 'skan schema result' has types."),
    ]
  }
}
