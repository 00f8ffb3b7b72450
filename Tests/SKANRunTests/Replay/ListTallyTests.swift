import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("The counts of a list")
struct ListTallyTests {
  private static let location = (file: "l", line: 1)

  @Test("A step that does not run counts as skipped, and as nothing else")
  func skipped() throws {
    var tally = ListTally(records: nil)
    let step = try #require(try runList([#"{"op":"register"}"#]).first).step
    for index in 0..<2 { try tally.countSkipped(step, "later", at: Self.location, index: index) }
    #expect(tally.counts.skipped == 2 && tally.counts.steps == 0)
  }

  @Test("A step with a finding has a record, though no expectation is there to fail; one without has none")
  func findings() throws {
    var tally = ListTally(records: nil)
    let results = try runList([
      #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":99}}}"#,
    ])
    let records = try results.enumerated().map { index, result in
      try tally.count(result, [], at: Self.location, index: index, took: .zero)
    }
    #expect(results.map(\.report.hasFinding) == [false, true])
    #expect(records.map { $0 != nil } == [false, true])
  }
}
