import SKANBase
import Testing

@testable import SKANModel

extension ModelReadProblemTests {
  /// What `skan model check` reports: everything at once.
  private func everything(_ text: String) -> [String] {
    do throws(SourceProblems) {
      let (_, errors, warnings) = try ModelFile.check(Array(text.utf8))
      return SourceProblems(errors + warnings).problems.map(\.message)
    } catch {
      return error.problems.map(\.message)
    }
  }

  @Test(
    "What cannot be read hides nothing that is odd, and makes nothing odd",
    arguments: [
      (
        Part.model(fine: [Part.fine(64), Part.fine(1, Part.event("a")), Part.fine(1, Part.event("b"))]),
        [
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64",
          "fine value 1 is mapped twice",
        ]
      ),
      // No value 0 is made of the wrong ones.
      (
        Part.model(fine: [Part.fine(0), Part.fine(64), Part.fine(65)]),
        [
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64",
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 65",
        ]
      ),
      (
        Part.model(windows: [Part.window(0), Part.window(3)]),
        ["\"postback_sequence_index\" must be a whole number from 0 to 2, this is 3"]
      ),
      // The gap may be filled by what cannot be read.
      (
        Part.model(fine: [
          Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(9, 5)), Part.fine(3, Part.revenue(9, 12)),
        ]), ["a revenue range ends (5.0) before it begins (9.0)"]
      ),
      (
        Part.model(
          fine: [Part.fine(64)], windows: [Part.window(0, lock: #""lock_window_fine_conversion_value":5"#)]),
        ["\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64"]
      ),
    ])
  func all(text: String, messages: [String]) { #expect(everything(text) == messages) }
}
