import Testing

@testable import SKANBase

@Suite("The name that is meant")
struct MeantNameTests {
  static let options = ["report-junit", "report-tap", "report-json", "report-html", "report-markdown", "retry"]

  @Test(
    "Abbreviations, the shortest name first; else what is near",
    arguments: [
      ("report-md", options, "report-markdown"), ("report-mrk", options, "report-markdown"),
      ("REPORT-MD", options, "report-markdown"),
      ("report", options, "report-tap"), ("git", ["gitlab-ci", "github"], "github"),
      ("git", ["github", "gitlab"], "github"),
      ("rety", options, "retry"), ("retyr", options, "retry"), ("jenkin", ["jenkins"], "jenkins"),
      // Too short, another beginning, another order, too few of the letters, and the name itself.
      ("gi", ["github"], nil), ("eport-md", ["report-markdown"], nil), ("report-dm", ["report-markdown"], nil),
      ("rep", ["report-junit"], nil), ("repo", ["report-junit"], "report-junit"), ("", ["abc"], nil),
    ] as [(String, [String], String?)])
  func meant(name: String, known: [String], expected: String?) {
    #expect(meantName(by: name, in: known) == expected)
  }
}
