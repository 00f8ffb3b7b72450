import SKANDevice
import SKANReceive
import SKANSigning

extension HelpTopic {
  static var aboutPostbacks: [HelpSection] {
    [
      HelpSection("States of a simulated one", rows: rows(Postback.State.allCases)),
      HelpSection(
        "Fields by the ad's version",
        "Conversion values are never signed. Which fields a postback of 4.0 has depends on the tier, too.",
        rows: AdVersion.allCases.map { ($0.rawValue, $0.fields.map(\.rawValue).enumerated) }),
      HelpSection("A received one: its signature", rows: rows(PostbackVerdict.Outcome.allCases)),
      HelpSection("By whose key; they are never added up", rows: rows(ReceivedSignature.Key.allCases)),
      HelpSection("Whether it was there before", rows: rows(Repetition.allCases)),
      HelpSection("Findings beside the verdict", PostbackFinding.Code.allCases.map(\.rawValue).enumerated + "."),
      HelpSection("More", "'skan explain CODE' says more about each."),
    ]
  }

  private static func rows(_ codes: [some ExplainedCode]) -> [(name: String, text: String)] {
    codes.map { ($0.code, $0.explanation.summary) }
  }
}
