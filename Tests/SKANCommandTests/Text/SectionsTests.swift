import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Texts in sections on a terminal")
struct SectionsTests {
  private func shown(_ text: String, columns: Int) -> String {
    StyledText.sections(text).map(TerminalStyle(columns: columns).text).joined()
  }

  @Test(
    "Every topic and explanation is whole at each width, and as it was written where no terminal is",
    arguments: [60, 79])
  func whole(columns: Int) {
    let texts = HelpTopic.allCases.map(\.text) + CodeCatalog.all.prefix(60).map { $0.text() }
    for text in texts {
      let words = text.split { $0 == " " || $0 == "\n" }
      #expect(shown(text, columns: columns).split { $0 == " " || $0 == "\n" } == words)
      let plain = StyledText.sections(text).map(TerminalStyle.plain.text).joined()
      #expect(plain == (text.hasSuffix("\n") ? text : text + "\n"))
    }
  }

  @Test("Prose is broken anew, rows go on below their texts, and lists and code stay as they are")
  func narrow() {
    let text = """
      What it is
        \(String(repeating: "word ", count: 13))and so on
        everlasting end.

      Names
        first   \(String(repeating: "word ", count: 13))last
                one.
        second  short

      Code
        call();
        call();
      Sources
        one
        two

      """
    #expect(
      shown(text, columns: 50) == """
        What it is
          word word word word word word word word word
          word word word word and so on everlasting end.

        Names
          first   word word word word word word word word
                  word word word word word last one.
          second  short

        Code
          call();
          call();
        Sources
          one
          two

        """)
  }
}
