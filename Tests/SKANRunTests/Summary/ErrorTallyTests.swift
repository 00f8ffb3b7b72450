import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Errors by their texts")
struct ErrorTallyTests {
  private func tally(_ reports: [(Outcome, Explanation)]) -> ErrorTally {
    var tally = ErrorTally()
    for (outcome, explanation) in reports { tally.count(StepReport(outcome, explanation)) }
    return tally
  }

  private func rows(_ tally: ErrorTally) -> [String] {
    tally.sorted.map { "\($0.count) \($0.kind.outcome.name) \($0.kind.text)" }
  }

  @Test("What is an error, and in whose words")
  func texts() {
    let tally = tally([
      (.serverError, .refused("no such app")), (.updated, .nothingToUpdate),
      (.serverError, .withoutHandler(.refused("no such app"))), (.transportError, .noAnswer("timed out")),
      (.serverError, .refusedWithoutCurrentValue("")), (.unparsable, .notJSON("line 1")), (.read, .detailsRead(0)),
      (.crashed, .answerCrashed("a string")),
    ])
    #expect(
      rows(tally) == [
        "2 server-error no such app", "1 server-error ", "1 unparsable line 1", "1 transport-error timed out",
        "1 crashed a string",
      ])
  }

  @Test("Long texts are cut, and too many are only counted")
  func limits() {
    let long = tally([(.serverError, .refused(String(repeating: "x", count: 1 << 20)))])
    #expect(long.sorted[0].kind.text.count == ErrorTally.longestText + 1)
    var many = tally((0..<1003).map { (.serverError, .refused("\($0)")) })
    #expect(many.sorted.count == ErrorTally.mostKinds && many.others == 3)
    many += tally([(.serverError, .refused("0")), (.serverError, .refused("new"))])
    #expect(many.sorted[0].count == 2 && many.others == 4)
  }

  @Test("The sum of two")
  func sum() {
    var sum = tally([(.serverError, .refused("a"))])
    sum += tally([(.serverError, .refused("b")), (.serverError, .refused("a"))])
    #expect(rows(sum) == ["2 server-error a", "1 server-error b"] && sum.others == 0)
  }
}
